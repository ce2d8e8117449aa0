import { useSyncExternalStore } from 'react'
import { useTranslation } from '../lib/i18n.ts'

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says that there is no connection, as long as that is so. What was loaded before stays readable. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <p role="status" className="bg-warn-soft px-4 py-2 text-center text-14 text-warn">
      {t('common.offline')}
    </p>
  )
}
