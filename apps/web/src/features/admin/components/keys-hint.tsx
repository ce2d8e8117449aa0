import { useTranslation } from '../../../lib/index.ts'

/** Says on a desktop that there are keys, and which. */
export function KeysHint({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      onClick={onOpen}
      className="hidden min-h-11 px-1 text-left text-12 text-muted hover:text-ink lg:block"
    >
      {t('desk.keys.hint')}
    </button>
  )
}
