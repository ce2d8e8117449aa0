import { Dialog } from '@base-ui/react/dialog'
import { cx } from '../lib/cx.ts'
import { useTranslation } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import type { SheetProps } from './sheet.tsx'

/** The panel of `Sheet`, in a chunk of its own. */
export default function SheetPanel({
  open,
  onClose,
  title,
  description,
  children,
  dismissible = true,
}: SheetProps) {
  const { t } = useTranslation()
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
            'fixed inset-x-0 bottom-0 z-30 mx-auto flex max-h-[88dvh] w-full max-w-[35rem] flex-col rounded-t-12 bg-card outline-none',
            'transition duration-200 ease-calm data-[ending-style]:translate-y-full data-[starting-style]:translate-y-full',
            'sm:bottom-auto sm:top-1/2 sm:max-w-md sm:-translate-y-1/2 sm:rounded-12 sm:data-[ending-style]:opacity-0 sm:data-[starting-style]:opacity-0',
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
          <div className="overflow-y-auto px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** The dimmed layer behind sheets and modals. */
export const backdropClass =
  'fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0'
