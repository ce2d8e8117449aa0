import type { FundHolding, FundHoldings } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { apiQuery, PageLink, redirectTo, switchTab, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Fact,
  Facts,
  LinkRow,
  ListSkeleton,
  Loaded,
  Money,
  MoneyFact,
  Pill,
  Section,
  Segmented,
} from '../../../ui/index.ts'
import { AgentTab, PendingTab, PurchasedTab, RedeemedTab, type TabListProps } from './lists.tsx'
import { Gain, RedeemableFacts, SignInInvitation, useIsMember, useUnits } from './parts.tsx'

const TABS = ['Purchased', 'Redeemed', 'Pending', 'Agent'] as const
const LISTS: Record<(typeof TABS)[number], ComponentType<TabListProps>> = {
  Purchased: PurchasedTab,
  Redeemed: RedeemedTab,
  Pending: PendingTab,
  Agent: AgentTab,
}

interface MyPanelProps extends TabListProps {
  /** The page it stands in: the chosen list stands in its address. */
  path: '/pages/found/home' | '/pages/found/my'
}

/** The member's holdings: sums, products, and the lists Purchased, Redeemed, Pending and Agent. */
export function MyPanel(props: MyPanelProps) {
  return useIsMember() ? <Holdings {...props} /> : <SignInInvitation />
}

function Holdings({ path, onProducts }: MyPanelProps) {
  const { t } = useTranslation()
  const { tab = 'Purchased' } = useSearch({ from: path })
  const query = useQuery(apiQuery('fundHoldings'))
  const List = LISTS[tab]
  const choose = (next: (typeof TABS)[number]) =>
    path === '/pages/found/my' ? redirectTo(path, { tab: next }) : switchTab(path, { tab: next })
  return (
    <>
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />}>
        {(data) => (
          <>
            <Sums holdings={data} />
            <Products items={data.items} />
          </>
        )}
      </Loaded>
      <Card className="divide-y divide-line py-1">
        <LinkRow to="/pages/found/month_list" icon="doc" title={t('fund.bills.title')} />
        <LinkRow to="/pages/found/recordList" icon="list" title={t('fund.records.title')} />
        <LinkRow to="/pages/found/transtionList" icon="transfer" title={t('fund.transactions.title')} />
      </Card>
      <Segmented
        label={t('fund.my.lists')}
        options={TABS.map((value) => ({ value, label: t(`fund.my.tab.${value}`) }))}
        value={tab}
        onChange={choose}
      />
      <List onProducts={onProducts} />
    </>
  )
}

function Sums({ holdings }: { holdings: FundHoldings }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('fund.my.marketValue')}</p>
        <Money amount={holdings.market_value} unit="USDT" className="text-28 font-semibold" />
      </div>
      <Facts>
        <Fact label={t('fund.my.profit')}>
          <Gain amount={holdings.profit} />
        </Fact>
        <MoneyFact label={t('fund.my.cost')} amount={holdings.cost} unit="USDT" />
        <MoneyFact label={t('fund.my.redeemed')} amount={holdings.redeemed} unit="USDT" />
      </Facts>
    </Card>
  )
}

function Products({ items }: { items: readonly FundHolding[] }) {
  const { t } = useTranslation()
  if (items.length === 0) return null
  return (
    <Section title={t('fund.my.products')}>
      {items.map((holding) => (
        <HoldingCard key={holding.product_id} holding={holding} />
      ))}
    </Section>
  )
}

interface HoldingCardProps {
  holding: FundHolding
  /** Without the ways to redeem and to the product. */
  isPlain?: boolean
}

/** All units of a product that a member holds: worth, profit, what can be redeemed and when. */
export function HoldingCard({ holding, isPlain = false }: HoldingCardProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const { product_id, nav } = holding
  return (
    <Card>
      <article aria-label={holding.product_name} className="flex flex-col gap-4">
        <div className="flex items-start justify-between gap-3">
          <p className="min-w-0 text-16 font-semibold">{holding.product_name}</p>
          {holding.nav_stale && <Pill tone="warn">{t('fund.stale.pill')}</Pill>}
        </div>
        <Facts>
          <MoneyFact
            label={t('fund.my.marketValue')}
            amount={holding.market_value}
            unit="USDT"
            className="font-semibold"
          />
          <Fact label={t('fund.my.profit')}>
            <Gain amount={holding.profit} />
          </Fact>
          <Fact label={t('fund.order.currentNav')}>
            {nav === null ? '–' : <Money price amount={nav} unit="USDT" />}
          </Fact>
          <Fact label={t('fund.order.units')}>{units(holding.units)}</Fact>
          {holding.units_redeeming !== '0' && (
            <Fact label={t('fund.order.unitsRedeeming')}>{units(holding.units_redeeming)}</Fact>
          )}
          <RedeemableFacts holding={holding} />
          {holding.units_redeemable !== '0' && (
            <Fact label={t('fund.product.nextRedeemable')}>{holding.next_redeemable_day}</Fact>
          )}
        </Facts>
        {!isPlain && (
          <div className="flex flex-wrap gap-3">
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
              className={`${buttonClass('quiet')} shrink-0 whitespace-nowrap`}
            >
              {t('fund.my.toProduct')}
            </PageLink>
          </div>
        )}
      </article>
    </Card>
  )
}
