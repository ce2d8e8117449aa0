import type { FundHolding, FundHoldings } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { apiQuery, redirectTo, switchTab, useTranslation } from '../../../lib/index.ts'
import {
  Card,
  ErrorState,
  Fact,
  Facts,
  LinkRow,
  ListSkeleton,
  Money,
  Section,
  Segmented,
} from '../../../ui/index.ts'
import { useIsMember } from '../queries.ts'
import { Gain } from './gain.tsx'
import { HoldingCard } from './holding-card.tsx'
import { SignInInvitation } from './sign-in-invitation.tsx'
import { AgentTab, PendingTab, PurchasedTab, RedeemedTab, type TabListProps } from './tab-lists.tsx'

const TABS = ['Purchased', 'Redeemed', 'Pending', 'Agent'] as const
const LISTS: Record<(typeof TABS)[number], ComponentType<TabListProps>> = {
  Purchased: PurchasedTab,
  Redeemed: RedeemedTab,
  Pending: PendingTab,
  Agent: AgentTab,
}

export interface MyPanelProps extends TabListProps {
  /** The page it stands in: the chosen list stands in its address. */
  path: '/pages/found/home' | '/pages/found/my'
}

/** What do I hold: sums, products, and the lists Purchased, Redeemed, Pending and Agent. */
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
      {query.isPending ? (
        <ListSkeleton rows={2} />
      ) : query.data === undefined ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : (
        <>
          <Sums holdings={query.data} />
          <Products items={query.data.items} />
        </>
      )}
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
        <Fact label={t('fund.my.cost')}>
          <Money amount={holdings.cost} unit="USDT" />
        </Fact>
        <Fact label={t('fund.my.redeemed')}>
          <Money amount={holdings.redeemed} unit="USDT" />
        </Fact>
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
