import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import { Toast } from '@base-ui/react/toast'
import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { cx, HELP_ABOUT, type OpenModal, toastStore, useLayer, useTranslation } from '../lib/index.ts'
import { Button, IconButton } from './button.tsx'
import HelpTarget from './help-target.tsx'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: string
  /** Small print under the title. */
  description?: ReactNode
  children: ReactNode
  /** False: only the content's own buttons close it, and back has no effect. */
  dismissible?: boolean
}

/** The panel of `Sheet`. */
export function SheetPanel({ open, onClose, title, description, children, dismissible = true }: SheetProps) {
  const { t } = useTranslation()
  useLayer(open, dismissible ? onClose : null)
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(next) => !next && dismissible && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          className={cx(
            'fixed inset-x-0 bottom-0 z-30 mx-auto flex max-h-[88dvh] w-full max-w-[35rem] flex-col rounded-t-24 bg-page pb-[env(safe-area-inset-bottom)] shadow-2 outline-none forced-colors:border',
            'transition duration-250 ease-calm data-[ending-style]:translate-y-full data-[starting-style]:translate-y-full',
            'sm:bottom-auto sm:top-1/2 sm:max-w-md sm:-translate-y-1/2 sm:rounded-24 sm:data-[ending-style]:opacity-0 sm:data-[starting-style]:opacity-0',
            'sm:data-[ending-style]:-translate-y-1/2 sm:data-[starting-style]:-translate-y-1/2',
          )}
        >
          <header className="flex items-start gap-2 pb-2 pl-5 pr-2 pt-3">
            <div className="min-w-0 flex-1 py-2">
              <Dialog.Title className="text-20 font-semibold">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description className="mt-1 text-14 text-muted">{description}</Dialog.Description>
              )}
            </div>
            {dismissible && <IconButton icon="close" label={t('common.close')} onClick={onClose} />}
          </header>
          <div className="overflow-y-auto px-5 pb-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The dimmed layer behind sheets and modals. */
export const backdropClass =
  'fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0'

/** A question or a message that must be answered. Opened with `showModal` of lib/overlays.ts. */
export function Modal({ modal }: { modal: OpenModal }) {
  const { t } = useTranslation()
  const showCancel = modal.showCancel ?? true
  useLayer(true, () => modal.answer(false))
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && modal.answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={cx(backdropClass, 'z-40')} />
        <AlertDialog.Popup
          className={cx(
            'fixed left-1/2 top-1/2 z-50 w-[calc(100%-3rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 rounded-24 bg-card p-5 shadow-2 outline-none forced-colors:border',
            'transition duration-200 ease-calm data-[starting-style]:scale-95 data-[starting-style]:opacity-0',
          )}
        >
          <AlertDialog.Title className={modal.title === undefined ? 'sr-only' : 'mb-2 text-20 font-semibold'}>
            {modal.title ?? t('common.notice')}
          </AlertDialog.Title>
          <AlertDialog.Description className="whitespace-pre-line break-words text-16 text-muted">
            {modal.content}
          </AlertDialog.Description>
          <div className="mt-5 flex gap-3">
            {showCancel && (
              <Button variant="secondary" block onClick={() => modal.answer(false)}>
                {modal.cancelText ?? t('common.cancel')}
              </Button>
            )}
            <Button block onClick={() => modal.answer(true)}>
              {modal.confirmText ?? t('common.confirm')}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

const TOAST_TONES = { plain: 'bg-ink text-on-ink', good: 'bg-good text-page', bad: 'bg-bad text-page' }

/** A toast with a link stays long enough to be read and tapped. */
const LINKED_TOAST_MS = 6000

/** Base UI marks a toast as a dialog that is not modal, which the role of a line in a status region does not allow. */
const NOT_MODAL = { 'aria-modal': undefined }

/** Draws the toasts of `showToast`, one at a time. */
export function Toasts() {
  return (
    <Toast.Provider>
      <LastToast />
    </Toast.Provider>
  )
}

function LastToast() {
  const { toasts, add } = Toast.useToastManager<{ tone: keyof typeof TOAST_TONES; about: string | null }>()
  const last = useStore(toastStore)
  useEffect(() => {
    // Under the same id, a new toast replaces the previous one.
    if (last === null) return
    const about = last.about !== null && last.about in HELP_ABOUT ? last.about : null
    const timeout = about === null ? last.durationMs : LINKED_TOAST_MS
    add({ id: 'last', description: last.text, timeout, data: { tone: last.tone, about } })
  }, [last, add])
  return (
    <Toast.Viewport
      role="status"
      aria-label={undefined}
      className="toasts pointer-events-none fixed inset-x-0 bottom-[calc(6rem+env(safe-area-inset-bottom))] z-60 flex justify-center px-6"
    >
      {toasts.map((toast) => (
        <Toast.Root
          key={toast.updateKey}
          toast={toast}
          render={<p />}
          role="presentation"
          {...NOT_MODAL}
          tabIndex={-1}
          swipeDirection={[]}
          className={cx(
            'max-w-sm animate-rise rounded-16 px-4 py-3 text-14 shadow-2 forced-colors:border',
            TOAST_TONES[toast.data?.tone ?? 'plain'],
          )}
        >
          <span>{toast.description}</span>
          {toast.data?.about != null && (
            <HelpTarget
              about={toast.data.about}
              className="touch-line pointer-events-auto ml-2 inline-block font-semibold underline underline-offset-4"
            />
          )}
        </Toast.Root>
      ))}
    </Toast.Viewport>
  )
}
