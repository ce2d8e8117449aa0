import type { Me } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, useTranslation } from '../../../lib/index.ts'
import { Card, Loaded, Meter, Money, Section, Skeleton, Time } from '../../../ui/index.ts'

/** What can still be withdrawn today, and how much pairing can pay in a day. */
export function LimitsCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('withdrawLimit'))
  return (
    <Section title={t('my.limits.title')}>
      <Card className="flex flex-col gap-4">
        <Loaded query={query} skeleton={<Skeleton className="h-19" />}>
          {(limit) => (
            <div className="flex flex-col gap-2 text-14">
              <p className="flex items-baseline justify-between gap-4">
                <span className="text-muted">{t('my.limits.withdraw')}</span>
                <Money amount={limit.remaining} unit="USDT" className="font-semibold" />
              </p>
              <Meter
                label={t('my.limits.used')}
                share={shareOf(limit.used, limit.limit)}
                text={t('my.limits.usedOf', {
                  used: formatAmount(limit.used),
                  limit: formatAmount(limit.limit),
                })}
              />
              <p className="text-12 text-muted">
                {t('my.limits.usedOf', { used: formatAmount(limit.used), limit: formatAmount(limit.limit) })}{' '}
                {t('my.limits.resets')} <Time value={limit.resets_at} />
              </p>
            </div>
          )}
        </Loaded>
        <p className="flex items-baseline justify-between gap-4 text-14">
          <span className="text-muted">{t('my.pairingCap')}</span>
          <Money amount={me.day_top_profit} unit="USDT" className="font-semibold" />
        </p>
      </Card>
    </Section>
  )
}

/** Only for drawing. */
function shareOf(used: string, limit: string): number {
  const whole = parseMicros(limit)
  return whole === 0n ? 0 : Number((parseMicros(used) * 1000n) / whole) / 1000
}
