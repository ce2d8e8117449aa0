import type { FundIncome, FundProduct } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatDate,
  formatPpm,
  formatPrice,
  isZero,
  PageLink,
  switchTab,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  Facts,
  Icon,
  ListSkeleton,
  Loaded,
  Money,
  MoneyFact,
  Page,
  RiskNotice,
  Section,
  Skeleton,
  Sparkline,
  SwipeTabs,
  TokenMark,
} from '../../../ui/index.ts'
import { FUND_TABS, type FundTabIndex, keepFundTab, readFundTab } from '../fund-view.ts'
import { ProductState, Returns, RiskPill, SignInInvitation, useIsMember } from './parts.tsx'
import { IncomeRow } from './rows.tsx'

const MyPanel = lazy(() => import('./my-panel.tsx'))

interface FundTabsProps {
  /** The tab of a page that stands for one; without it the page is the tab bar's, and the last selected tab counts. */
  only?: FundTabIndex
}

/** The fund's three tabs. The page of the tab bar shows a tab that is not the page's own. */
export function FundTabs({ only }: FundTabsProps) {
  const { t } = useTranslation()
  const [index, setIndex] = useState(() => only ?? readFundTab())
  useEffect(() => keepFundTab(index), [index])
  const select = (next: number) => {
    keepFundTab(next as FundTabIndex)
    if (only === undefined) setIndex(next as FundTabIndex)
    else switchTab('/pages/found/home')
  }
  return (
    <Page wide title={t('fund.title')} back={only !== undefined}>
      <SwipeTabs
        label={t('fund.title')}
        tabs={FUND_TABS.map((name) => t(`fund.tab.${name}`))}
        index={index}
        onChange={select}
      >
        {index === 0 && <HomePanel />}
        {index === 1 && (
          <Suspense fallback={<ListSkeleton />}>
            <MyPanel
              path={only === undefined ? '/pages/found/home' : '/pages/found/my'}
              onProducts={() => select(0)}
            />
          </Suspense>
        )}
        {index === 2 && <IncomePanel />}
      </SwipeTabs>
    </Page>
  )
}

/** The products, open to visitors. */
function HomePanel() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundProducts'))
  if (query.isPending) return <ProductsSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const { items } = query.data
  if (items.length === 0)
    return (
      <EmptyState
        icon="fund"
        title={t('fund.empty')}
        hint={t('fund.emptyHint')}
        next={{ to: '/pages/my/risk', label: t('fund.readRisk') }}
      />
    )
  return (
    <>
      <RiskNotice title={t('fund.risk.title')} text={t('fund.risk.text')} />
      <section
        aria-label={t('fund.products')}
        className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2"
      >
        {items.map((product) => (
          <ProductCard key={product.product_id} product={product} />
        ))}
      </section>
    </>
  )
}

function ProductsSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="flex flex-col gap-4">
      <Skeleton className="h-32 rounded-16 lg:h-24" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-72 rounded-16" />
        <Skeleton className="h-72 rounded-16" />
      </div>
    </div>
  )
}

const SHOWN_DAYS = 366

