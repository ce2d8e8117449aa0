import type { MoneyAsset, SavingsAccount, SavingsCoverage, SavingsInterest } from '@rif/api-schema'
import { dayOf, previousDay } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatDay,
  formatPpm,
  isZero,
  PageLink,
  useTranslation,
} from '../../../lib/index.ts'
import {
  ASSET_OPTIONS,
  BarChart,
  Card,
  Columns,
  DesktopOnly,
  ErrorState,
  Fact,
  Facts,
  Hero,
  InCurrency,
  ListSkeleton,
  Loaded,
  Money,
  MoneyFact,
  NavLink,
  Notice,
  NoticeLink,
  Page,
  PriceNote,
  Section,
  Segmented,
  Skeleton,
  Term,
  TokenMark,
} from '../../../ui/index.ts'
import { NothingYet, RecentSavings, SavingsTransferRow } from '../components/savings-parts.tsx'
import { StandingCard } from '../components/standing-card.tsx'
import { paidByDay, reallyPaid } from '../savings-view.ts'

const LEAVING = 3
const CHART_DAYS = 30
/** Each day has at most one record of each of the two assets. */
const INTEREST = CHART_DAYS * 2

/** The member's savings, their interest, and the transfers on their way back. */
export default function SavingsPage() {
  const { t } = useTranslation()
  const account = useQuery(apiQuery('savings'))
  const coverage = useQuery(apiQuery('savingsCoverage'))
  const interest = useQuery(apiQuery('savingsInterest', { query: { limit: INTEREST } }))
  const leaving = useQuery(apiQuery('savingsTransfers', { query: { leaving: 'true', limit: LEAVING } }))
  const onArrival = () => {
    void leaving.refetch()
    void account.refetch()
  }
  const onTheWay = leaving.data?.items ?? []
  return (
    <Page
      wide
      title={t('savings.title')}
      actions={<NavLink to="/pages/savings/list">{t('savings.history')}</NavLink>}
    >
      {account.isPending && <SavingsSkeleton />}
      {account.isError && account.data === undefined && <ErrorState onRetry={() => void account.refetch()} />}
      {account.data !== undefined && (
        <Columns
          side={
            <>
              {onTheWay.length > 0 && (
                <Section
                  title={t('savings.leaving')}
                  aside={
                    <PageLink to="/pages/savings/list" search={{ show: 'leaving' }}>
                      {t('common.all')}
                    </PageLink>
                  }
                >
                  <Card className="divide-y divide-line py-1">
                    {onTheWay.map((transfer) => (
                      <SavingsTransferRow
                        key={transfer.transfer_id}
                        transfer={transfer}
                        onArrival={onArrival}
                      />
                    ))}
                  </Card>
                </Section>
              )}
              <StandingCard />
              <Notice
                tone="warn"
                title={t('savings.risk.title')}
                action={<NoticeLink to="/pages/rewardList/coverage">{t('savings.risk.attested')}</NoticeLink>}
              >
                {t('savings.risk.text')}
              </Notice>
              <DesktopOnly>
                <RecentSavings />
              </DesktopOnly>
            </>
          }
        >
          <BalanceCard account={account.data} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
            {account.data.assets.map((savings) => (
              <AssetCard key={savings.asset} savings={savings} coverage={coverage.data} />
            ))}
          </div>
          <Section
            title={t('savings.chart.title')}
            aside={
              <PageLink to="/pages/savings/list" search={{ show: 'interest' }}>
                {t('common.all')}
              </PageLink>
            }
          >
            <Loaded query={interest} skeleton={<Skeleton className="h-69 rounded-16" />}>
              {({ items }) => <InterestChart interest={items} />}
            </Loaded>
          </Section>
        </Columns>
      )}
    </Page>
  )
}

function SavingsSkeleton() {
  return (
    <Columns side={<Skeleton className="h-48 rounded-16" />}>
      <Skeleton className="h-72 rounded-24" />
      <ListSkeleton rows={3} />
    </Columns>
  )
}

interface AssetCardProps {
  savings: SavingsAccount['assets'][number]
  /** Undefined while loading. */
  coverage: SavingsCoverage | undefined
}

/** Savings of one asset: balance, interest, and the rate as a ceiling beside the rate actually paid. */
function AssetCard({ savings, coverage }: AssetCardProps) {
  const { t } = useTranslation()
  const { asset, rate_ppm } = savings
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <div className="flex items-center gap-3">
          <TokenMark token={asset} />
          <div className="min-w-0 flex-1">
            <Money own amount={savings.savings} unit={asset} className="font-display text-20 font-semibold" />
            <p className="text-14 text-muted">{t('savings.upTo', { rate: formatPpm(rate_ppm) })}</p>
          </div>
        </div>
        <p className="pt-2 text-12 text-muted">
          {coverage === undefined ? ' ' : <ReallyPaid {...{ savings, coverage }} />}
        </p>
      </div>
      <Facts>
        <MoneyFact
          own
          label={t('savings.sum.yesterday_income')}
          amount={savings.yesterday_income}
          unit={asset}
          signed
        />
        <MoneyFact own label={t('savings.sum.total_earned')} amount={savings.total_earned} unit={asset} />
        {!isZero(savings.leaving) && (
          <MoneyFact
            own
            label={<Term name="savings">{t('savings.leaving')}</Term>}
            amount={savings.leaving}
            unit={asset}
          />
        )}
      </Facts>
    </Card>
  )
}

