import { AlertDialog } from '@base-ui/react/alert-dialog'
import { cx } from '../lib/cx.ts'
import { useTranslation } from '../lib/i18n.ts'
import type { OpenModal } from '../lib/overlays.ts'
import { Button } from './button.tsx'
import { backdropClass } from './sheet-panel.tsx'

/** A question or a message that must be answered. Opened with `showModal` of lib/overlays.ts. */
export function Modal({ modal }: { modal: OpenModal }) {
  const { t } = useTranslation()
  const showCancel = modal.showCancel ?? true
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && modal.answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={cx(backdropClass, 'z-40')} />
        <AlertDialog.Popup
          className={cx(
            'fixed left-1/2 top-1/2 z-50 w-[calc(100%-3rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 rounded-12 bg-card p-5 outline-none',
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