/** A product in brief: its risk, the actual change of its NAV beside the estimate, and a link to its page. */
function ProductCard({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const { product_id, nav, minimum_usd, lock_days } = product
  return (
    <article aria-label={product.name} className="rounded-16 bg-card">
      <PageLink
        to="/pages/found/productDetail"
        search={{ product_id }}
        className="flex h-full flex-col gap-4 rounded-16 p-4 hover:opacity-90"
      >
        <span className="flex items-start gap-3">
          <TokenMark token="fund" />
          <span className="min-w-0 flex-1">
            <span className="block text-16 font-semibold">{product.name}</span>
            <span className="mt-2 flex flex-wrap gap-2">
              <RiskPill level={product.risk_level} />
              <ProductState product={product} />
            </span>
          </span>
          <span className="shrink-0 text-right">
            <span className="block text-20 font-semibold">
              {nav === null ? '–' : formatPrice(nav)}
              <span className="ml-1 text-12 font-medium text-muted">USDT</span>
            </span>
            <span className="block text-12 text-muted">{t('fund.product.nav')}</span>
          </span>
        </span>
        <History productId={product_id} />
        <Returns product={product} />
        <span className="flex items-center justify-between gap-3 text-12 text-muted">
          <span>
            {t('fund.product.terms', {
              minimum: formatAmount(minimum_usd, { min: 0, max: 2 }),
              days: lock_days,
            })}
          </span>
          <Icon name="forward" size={16} />
        </span>
      </PageLink>
    </article>
  )
}

function History({ productId }: { productId: string }) {
  const query = useQuery(
    apiQuery('fundNavs', { params: { product_id: productId }, query: { days: SHOWN_DAYS } }),
  )
  if (query.isPending) return <Skeleton className="h-17" />
  const items = query.data?.items ?? []
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined || items.length < 2) return null
  return (
    <span className="flex flex-col gap-1">
      {/* Only the height of a point: money itself is never converted to a number. */}
      <Sparkline values={items.map(({ nav }) => Number(nav))} />
      <span className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
        {[first, last].map(({ nav, published_at }) => (
          <span key={published_at}>
            {formatDate(published_at)} · {formatPrice(nav)}
          </span>
        ))}
      </span>
    </span>
  )
}

/** The income from the member's line and its balance. */
function IncomePanel() {
  return useIsMember() ? <Income /> : <SignInInvitation />
}

function Income() {
  const query = useQuery(apiQuery('fundIncome'))
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
      {(income) => (isZero(income.total) ? <NoIncomeYet income={income} /> : <Earned income={income} />)}
    </Loaded>
  )
}

/** The initial zero, how it grows, and the next step. */
function NoIncomeYet({ income }: { income: FundIncome }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <IncomeBalance balance={income.balance} />
      <p className="text-14">{t('fund.income.about', { share: formatPpm(income.share_ppm) })}</p>
      <PageLink to="/pages/my/invite/index" className={`${buttonClass('secondary')} lg:self-start`}>
        {t('fund.income.invite')}
      </PageLink>
    </Card>
  )
}

function IncomeBalance({ balance }: { balance: string }) {
  const { t } = useTranslation()
  return (
    <div>
      <p className="text-14 text-muted">{t('fund.income.balance')}</p>
      <Money amount={balance} unit="USDT" fit className="font-display font-semibold" />
    </div>
  )
}

function Earned({ income }: { income: FundIncome }) {
  if (useIsWide())
    return (
      <Columns side={<Sums income={income} />}>
        <Latest />
      </Columns>
    )
  return (
    <>
      <Sums income={income} />
      <Latest />
    </>
  )
}

function Sums({ income }: { income: FundIncome }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <IncomeBalance balance={income.balance} />
      <Facts>
        <MoneyFact label={t('fund.income.thisMonth')} amount={income.this_month} unit="USDT" />
        <MoneyFact label={t('fund.income.lastMonth')} amount={income.last_month} unit="USDT" />
        <MoneyFact label={t('fund.income.total')} amount={income.total} unit="USDT" />
        <MoneyFact label={t('fund.income.moved')} amount={income.moved} unit="USDT" />
      </Facts>
      {!isZero(income.balance) && (
        <PageLink to="/pages/found/foundIncome/withdrawal" className={buttonClass('primary', true)}>
          {t('fund.income.move')}
        </PageLink>
      )}
      <p className="text-12 text-muted">{t('fund.income.about', { share: formatPpm(income.share_ppm) })}</p>
    </Card>
  )
}

const LATEST = 5

function Latest() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundIncomeList', { query: { limit: LATEST } }))
  return (
    <Section
      title={t('fund.income.latest')}
      aside={<PageLink to="/pages/found/foundIncome/incomeList">{t('fund.income.all')}</PageLink>}
    >
      <Loaded query={query} skeleton={<ListSkeleton rows={2} joined />}>
        {({ items }) => (
          <Card className="divide-y divide-line py-1">
            {items.map((item) => (
              <IncomeRow key={item.income_id} item={item} />
            ))}
          </Card>
        )}
      </Loaded>
    </Section>
  )
}
