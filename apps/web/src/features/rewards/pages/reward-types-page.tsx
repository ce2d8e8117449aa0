import { dayOf, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatCount,
  PageLink,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  EmptyState,
  Fact,
  Facts,
  Loaded,
  Meter,
  Page,
  Segmented,
  Skeleton,
} from '../../../ui/index.ts'

const RANGES = ['30', '90', '365'] as const

/** Shows what each kind of reward was due and paid over some days. */
export default function RewardTypesPage() {
  const { t } = useTranslation()
  const [days, setDays] = useState<(typeof RANGES)[number]>('30')
  const query = useQuery(apiQuery('profitType', { query: rangeOf(Number(days)) }))
  return (
    <Page title={t('types.title')}>
      <Segmented
        label={t('types.range')}
        options={RANGES.map((value) => ({ value, label: t('types.days', { count: Number(value) }) }))}
        value={days}
        onChange={setDays}
      />
      <Loaded query={query} skeleton={<Skeleton className="h-79 rounded-12" />}>
        {({ items, from, to }) => (
          <>
            <p className="px-1 text-12 text-muted">{t('types.period', { from, to })}</p>
            {items.length === 0 && <EmptyState icon="activity" title={t('types.none')} />}
            {items.map((item) => {
              const ofDue = t('packages.ofDue', {
                paid: formatAmount(item.paid, TWO_DECIMALS),
                due: formatAmount(item.value, TWO_DECIMALS),
              })
              return (
                <Card key={item.type} className="flex flex-col gap-3">
                  <h2 className="text-16 font-semibold">{t(`rewards.type.${item.type}`)}</h2>
                  <Meter label={t('types.paid')} share={shareOf(item.paid, item.value)} text={ofDue} />
                  <Facts>
                    <Fact label={t('types.paid')}>{ofDue}</Fact>
                    <Fact label={t('types.assets')}>
                      {formatAmount(item.usdt, TWO_DECIMALS)} USDT + {formatAmount(item.amc, TWO_DECIMALS)}{' '}
                      AMC
                    </Fact>
                    <Fact label={t('types.count')}>{formatCount(item.count)}</Fact>
                  </Facts>
                  <PageLink
                    to="/pages/rewardList/index"
                    search={{ type: item.type }}
                    className={buttonClass('secondary', true)}
                  >
                    {t('types.open')}
                  </PageLink>
                </Card>
              )
            })}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The last days up to today, by UTC day. */
function rangeOf(days: number) {
  const now = Date.now()
  return { from: dayOf(now - (days - 1) * 86_400_000), to: dayOf(now) }
}

/** Only for drawing. */
function shareOf(paid: string, due: string): number {
  const whole = parseMicros(due)
  return whole === 0n ? 0 : Number((parseMicros(paid) * 1000n) / whole) / 1000
}
