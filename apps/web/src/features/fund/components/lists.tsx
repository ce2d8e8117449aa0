import type { FundOrder, FundRedemption } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiList, formatMonth, PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, EmptyState, Section, TableList, type TableListProps } from '../../../ui/index.ts'
import { isRedemptionUnderWay } from '../fund-view.ts'
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
  return (
    <Orders
      query={useOrders('Purchased').query}
      label={t('fund.my.tab.Purchased')}
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
    to={isRedemptionUnderWay(order) ? '/pages/found/newOrderDetail' : '/pages/found/order_detail'}
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
  const soldOut = useOrders('Redeemed')
  return (
    <>
      <Redemptions
        tab="Redeemed"
        label={t('fund.my.tab.Redeemed')}
        empty={
          <EmptyState
            icon="withdraw"
            title={t('fund.my.noneRedeemed')}
            hint={t('fund.my.noneRedeemedHint')}
            action={<ToProducts onProducts={onProducts} />}
          />
        }
      />
      {soldOut.hasItems && (
        <Section
          title={t('fund.my.soldOut')}
          aside={<PageLink to="/pages/found/recordList">{t('fund.my.allRecords')}</PageLink>}
        >
          <Orders query={soldOut.query} label={t('fund.my.soldOut')} empty={null} />
        </Section>
      )}
    </>
  )
}

/** Payments that are not final, and redemptions that have not arrived. */
export function PendingTab({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  const payments = useOrders('Pending')
  const label = t('fund.my.openRedemptions')
  if (!payments.hasItems)
    return (
      <Redemptions
        tab="Pending"
        label={label}
        empty={
          <EmptyState
            icon="clock"
            title={t('fund.my.nonePending')}
            hint={t('fund.my.nonePendingHint')}
            action={<ToProducts onProducts={onProducts} />}
          />
        }
      />
    )
  return (
    <>
      <Section title={t('fund.my.openPayments')}>
        <Orders query={payments.query} label={t('fund.my.openPayments')} empty={null} />
      </Section>
      <Section title={label}>
        <Redemptions
          tab="Pending"
          label={label}
          empty={<p className="px-1 text-14 text-muted">{t('fund.my.noRedemptions')}</p>}
        />
      </Section>
    </>
  )
}

/** The purchases in a state, and whether there are any. */
function useOrders(tab: 'Redeemed' | 'Pending' | 'Purchased') {
  const query = useInfiniteQuery(apiList('fundOrders', { query: { tab } }))
  return { query, hasItems: query.data?.pages.some(({ items }) => items.length > 0) === true }
}

type ListPart<Item> = Pick<TableListProps<Item>, 'label' | 'empty'>

function Orders(list: ListPart<FundOrder> & Pick<TableListProps<FundOrder>, 'query'>) {
  return (
    <TableList
      {...list}
      keyOf={(order) => order.order_id}
      columns={useOrderColumns()}
      line={orderLine}
      render={(order) => <OrderRow order={order} />}
    />
  )
}

function Redemptions({ tab, ...list }: ListPart<FundRedemption> & { tab: 'Redeemed' | 'Pending' }) {
  return (
    <TableList
      {...list}
      query={useInfiniteQuery(apiList('fundRedemptions', { query: { tab } }))}
      keyOf={(redemption) => redemption.redemption_id}
      columns={useRedemptionColumns()}
      line={redemptionLine}
      render={(redemption) => <RedemptionRow redemption={redemption} />}
    />
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
