import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../lib/i18n.ts'
import { apiQuery, WATCH_MS } from '../lib/queries.ts'

/** Tells what the operator has stopped, as long as that is so. What was approved can be claimed all the same. */
export function PausedBanner() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...apiQuery('pauses'), refetchInterval: WATCH_MS })
  const paused = data?.paused ?? []
  if (paused.length === 0) return null
  const areas = paused.map((area) => t(`paused.area.${area}`)).join(' · ')
  return (
    <p role="status" className="bg-warn-soft px-4 py-2 text-center text-14 text-warn">
      {t('paused.text', { areas })}
    </p>
  )
}
