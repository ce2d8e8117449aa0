import { createStore } from 'zustand'

/** Toasts and modals as plain calls; `ui/overlay-host.tsx` draws them. Specification sections 7 to 9. */
export interface ToastOptions {
  durationMs?: number
  tone?: 'plain' | 'good' | 'bad'
  /** The error code or the state whose help article the toast links to. */
  about?: string | null
}

export type ToastRequest = Required<ToastOptions> & { text: string }

export interface ModalRequest {
  title?: string
  content: string
  confirmText?: string
  cancelText?: string
  /** False leaves only the confirm button. */
  showCancel?: boolean
}

export interface OpenModal extends ModalRequest {
  id: number
  answer: (confirmed: boolean) => void
}

/** The default duration of a toast; that of a failed call is 2000 ms. */
const TOAST_MS = 1500
export const LONG_TOAST_MS = 2000

/** The last requested toast. */
export const toastStore = createStore<ToastRequest | null>(() => null)
export const modalStore = createStore<readonly OpenModal[]>(() => [])

/** Stops waiting for the wallet; null while it is asked nothing. Set by `wallet/answers.ts`. */
export const walletWaitStore = createStore<{ readonly stop: (() => void) | null }>(() => ({ stop: null }))

/** Shows one line for a moment; a new toast replaces the previous one. */
export function showToast(
  text: string,
  { durationMs = TOAST_MS, tone = 'plain', about = null }: ToastOptions = {},
) {
  toastStore.setState({ text, durationMs, tone, about }, true)
}

let nextId = 1

/**
 * Opens a modal and returns whether it was confirmed. A modal that is already open with the same content is
 * not opened again and returns false at once, so ten calls that fail together show one modal.
 */
export function showModal(request: ModalRequest): Promise<boolean> {
  if (modalStore.getState().some((open) => open.content === request.content)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean) => {
      modalStore.setState(
        modalStore.getState().filter((open) => open.id !== id),
        true,
      )
      resolve(confirmed)
    }
    modalStore.setState([...modalStore.getState(), { ...request, id, answer }], true)
  })
}
