import { useTranslation } from '../../../lib/index.ts'
import { IconButton } from '../../../ui/index.ts'

interface BulkBarProps {
  count: number
  /** The totals of the selection. */
  totals: string
  steps: readonly { label: string; onClick: () => void }[]
  onClear: () => void
}

/** The selection, with its totals and actions. It stays at the bottom edge, over the tab bar of a phone. */
export function BulkBar({ count, totals, steps, onClear }: BulkBarProps) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={t('desk.bulk.selected', { count })}
      className="sticky bottom-20 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-12 bg-ink p-3 text-14 text-on-ink shadow-lg lg:bottom-3"
    >
      <p className="min-w-0 flex-1 basis-40 px-1">
        <span className="font-semibold">{t('desk.bulk.selected', { count })}</span>{' '}
        <span className="tabular-nums">{totals}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {steps.map(({ label, onClick }, place) => (
          <button
            key={label}
            type="button"
            onClick={onClick}
            className={
              place === steps.length - 1
                ? 'min-h-11 rounded-12 bg-card px-4 font-semibold text-ink'
                : 'min-h-11 rounded-12 border border-current px-4 font-semibold'
            }
          >
            {label}
          </button>
        ))}
        <IconButton icon="close" label={t('desk.bulk.clear')} onClick={onClear} />
      </div>
    </section>
  )
}
