import type { RouteData } from '@rif/api-schema'
import { dayOf, formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatDay,
  formatOwn,
  PageLink,
  type Translate,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Card,
  CardSection,
  Columns,
  EmptyState,
  Facts,
  Icon,
  ListSkeleton,
  Loaded,
  Meter,
  Money,
  MoneyFact,
  Notice,
  NoticeLink,
  Page,
  Segmented,
  Skeleton,
} from '../../../ui/index.ts'

const RANGES = ['30', '90', '365'] as const

/**
 * Shows the amounts due and paid for each kind of reward over some days, beside the sum and an explanation of
 * both terms.
 */
export default function RewardTypesPage() {
  const { t } = useTranslation()
  const [days, setDays] = useState<(typeof RANGES)[number]>('30')
  const query = useQuery(apiQuery('profitType', { query: rangeOf(Number(days)) }))
  return (
    <Page wide title={t('types.title')}>
      <Segmented
        label={t('types.range')}
        options={RANGES.map((value) => ({ value, label: t('types.days', { count: Number(value) }) }))}
        value={days}
        onChange={setDays}
      />
      <Loaded query={query} skeleton={<TypesSkeleton />}>
        {({ items, from, to }) => (
          <Columns
            side={
              <>
                {items.length > 0 && <SumCard items={items} />}
                <Notice
                  action={<NoticeLink to="/pages/rewardList/coverage">{t('areas.coverage')}</NoticeLink>}
                >
                  {t('types.about')}
                </Notice>
              </>
            }
          >
            <p className="px-1 text-12 text-muted">
              {t('types.period', { from: formatDay(from), to: formatDay(to) })}
            </p>
            {items.length === 0 ? (
              <EmptyState
                icon="activity"
                title={t('types.none')}
                next={{ to: '/pages/shop/index', label: t('home.toShop') }}
              />
            ) : (
              <Card className="divide-y divide-line py-1">
                {items.map((item) => (
                  <TypeRow key={item.type} item={item} />
                ))}
              </Card>
            )}
          </Columns>
        )}
      </Loaded>
    </Page>
  )
}

function TypesSkeleton() {
  return (
    <Columns side={<Skeleton className="h-48 rounded-16" />}>
      <ListSkeleton rows={5} joined />
    </Columns>
  )
}

type Kind = RouteData<'profitType'>['items'][number]

/** A kind of reward: paid within due, in which assets, how many, and the way to them. */
function TypeRow({ item }: { item: Kind }) {
  const { t } = useTranslation()
  const { type, paid, value, usdt, amc, count } = item
  const ofDue = ofDueText(t, paid, value)
  return (
    <PageLink
      to="/pages/rewardList/index"
      search={{ type }}
      className="grid min-h-16 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-3 lg:-mx-4 lg:px-4 lg:hover:bg-sunken"
    >
      <span className="grid gap-x-6 gap-y-2 xl:grid-cols-[1fr_1.2fr] xl:items-center">
        <span>
          <span className="block text-16 font-medium">{t(`rewards.type.${type}`)}</span>
          <span className="block text-13 text-muted">
            {t('types.counted', { count })} · {formatOwn(usdt, TWO_DECIMALS)} USDT +{' '}
            {formatOwn(amc, TWO_DECIMALS)} AMC
          </span>
        </span>
        <span className="flex flex-col gap-1.5">
          <Meter label={t('types.paid')} share={shareOf(paid, value)} text={ofDue} />
          <span className="text-13 text-muted xl:text-right">{ofDue}</span>
        </span>
      </span>
      <Icon name="forward" size={16} className="text-muted" />
    </PageLink>
  )
}

/** Sums all kinds: what was due and what of it was paid. */
function SumCard({ items }: { items: readonly Kind[] }) {
  const { t } = useTranslation()
  const sum = (amounts: readonly string[]) =>
    formatMicros(amounts.reduce((all, amount) => all + parseMicros(amount), 0n))
  const paid = sum(items.map((item) => item.paid))
  const due = sum(items.map((item) => item.value))
  return (
    <CardSection title={t('types.sum')}>
      <div className="flex flex-col gap-3">
        <p className="font-display font-semibold">
          <Money own amount={paid} unit="USDT" fit />
        </p>
        <Meter label={t('types.paid')} share={shareOf(paid, due)} text={ofDueText(t, paid, due)} />
        <Facts>
          <MoneyFact own label={t('savings.interest.due')} amount={due} unit="USDT" />
          <MoneyFact own label={t('types.inUsdt')} amount={sum(items.map(({ usdt }) => usdt))} unit="USDT" />
          <MoneyFact own label={t('types.inAmc')} amount={sum(items.map(({ amc }) => amc))} unit="AMC" />
        </Facts>
      </div>
    </CardSection>
  )
}

const ofDueText = (t: Translate, paid: string, due: string) =>
  t('packages.ofDue', { paid: formatOwn(paid, TWO_DECIMALS), due: formatOwn(due, TWO_DECIMALS) })

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
