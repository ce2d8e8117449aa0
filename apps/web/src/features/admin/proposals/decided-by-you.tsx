import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, cx, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import { sentenceOf } from './proposal-words.ts'

/** The maximum number of decisions shown. */
const SHOWN = 8

interface DecidedByYouProps {
  /** The currently opened proposal. */
  shown: string | undefined
  onOpen: (proposalId: string) => void
}

/** The decisions of this admin within seven days, the last one first. Nothing without one. */
export function DecidedByYou({ shown, onOpen }: DecidedByYouProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: { show: 'decided', limit: SHOWN } }))
  const items = query.data?.pages[0]?.items ?? []
  if (items.length === 0) return null
  const title = t('desk.approvals.decided')
  return (
    <section className="flex flex-col gap-2">
      <h2 className="px-1 text-14 font-semibold">{title}</h2>
      <ul aria-label={title} className="divide-y divide-line overflow-hidden rounded-12 bg-card">
        {items.map((item) => {
          const isRefused =
            item.state === 'Refused' || item.state === 'Failed' || item.headline.name.endsWith('_rejected')
          return (
            <li
              key={item.proposal_id}
              className={cx(
                'relative flex items-center gap-3 px-4 py-2',
                item.proposal_id === shown ? 'bg-accent-soft' : 'hover:bg-sunken',
              )}
            >
              <span
                className={cx(
                  'grid size-8 shrink-0 place-items-center rounded-full',
                  isRefused ? 'bg-bad-soft text-bad' : 'bg-good-soft text-good',
                )}
              >
                <Icon name={isRefused ? 'close' : 'check'} size={16} />
              </span>
              <button
                type="button"
                onClick={() => onOpen(item.proposal_id)}
                className="min-h-11 min-w-0 flex-1 text-left after:absolute after:inset-0"
              >
                <span className="wrap-anywhere block text-14">{sentenceOf(t, item.headline)}</span>
                <span className="block text-12 text-muted">
                  {t(`admin.state.${item.state}`)} · {utcText(item.decided_at ?? item.prepared_at)}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
