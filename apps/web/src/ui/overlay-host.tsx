import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { cx, modalStore, type OpenModal, toastStore, useStore } from '../lib/index.ts'

const loadModal = () => import('./dialogs.tsx')
const Modal = lazy(
  (): Promise<{ default: ComponentType<{ modal: OpenModal }> }> =>
    loadModal().then(
      (module) => ({ default: module.Modal }),
      () => ({ default: PlainModal }),
    ),
)

/** The browser's own dialog, where the connection was lost before the modal's code was here. */
function PlainModal({ modal }: { modal: OpenModal }) {
  useEffect(() => {
    const ask = modal.showCancel === false ? window.alert : window.confirm
    modal.answer(ask(modal.content) !== false)
  }, [modal])
  return null
}

const TOAST_TONES = { plain: 'bg-ink text-on-ink', good: 'bg-good text-page', bad: 'bg-bad text-page' }

/** Draws toasts and modals of lib/overlays.ts. Stands once, beside the pages. */
export function OverlayHost() {
  const toast = useStore(toastStore)
  const modals = useStore(modalStore)
  // A modal often tells that the connection is lost: its code must be here by then.
  useEffect(() => {
    const timer = setTimeout(() => void loadModal().catch(() => undefined), 2000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <div
        role="status"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-0 top-4 z-60 flex justify-center px-6"
      >
        {toast !== null && (
          <p
            key={toast.id}
            className={cx(
              'max-w-sm animate-rise rounded-12 px-4 py-3 text-14 shadow-lg',
              TOAST_TONES[toast.tone],
            )}
          >
            {toast.text}
          </p>
        )}
      </div>
      <Suspense>
        {modals.map((modal) => (
          <Modal key={modal.id} modal={modal} />
        ))}
      </Suspense>
    </>
  )
}
