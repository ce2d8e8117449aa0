import type { RewardDetail } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { formatAmount, formatDay, formatPpm, shortestAddress, useTranslation } from '../../lib/index.ts'
import { Avatar, Card, IconCircle, Meter, type PartColour, PartKey, Parts } from '../../ui/index.ts'
import { NoteLine } from '../receiver/names.tsx'
import type { Split } from './explain.ts'

const text = (micros: bigint) => formatAmount(formatMicros(micros))
const WHOLE_PPM = 1_000_000

export interface RewardFromProps {
  reward: RewardDetail
  /** Null if no order paid it; undefined until it is computed. */
  split: Split | null | undefined
  /** Shows the note that the reader wrote about the buyer; only members have some. */
  hasNotes: boolean
}

/** Shows the buyer or the settled day, its base, how the payment was split, and how much the pool paid. */
export function RewardFrom({ reward, split, hasNotes }: RewardFromProps) {
  const { t } = useTranslation()
  const { source_address: source, source_label: label, batch } = reward
  const short = source === null ? null : shortestAddress(source)
  const amounts = { paid: formatAmount(batch.paid), due: formatAmount(batch.value) }
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">{t('rewards.detail.from')}</h2>
      <div className="flex items-center gap-3">
        {source === null ? <IconCircle icon="rewards" /> : <Avatar address={source} />}
        <p className="min-w-0 flex-1 text-14 text-muted">
          <span className="block break-words text-16 font-medium text-ink">
            {short === null ? formatDay(reward.day) : label ? `${label}, ${short}` : short}
          </span>
          {source !== null && hasNotes && <NoteLine address={source} />}
          {t(`rewards.detail.why.${reward.type}`)}
        </p>
        <p className="text-16 font-semibold">{formatAmount(reward.base)}</p>
      </div>
      {split != null && <SplitOfOrder split={split} />}
      <div className="flex flex-col gap-2 border-t border-line pt-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
          <span className="font-semibold">{t(`rewards.pool.${batch.pool}`)}</span>
          <span className="text-muted">{t('rewards.detail.poolPaid', amounts)}</span>
        </p>
        <Meter
          label={t(`rewards.pool.${batch.pool}`)}
          share={reward.coverage_ppm / WHOLE_PPM}
          text={formatPpm(reward.coverage_ppm)}
        />
      </div>
    </Card>
  )
}

const OWN_COLOURS: readonly PartColour[] = ['wallet', 'platform']

/** The operator's part and the pool's; below it, the receivers of the pool's part. */
function SplitOfOrder({ split }: { split: Split }) {
  const { t } = useTranslation()
  const { poolPpm, operatorMicros, poolMicros, own, othersMicros, restMicros } = split
  const all: { colour: PartColour; label: string; micros: bigint }[] = [
    ...own.map(({ type, ratioPpm, paidMicros }, index) => ({
      colour: OWN_COLOURS[index] ?? 'fund',
      label: t('rewards.split.you', { kind: t(`rewards.short.${type}`), rate: formatPpm(ratioPpm) }),
      micros: paidMicros,
    })),
    { colour: 'savings', label: t('rewards.split.others'), micros: othersMicros },
    { colour: 'rest', label: t('rewards.split.rest'), micros: restMicros },
  ]
  const lines = all.filter(({ micros }) => micros > 0n)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-1 text-12">
        <p className="rounded-8 bg-sunken px-3 py-2" style={{ flexGrow: WHOLE_PPM - poolPpm, flexBasis: 0 }}>
          <span className="block text-muted">
            {t('rewards.split.operator', { rate: formatPpm(WHOLE_PPM - poolPpm) })}
          </span>
          <span className="block text-16 font-semibold">{text(operatorMicros)}</span>
        </p>
        <p className="rounded-8 bg-accent-soft px-3 py-2" style={{ flexGrow: poolPpm, flexBasis: 0 }}>
          <span className="block text-accent">{t('rewards.split.pool', { rate: formatPpm(poolPpm) })}</span>
          <span className="block text-16 font-semibold">{text(poolMicros)}</span>
        </p>
      </div>
      <Parts
        label={lines.map(({ label, micros }) => `${label} ${text(micros)}`).join(', ')}
        // Only the length of a part.
        parts={lines.map(({ colour, micros }) => ({ colour, size: Number(micros) }))}
      />
      <dl className="flex flex-col gap-2.5 text-14">
        {lines.map(({ colour, label, micros }, index) => (
          <div key={label} className="flex items-center gap-2.5">
            <PartKey colour={colour} />
            <dt className={index < own.length ? 'flex-1 font-semibold' : 'flex-1'}>{label}</dt>
            <dd className="font-medium">{text(micros)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-3 border-t border-line pt-2.5 font-semibold">
          <dt>{t('rewards.split.sum')}</dt>
          <dd>{text(poolMicros)}</dd>
        </div>
      </dl>
      <p className="text-12 text-muted">{t('rewards.split.only')}</p>
    </div>
  )
}
