import type { RouteData } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, TWO_DECIMALS, useTranslation } from '../lib/index.ts'
import { Card, Loaded, Meter, PriceNote, Skeleton, Time } from '../ui/index.ts'

export interface LimitCardProps {
  limit: RouteData<'withdrawLimit'>
  /** The worth of the typed amount in USDT, or null while it is not valid. */
  worth: string | null
}

/**
 * Shows the used part of today's limit of withdrawals and transfers, the part of the typed amount, and the
 * time of the reset.
 */
export function LimitCard({ limit, worth }: LimitCardProps) {
  const { t } = useTranslation()
  const { level } = limit
  const two = (amount: string) => formatAmount(amount, TWO_DECIMALS)
  const used = parseMicros(limit.used)
  const added = worth === null ? 0n : parseMicros(worth)
  const all = parseMicros(limit.limit)
  const left = all > used + added ? all - used - added : 0n
  const shareOf = (part: bigint) => (all === 0n ? 1 : Number(part) / Number(all))
  const leftText = t('withdrawals.form.limitLeft', {
    left: two(formatMicros(left)),
    limit: two(limit.limit),
  })
  return (
    <Card className="flex flex-col gap-2 text-14">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{t('withdrawals.form.limit')}</span>
        <span className="text-muted">{leftText}</span>
      </p>
      <Meter
        label={t('withdrawals.form.limit')}
        share={shareOf(used)}
        more={worth === null ? 0 : shareOf(added)}
        text={leftText}
      />
      <p className="text-12 text-muted">
        {worth !== null && t('withdrawals.form.limitThis', { worth: two(worth) })}{' '}
        {t('withdrawals.form.limitHint', { level, used: two(limit.used) })} <Time value={limit.resets_at} />
      </p>
      {limit.prices.AMC !== null && <PriceNote named asset="AMC" className="self-start" />}
    </Card>
  )
}

/** Shows the rest of today's limit beside a list of the withdrawals and transfers that used it. */
export function LimitNow() {
  const limit = useQuery(apiQuery('withdrawLimit'))
  return (
    <Loaded query={limit} skeleton={<Skeleton className="h-24 rounded-16" />}>
      {(data) => <LimitCard limit={data} worth={null} />}
    </Loaded>
  )
}
