import { useTranslation } from '../lib/i18n.ts'
import { useStore } from '../lib/store.ts'
import { updateStore } from './updates.ts'

/** Offers a newer version of the app; what is typed and what is under way outlasts the reload. */
export function UpdateBanner() {
  const { t } = useTranslation()
  const isReady = useStore(updateStore)
  if (!isReady) return null
  return (
    <div role="status" className="bg-accent-soft">
      <div className="column flex items-center gap-3 px-4 py-1 text-14">
        <span className="min-w-0 flex-1">{t('common.updateReady')}</span>
        <button
          type="button"
          className="min-h-11 min-w-11 px-2 font-semibold text-accent"
          onClick={() => window.location.reload()}
        >
          {t('common.reload')}
        </button>
      </div>
    </div>
  )
}
