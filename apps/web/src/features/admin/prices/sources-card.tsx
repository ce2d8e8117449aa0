import type { AdminPrices } from '@rif/api-schema'
import { formatPpm, formatPrice, shortAddress, useTranslation } from '../../../lib/index.ts'
import { DataTable, Pill, type Tone } from '../../../ui/index.ts'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'

type Source = AdminPrices['sources'][number]

const TONES = {
  published: 'good',
  unchanged: 'good',
  waiting: 'warn',
  refused: 'neutral',
  silent: 'neutral',
  gone: 'neutral',
} as const satisfies Record<string, Tone>

const HOUR_S = 3_600

interface SourcesCardProps {
  data: AdminPrices
  onShow: (proposalId: string) => void
}

/** The feeds and oracles: the last message of each, its outcome, and pending proposals. */
export function SourcesCard({ data, onShow }: SourcesCardProps) {
  const { t } = useTranslation()
  const title = t('admin.prices.sources')
  return (
    <Panel title={title}>
      {data.sources.length === 0 ? (
        <p className="text-14 text-muted">{t('admin.prices.noSources')}</p>
      ) : (
        <>
          <p className="text-12 text-muted">{t('admin.prices.jump', { share: formatPpm(data.jump_ppm) })}</p>
          <DataTable
            stacks
            caption={title}
            words={[1, 3, 4]}
            head={[
              t('admin.prices.from'),
              t('admin.prices.asset'),
              t('admin.prices.last'),
              t('admin.prices.observed'),
              t('admin.prices.state'),
            ]}
            rows={data.sources.map((source) => ({
              key: `${source.source}/${source.name}/${source.asset}`,
              cells: [
                <SourceName key="name" source={source} />,
                source.asset ?? '–',
                source.price === null ? '–' : `${formatPrice(source.price)} USDT`,
                source.observed_at === null ? '–' : <UtcTime key="at" value={source.observed_at} />,
                <SourceState key="state" source={source} onShow={onShow} />,
              ],
            }))}
          />
        </>
      )}
    </Panel>
  )
}

function SourceName({ source: { source, name, max_age_seconds: maxAge } }: { source: Source }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-col">
      <span title={name}>
        {t(`price.from.${source}`, { name: source === 'oracle' ? shortAddress(name) : name })}
      </span>
      {maxAge !== null && (
        <span className="text-12 font-normal text-muted">
          {t('admin.prices.oldest', { hours: Math.round((maxAge / HOUR_S) * 10) / 10 })}
        </span>
      )}
    </span>
  )
}

function SourceState({ source, onShow }: { source: Source; onShow: (proposalId: string) => void }) {
  const { t } = useTranslation()
  const { problem, outcome, connected, waiting_price: waiting, proposal_id: proposal } = source
  const state = connected ? (outcome ?? 'silent') : 'gone'
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:justify-end">
      {problem !== null && connected ? (
        <Pill tone="bad">{t(`admin.prices.problem.${problem}`)}</Pill>
      ) : (
        <Pill tone={TONES[state]}>{t(`admin.prices.outcome.${state}`)}</Pill>
      )}
      {waiting !== null && <span className="tabular-nums">{formatPrice(waiting)} USDT</span>}
      {proposal !== null && (
        <button type="button" className="touch-line font-medium text-accent" onClick={() => onShow(proposal)}>
          {t('admin.prices.seeProposal')}
        </button>
      )}
    </span>
  )
}
