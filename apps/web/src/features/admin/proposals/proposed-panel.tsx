import type { ProposalKind } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'
import { Panel } from '../components/panel.tsx'
import { utcText } from '../components/utc-time.tsx'
import { STATE_TONES } from './proposal-parts.tsx'
import { sentenceOf } from './proposal-words.ts'

interface ProposedPanelProps {
  kind: ProposalKind
  onOpen: (proposalId: string) => void
}

/** The undecided proposals of a kind, beside the approved state; nothing without one. */
export function ProposedPanel({ kind, onOpen }: ProposedPanelProps) {
  const { t } = useTranslation()
  const query = apiQuery('proposals', { query: { kind, show: 'open' } })
  const { data } = useQuery({ ...query, refetchInterval: WATCH_MS })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Panel title={t('admin.waitsForApproval')}>
      <ul className="-my-2 flex flex-col divide-y divide-line">
        {data.items.map((item) => (
          <li key={item.proposal_id}>
            <button
              type="button"
              className="flex w-full items-start justify-between gap-3 py-3 text-left text-14"
              onClick={() => onOpen(item.proposal_id)}
            >
              <span className="flex min-w-0 flex-col">
                <span className="wrap-anywhere font-semibold">{sentenceOf(t, item.headline)}</span>
                <span className="text-12 text-muted">
                  {item.prepared_person} · {utcText(item.prepared_at)}
                </span>
              </span>
              <Pill tone={STATE_TONES[item.state]}>{t(`admin.state.${item.state}`)}</Pill>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