function ReallyPaid({
  savings,
  coverage,
}: {
  savings: AssetCardProps['savings']
  coverage: SavingsCoverage
}) {
  const { t } = useTranslation()
  const paid = reallyPaid(coverage, savings.asset, savings.rate_ppm)
  if (paid === null) return t('savings.nothingDue')
  return t('savings.paid', { rate: formatPpm(paid.ratePpm), share: formatPpm(paid.coveragePpm) })
}

const SUMS = ['yesterday_income', 'total_earned', 'total_holding_value'] as const

/** The account's totals in USDT worth, and both directions to move money. */
function BalanceCard({ account }: { account: SavingsAccount }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('savings.title')}>
      <Hero className="flex flex-col gap-4">
        <div>
          <p className="text-14 text-muted">{t('savings.sum.total_amount')}</p>
          <p className="font-display font-semibold">
            <Money own amount={account.total_amount} unit="USDT" fit />
          </p>
          <InCurrency tap amount={account.total_amount} className="text-14 text-muted" />
          <p className="text-12 text-muted">
            {account.prices.AMC === null ? t('savings.noPrice') : t('savings.worthHint')}
          </p>
          {account.prices.AMC !== null && <PriceNote named asset="AMC" />}
        </div>
        <dl className="grid grid-cols-2 gap-3 max-[359px]:grid-cols-1 lg:grid-cols-4">
          {SUMS.map((name) => (
            <div key={name}>
              <dt className="text-13 text-muted">{t(`savings.sum.${name}`)}</dt>
              <dd className="text-16 font-medium">
                <Money own amount={account[name]} unit="USDT" />
              </dd>
            </div>
          ))}
          <div>
            <dt className="text-13 text-muted">{t('savings.sum.locked_amc')}</dt>
            <dd className="text-16 font-medium">
              <Money own amount={account.locked_amc} unit="AMC" />
            </dd>
          </div>
        </dl>
        <div className="grid grid-cols-2 gap-3 lg:max-w-100">
          <PageLink
            to="/pages/savings/in"
            className="grid min-h-13 place-items-center rounded-16 bg-white px-3 text-center text-16 font-semibold text-on-white"
          >
            {t('savings.in.action')}
          </PageLink>
          <PageLink
            to="/pages/savings/out"
            className="grid min-h-13 place-items-center rounded-16 bg-sunken px-3 text-center text-16 font-semibold"
          >
            {t('savings.out.action')}
          </PageLink>
        </div>
      </Hero>
    </section>
  )
}

/** Interest actually paid on each of the last 30 days; a tap on a day shows its figures. */
function InterestChart({ interest }: { interest: readonly SavingsInterest[] }) {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<MoneyAsset>('USDT')
  const [chosen, setChosen] = useState<string | null>(null)
  const days = paidByDay(interest, asset, previousDay(dayOf(Date.now())), CHART_DAYS)
  const shown = days.find(({ day }) => day === chosen)
  return (
    <Card className="flex flex-col gap-3">
      <Segmented label={t('savings.asset')} options={ASSET_OPTIONS} value={asset} onChange={setAsset} />
      {days.every(({ due }) => isZero(due)) ? (
        <NothingYet title={t('savings.list.noInterest')} />
      ) : (
        <>
          <BarChart
            label={t('savings.chart.label', { asset })}
            unit={asset}
            empty={days.every(({ paid }) => isZero(paid)) ? t('savings.chart.none') : undefined}
            bars={days.map(({ day, paid }) => ({
              key: day,
              text: t('savings.chart.day', { day: formatDay(day), paid: formatAmount(paid), asset }),
              // Only the height of a bar: money itself is never converted to a number.
              parts: [{ value: Number(paid), tone: 'accent' }],
            }))}
            selected={chosen}
            onSelect={setChosen}
            from={formatDay(days[0]!.day)}
            to={formatDay(days.at(-1)!.day)}
          />
          <div aria-live="polite">
            {shown === undefined ? (
              <p className="text-12 text-muted">{t('savings.chart.hint')}</p>
            ) : (
              <Facts>
                <Fact label={t('savings.interest.day')}>{formatDay(shown.day)}</Fact>
                <MoneyFact own label={t('savings.interest.due')} amount={shown.due} unit={asset} exact />
                <MoneyFact own label={t('savings.interest.paid')} amount={shown.paid} unit={asset} exact />
              </Facts>
            )}
          </div>
        </>
      )}
    </Card>
  )
}
