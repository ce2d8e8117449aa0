import type { FundHolding, FundHoldings } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import {
  apiQuery,
  cx,
  formatDay,
  formatOwn,
  formatPrice,
  PageLink,
  redirectTo,
  switchTab,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Columns,
  Fact,
  Facts,
  InCurrency,
  LinkRow,
  Loaded,
  Money,
  MoneyFact,
  Pill,
  Section,
  Segmented,
  Skeleton,
  Stat,
  TokenMark,
} from '../../../ui/index.ts'
import { AgentTab, PendingTab, PurchasedTab, RedeemedTab, type TabListProps } from './lists.tsx'
import { formatUnits, Gain, RedeemableFacts, SignInInvitation, useIsMember, useUnits } from './parts.tsx'

const TABS = ['Purchased', 'Redeemed', 'Pending', 'Agent'] as const
const LISTS: Record<(typeof TABS)[number], ComponentType<TabListProps>> = {
  Purchased: PurchasedTab,
  Redeemed: RedeemedTab,
  Pending: PendingTab,
  Agent: AgentTab,
}

interface MyPanelProps extends TabListProps {
  /** The page that contains it; the chosen list is part of its URL. */
  path: '/pages/found/home' | '/pages/found/my'
}

/** The member's holdings: sums, products, and the lists Purchased, Redeemed, Pending and Agent. */
export default function MyPanel(props: MyPanelProps) {
  return useIsMember() ? <Holdings {...props} /> : <SignInInvitation />
}

function Holdings({ path, onProducts }: MyPanelProps) {
  const { t } = useTranslation()
  const { tab = 'Purchased' } = useSearch({ from: path })
  const query = useQuery(apiQuery('fundHoldings'))
  const List = LISTS[tab]
  const isWide = useIsWide()
  const choose = (next: (typeof TABS)[number]) =>
    path === '/pages/found/my' ? redirectTo(path, { tab: next }) : switchTab(path, { tab: next })
  const sums = (
    <Loaded query={query} skeleton={<Skeleton className="h-44 rounded-16" />}>
      {(data) => <Sums holdings={data} />}
    </Loaded>
  )
  const products =
    query.data === undefined ? (
      query.isPending && <Skeleton className="h-56 rounded-16" />
    ) : (
      <Products items={query.data.items} />
    )
  const links = (
    <Card className="divide-y divide-line py-1">
      <LinkRow to="/pages/found/month_list" icon="doc" title={t('fund.bills.title')} />
      <LinkRow to="/pages/found/recordList" icon="list" title={t('fund.records.title')} />
      <LinkRow to="/pages/found/transtionList" icon="transfer" title={t('fund.transactions.title')} />
    </Card>
  )
  const lists = (
    <>
      <Segmented
        label={t('fund.my.lists')}
        options={TABS.map((value) => ({ value, label: t(`fund.my.tab.${value}`) }))}
        value={tab}
        onChange={choose}
      />
      <List onProducts={onProducts} />
    </>
  )
  if (isWide)
    return (
      <>
        <Columns
          side={
            <>
              {sums}
              {links}
            </>
          }
        >
          {products}
        </Columns>
        {lists}
      </>
    )
  return (
    <>
      {sums}
      {products}
      {links}
      {lists}
    </>
  )
}

function Sums({ holdings }: { holdings: FundHoldings }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('fund.my.marketValue')}</p>
        <Money own amount={holdings.market_value} unit="USDT" fit className="font-display font-semibold" />
        <InCurrency tap amount={holdings.market_value} className="text-14 text-muted" />
      </div>
      <Facts>
        <MoneyFact own label={t('fund.my.cost')} amount={holdings.cost} unit="USDT" />
        <Fact label={t('fund.my.profit')}>
          <Gain own amount={holdings.profit} />
        </Fact>
        <MoneyFact own label={t('fund.my.redeemed')} amount={holdings.redeemed} unit="USDT" />
      </Facts>
    </Card>
  )
}

function Products({ items }: { items: readonly FundHolding[] }) {
  const { t } = useTranslation()
  if (items.length === 0) return null
  return (
    <Section title={t('fund.my.products')}>
      <div className={cx('grid gap-3 lg:gap-4', items.length > 1 && 'min-[1400px]:grid-cols-2')}>
        {items.map((holding) => (
          <HoldingCard key={holding.product_id} holding={holding} />
        ))}
      </div>
    </Section>
  )
}

interface HoldingCardProps {
  holding: FundHolding
  /** Without the links to redeem and to the product. */
  isPlain?: boolean
}

/** All units of a product that a member holds: worth, profit, redeemable units and dates. */
export function HoldingCard({ holding, isPlain = false }: HoldingCardProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const { product_id, nav } = holding
  return (
    <Card>
      <article aria-label={holding.product_name} className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <TokenMark token="fund" />
          <div className="min-w-0 flex-1">
            <p className="break-words text-16 font-semibold">{holding.product_name}</p>
            <p className="text-13 text-muted">{units(holding.units)}</p>
          </div>
          {holding.nav_stale && <Pill tone="warn">{t('fund.stale.pill')}</Pill>}
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Stat
            label={t('fund.my.marketValue')}
            value={<Money own amount={holding.market_value} unit="USDT" />}
            hint={
              nav !== null &&
              t('fund.my.unitsTimes', { units: formatUnits(holding.units), nav: formatPrice(nav) })
            }
          />
          <Stat
            label={t('fund.my.profit')}
            value={<Gain own amount={holding.profit} />}
            hint={t('fund.my.paidFor', { cost: formatOwn(holding.cost) })}
          />
        </div>
        <Facts>
          {holding.units_redeeming !== '0' && (
            <Fact label={t('fund.order.unitsRedeeming')}>{units(holding.units_redeeming)}</Fact>
          )}
          <RedeemableFacts holding={holding} />
          {holding.units_redeemable !== '0' && (
            <Fact label={t('fund.product.nextRedeemable')}>{formatDay(holding.next_redeemable_day)}</Fact>
          )}
        </Facts>
        {!isPlain && (
          <div className="grid gap-3 min-[360px]:grid-cols-2">
            <PageLink
              to="/pages/found/redemption"
              search={{ product_id }}
              className={buttonClass('secondary', true)}
            >
              {t('fund.redeem.button')}
            </PageLink>
            <PageLink
              to="/pages/found/productDetail"
              search={{ product_id }}
              className={buttonClass('quiet', true)}
            >
              {t('fund.my.toProduct')}
            </PageLink>
          </div>
        )}
      </article>
    </Card>
  )
}
