import { createStore } from './store.ts'

/** Toasts and modals as plain calls; `ui/overlay-host.tsx` draws them. Specification sections 7 to 9. */
export interface ToastOptions {
  durationMs?: number
  tone?: 'plain' | 'good' | 'bad'
}

export interface Toast {
  id: number
  text: string
  tone: 'plain' | 'good' | 'bad'
}

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

/** The default time that a toast stays; a failed call's stays 2000 ms. */
export const TOAST_MS = 1500
export const LONG_TOAST_MS = 2000

export const toastStore = createStore<Toast | null>(null)
export const modalStore = createStore<readonly OpenModal[]>([])

let nextId = 1

/** Shows one line for a moment; a new toast takes the place of the one before. */
export function showToast(text: string, { durationMs = TOAST_MS, tone = 'plain' }: ToastOptions = {}) {
  const toast = { id: nextId++, text, tone }
  toastStore.set(toast)
  setTimeout(() => {
    if (toastStore.get()?.id === toast.id) toastStore.set(null)
  }, durationMs)
}

/**
 * Opens a modal and answers whether it was confirmed. The same content is not opened twice: who asks for it again
 * gets false at once, so ten calls that fail together are one modal.
 */
export function showModal(request: ModalRequest): Promise<boolean> {
  if (modalStore.get().some((open) => open.content === request.content)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean) => {
      modalStore.set(modalStore.get().filter((open) => open.id !== id))
      resolve(confirmed)
    }
    modalStore.set([...modalStore.get(), { ...request, id, answer }])
  })
}
