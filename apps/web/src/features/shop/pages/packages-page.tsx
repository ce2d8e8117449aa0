import type { OwnPackage, OwnPackages } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatDay,
  formatMonth,
  formatOwn,
  formatPpm,
  formatPrice,
  formatTime,
  isZero,
  PageLink,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import {
  BarChart,
  buttonClass,
  Card,
  ChartTable,
  EmptyState,
  Fact,
  Facts,
  Legend,
  Loaded,
  Meter,
  Money,
  Notice,
  Page,
  Section,
  Skeleton,
  Term,
} from '../../../ui/index.ts'
import { LevelMark } from '../components/level-mark.tsx'

/** Shows the cost and return of each package, the rest of its ceiling, and the actual payments by month. */
export default function PackagesPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('packages'))
  return (
    <Page title={t('packages.title')} wide>
      <Loaded query={query} skeleton={<Skeleton className="h-118 rounded-12" />}>
        {(own) => (own.count === 0 ? <NoPackage /> : <Packages own={own} />)}
      </Loaded>
    </Page>
  )
}

const PPM = 1_000_000n

/** Returns a part as parts per million of a whole, truncated. */
function ppmOf(part: string, whole: string): number {
  const all = parseMicros(whole)
  return all === 0n ? 0 : Number((parseMicros(part) * PPM) / all)
}

function NoPackage() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="shop"
      title={t('packages.none')}
      action={
        <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
          {t('packages.toShop')}
        </PageLink>
      }
    />
  )
}

function Packages({ own }: { own: OwnPackages }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_328px] lg:items-start lg:gap-4">
      <div className="flex flex-col gap-4">
        <Together own={own} />
        {own.months.length > 0 && <Months own={own} />}
        {own.items.map((item) => (
          <PackageCard key={item.order_id} item={item} />
        ))}
        {own.count > own.items.length && (
          <p className="text-center text-12 text-muted">
            {t('packages.shown', { shown: own.items.length, count: own.count })}
          </p>
        )}
      </div>
      <div className="flex flex-col gap-4">
        <Notice>{t('packages.ceilingHint')}</Notice>
        <p className="px-1 text-12 text-muted">{t('packages.cutHint')}</p>
      </div>
    </div>
  )
}

function Together({ own: { sums, count } }: { own: OwnPackages }) {
  const { t } = useTranslation()
  const share = formatPpm(ppmOf(sums.static_paid, sums.price))
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <p className="text-14 text-muted">
          <Term name="static">{t('packages.staticOf', { count })}</Term>
        </p>
        <Money
          own
          amount={sums.static_paid}
          unit={t('packages.worth')}
          fit
          className="self-start font-semibold"
        />
        <Meter
          label={t('packages.static')}
          share={ppmOf(sums.static_paid, sums.ceiling) / Number(PPM)}
          text={t('packages.ofAtMost', {
            paid: formatOwn(sums.static_paid, TWO_DECIMALS),
            most: formatOwn(sums.ceiling, TWO_DECIMALS),
          })}
        />
        <p className="flex flex-wrap justify-between gap-x-4 text-12 text-muted">
          <span>{t('packages.atMost', { most: formatOwn(sums.ceiling, TWO_DECIMALS) })}</span>
          <Term name="ceiling">
            {t('packages.leftOf', { left: formatOwn(sums.ceiling_left, TWO_DECIMALS) })}
          </Term>
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-3 border-t border-line pt-4">
        <div>
          <dt className="text-12 text-muted">{t('packages.youPaid')}</dt>
          <dd className="text-20 font-semibold">{formatOwn(sums.price, TWO_DECIMALS)}</dd>
          {!isZero(sums.rif) && (
            <dd className="text-12 text-muted">
              {t('packages.andRif', { rif: formatOwn(sums.rif, TWO_DECIMALS) })}
            </dd>
          )}
        </div>
        <div>
          <dt className="text-12 text-muted">{t('packages.back')}</dt>
          <dd className="text-20 font-semibold">{share}</dd>
          <dd className="text-12 text-muted">
            {t('packages.partOf', {
              part: formatOwn(sums.static_paid, TWO_DECIMALS),
              whole: formatOwn(sums.price, TWO_DECIMALS),
            })}
          </dd>
        </div>
      </dl>
      <p className="text-12 text-muted">
        {t('packages.withoutTeam')}{' '}
        <PageLink
          to="/pages/rewardList/index"
          search={{ show: 'rewards' }}
          className="touch-line text-accent underline underline-offset-4"
        >
          {t('packages.allRewards')}
        </PageLink>
      </p>
    </Card>
  )
}

