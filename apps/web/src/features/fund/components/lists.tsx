import type { FundOrder, FundRedemption } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiList, apiQuery, formatMonth, PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, Card, EmptyState, Section, TableList } from '../../../ui/index.ts'
import { isUnderWay } from '../fund-view.ts'
import {
  IncomeRow,
  OrderRow,
  RedemptionRow,
  useIncomeColumns,
  useOrderColumns,
  useRedemptionColumns,
} from './rows.tsx'

export interface TabListProps {
  /** Leads to what can be bought. */
  onProducts: () => void
}

/** Purchases that are held. */
export function PurchasedTab({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundOrders', { query: { tab: 'Purchased' } }))
  return (
    <TableList
      query={query}
      label={t('fund.my.tab.Purchased')}
      keyOf={(order) => order.order_id}
      columns={useOrderColumns()}
      line={orderLine}
      render={(order) => <OrderRow order={order} />}
      empty={
        <EmptyState
          icon="fund"
          title={t('fund.my.nothingHeld')}
          hint={t('fund.my.nothingHeldHint')}
          action={<ToProducts onProducts={onProducts} />}
        />
      }
    />
  )
}

function ToProducts({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  return (
    <Button variant="secondary" onClick={onProducts}>
      {t('fund.my.toProducts')}
    </Button>
  )
}

const orderLine = (order: FundOrder, look: string, cells: ReactNode) => (
  <PageLink
    to={isUnderWay(order) ? '/pages/found/newOrderDetail' : '/pages/found/order_detail'}
    search={{ order_id: order.order_id }}
    className={look}
  >
    {cells}
  </PageLink>
)

const redemptionLine = ({ redemption_id }: FundRedemption, look: string, cells: ReactNode) => (
  <PageLink to="/pages/found/redemption_success" search={{ redemption_id }} className={look}>
    {cells}
  </PageLink>
)

/** Redemptions that arrived, and purchases of which nothing is left. */
export function RedeemedTab({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  const redemptions = useInfiniteQuery(apiList('fundRedemptions', { query: { tab: 'Redeemed' } }))
  const orders = useQuery(apiQuery('fundOrders', { query: { tab: 'Redeemed' } }))
  const soldOut = orders.data?.items ?? []
  return (
    <>
      <TableList
        query={redemptions}
        label={t('fund.my.tab.Redeemed')}
        keyOf={(redemption) => redemption.redemption_id}
        columns={useRedemptionColumns()}
        line={redemptionLine}
        render={(redemption) => <RedemptionRow redemption={redemption} />}
        empty={
          <EmptyState
            icon="withdraw"
            title={t('fund.my.noneRedeemed')}
            hint={t('fund.my.noneRedeemedHint')}
            action={<ToProducts onProducts={onProducts} />}
          />
        }
      />
      {soldOut.length > 0 && (
        <Section title={t('fund.my.soldOut')} aside={<ToRecords />}>
          <Orders items={soldOut} />
        </Section>
      )}
    </>
  )
}

function Orders({ items }: { items: readonly FundOrder[] }) {
  return (
    <Card className="divide-y divide-line py-1">
      {items.map((order) => (
        <OrderRow key={order.order_id} order={order} />
      ))}
    </Card>
  )
}

function ToRecords() {
  const { t } = useTranslation()
  return <PageLink to="/pages/found/recordList">{t('fund.my.allRecords')}</PageLink>
}

/** Payments that are not final, and redemptions that have not arrived. */
export function PendingTab({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  const orders = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending' } })).data?.items ?? []
  const redemptions = useInfiniteQuery(apiList('fundRedemptions', { query: { tab: 'Pending' } }))
  const columns = useRedemptionColumns()
  const hasOrders = orders.length > 0
  const list = (
    <TableList
      query={redemptions}
      label={t('fund.my.openRedemptions')}
      keyOf={(redemption) => redemption.redemption_id}
      columns={columns}
      line={redemptionLine}
      render={(redemption) => <RedemptionRow redemption={redemption} />}
      empty={
        hasOrders ? null : (
          <EmptyState
            icon="clock"
            title={t('fund.my.nonePending')}
            hint={t('fund.my.nonePendingHint')}
            action={<ToProducts onProducts={onProducts} />}
          />
        )
      }
    />
  )
  if (!hasOrders) return list
  return (
    <>
      <Section title={t('fund.my.openPayments')}>
        <Orders items={orders} />
      </Section>
      {redemptions.data?.pages[0]?.items.length === 0 ? (
        list
      ) : (
        <Section title={t('fund.my.openRedemptions')}>{list}</Section>
      )}
    </>
  )
}

/** The agent line's share of management fees. */
export function AgentTab() {
  const { t } = useTranslation()
  return <IncomeList label={t('fund.my.tab.Agent')} />
}

/** Every share of a management fee, by month, newest first. */
export function IncomeList({ label }: { label: string }) {
  const query = useInfiniteQuery(apiList('fundIncomeList', { query: {} }))
  return (
    <TableList
      query={query}
      label={label}
      keyOf={(item) => item.income_id}
      columns={useIncomeColumns()}
      groupOf={(item) => formatMonth(item.at.slice(0, MONTH_LENGTH))}
      render={(item) => <IncomeRow item={item} />}
      empty={<NoIncome />}
    />
  )
}

const MONTH_LENGTH = '2026-01'.length

/** No fund income yet, and how it comes. */
export function NoIncome() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="invite"
      title={t('fund.income.empty')}
      hint={t('fund.income.emptyHint')}
      next={{ to: '/pages/my/invite/index', label: t('fund.income.invite') }}
    />
  )
}