function Months({ own: { months } }: { own: OwnPackages }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const words = (month: OwnPackages['months'][number]) =>
    t('packages.month', {
      month: formatMonth(month.month),
      paid: formatOwn(month.paid, TWO_DECIMALS),
      due: formatOwn(month.due, TWO_DECIMALS),
    })
  const shown = months.find(({ month }) => month === chosen) ?? months.at(-1)!
  return (
    <Section title={t('packages.byMonth')}>
      <Card className="flex flex-col gap-3">
        <p className="text-14 text-muted">{words(shown)}</p>
        <BarChart
          label={t('packages.byMonth')}
          unit="USDT"
          bars={months.map((month) => ({
            key: month.month,
            text: words(month),
            parts: [
              { value: Number(month.paid), tone: 'accent' },
              { value: Number(month.due) - Number(month.paid), tone: 'muted' },
            ],
          }))}
          selected={chosen}
          onSelect={setChosen}
          from={formatMonth(months[0]!.month)}
          to={formatMonth(months.at(-1)!.month)}
        />
        <Legend
          items={[
            { tone: 'accent', label: t('packages.paid') },
            { tone: 'muted', label: t('packages.notPaid') },
          ]}
        />
        <ChartTable
          caption={t('packages.byMonth')}
          head={[t('packages.monthName'), t('packages.paid'), t('packages.due')]}
          rows={() =>
            months.map((month) => [
              formatMonth(month.month),
              formatOwn(month.paid, TWO_DECIMALS),
              formatOwn(month.due, TWO_DECIMALS),
            ])
          }
        />
        <p className="text-12 text-muted">{t('packages.notOwed')}</p>
      </Card>
    </Section>
  )
}

function PackageCard({ item }: { item: OwnPackage }) {
  const { t } = useTranslation()
  const { quote, last_30_days: recent, last_day: last } = item
  const ofAtMost = t('packages.ofAtMost', {
    paid: formatOwn(item.static_paid, TWO_DECIMALS),
    most: formatOwn(item.ceiling, TWO_DECIMALS),
  })
  const ofDue = ({ paid, due }: { paid: string; due: string }) =>
    t('packages.ofDue', { paid: formatOwn(paid, TWO_DECIMALS), due: formatOwn(due, TWO_DECIMALS) })
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <LevelMark level={item.level} />
        <div className="min-w-0 flex-1">
          <h2 className="text-16 font-semibold">{item.name}</h2>
          <p className="text-12 text-muted">
            {formatTime(item.bought_at)} · O-{item.order_id}
          </p>
        </div>
        <p className="text-right">
          <span className="block text-20 font-semibold">{formatOwn(quote.due, TWO_DECIMALS)}</span>
          <span className="text-12 text-muted">{t('packages.youPaidSmall')}</span>
        </p>
      </div>
      <p className="text-12 text-muted">
        {t('packages.paidWith', {
          usdt: formatOwn(quote.usdt, TWO_DECIMALS),
          amc: formatOwn(quote.amc, TWO_DECIMALS),
          price: formatPrice(item.amc_price),
        })}
        {!isZero(quote.rif) &&
          ` ${t('packages.rifTook', { rif: formatOwn(quote.rif, TWO_DECIMALS), off: formatOwn(quote.discount, TWO_DECIMALS) })}`}
      </p>
      <Meter
        label={t('packages.static')}
        share={ppmOf(item.static_paid, item.ceiling) / Number(PPM)}
        text={ofAtMost}
      />
      <Facts>
        <Fact label={t('packages.static')}>{ofAtMost}</Fact>
        <Fact label={t('packages.left')}>
          <Money own amount={item.ceiling_left} unit="USDT" />
        </Fact>
        <Fact label={t('packages.last30')}>
          {ofDue(recent)}
          {recent.days < 30 && `, ${t('packages.days', { count: recent.days })}`}
        </Fact>
        {last !== null && (
          <Fact label={t('packages.forDay', { day: formatDay(last.day) })}>{ofDue(last)}</Fact>
        )}
      </Facts>
      <p className="flex flex-wrap justify-between gap-3 text-14 font-medium text-accent">
        <PageLink
          to="/pages/shop/shopOrderDetail"
          search={{ order_id: item.order_id }}
          className="inline-flex min-h-11 items-center"
        >
          {t('packages.receipt')}
        </PageLink>
        <PageLink
          to="/pages/rewardList/index"
          search={{ type: 'Interest' }}
          className="inline-flex min-h-11 items-center"
        >
          {t('packages.itsRewards')}
        </PageLink>
      </p>
    </Card>
  )
}
