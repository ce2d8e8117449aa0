import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { apiList, apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, buttonClass, EmptyState, InfiniteList, Section } from '../../../ui/index.ts'
import { IncomeRow, OrderRow, RedemptionRow } from './rows.tsx'

export interface TabListProps {
  /** Leads to what can be bought. */
  onProducts: () => void
}

/** Purchases that are held. */
export function PurchasedTab({ onProducts }: TabListProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundOrders', { query: { tab: 'Purchased' } }))
  return (
    <InfiniteList
      query={query}
      label={t('fund.my.tab.Purchased')}
      keyOf={(order) => order.order_id}
      render={(order) => <OrderRow order={order} />}
      empty={
        <EmptyState
          icon="fund"
          title={t('fund.my.nothingHeld')}
          hint={t('fund.my.nothingHeldHint')}
          action={
            <Button variant="secondary" onClick={onProducts}>
              {t('fund.my.toProducts')}
            </Button>
          }
        />
      }
    />
  )
}

/** Redemptions that arrived, and purchases of which nothing is left. */
export function RedeemedTab() {
  const { t } = useTranslation()
  const redemptions = useInfiniteQuery(apiList('fundRedemptions', { query: { tab: 'Redeemed' } }))
  const orders = useQuery(apiQuery('fundOrders', { query: { tab: 'Redeemed' } }))
  const soldOut = orders.data?.items ?? []
  return (
    <>
      <InfiniteList
        query={redemptions}
        label={t('fund.my.tab.Redeemed')}
        keyOf={(redemption) => redemption.redemption_id}
        render={(redemption) => <RedemptionRow redemption={redemption} />}
        empty={
          <EmptyState
            icon="withdraw"
            title={t('fund.my.noneRedeemed')}
            hint={t('fund.my.noneRedeemedHint')}
          />
        }
      />
      {soldOut.length > 0 && (
        <Section title={t('fund.my.soldOut')} aside={<ToRecords />}>
          {soldOut.map((order) => (
            <OrderRow key={order.order_id} order={order} />
          ))}
        </Section>
      )}
    </>
  )
}

function ToRecords() {
  const { t } = useTranslation()
  return <PageLink to="/pages/found/recordList">{t('fund.my.allRecords')}</PageLink>
}

/** Payments that are not final, and redemptions that have not arrived. */
export function PendingTab() {
  const { t } = useTranslation()
  const orders = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending' } })).data?.items ?? []
  const redemptions = useInfiniteQuery(apiList('fundRedemptions', { query: { tab: 'Pending' } }))
  const hasOrders = orders.length > 0
  return (
    <>
      {hasOrders && (
        <Section title={t('fund.my.openPayments')}>
          {orders.map((order) => (
            <OrderRow key={order.order_id} order={order} />
          ))}
        </Section>
      )}
      <InfiniteList
        query={redemptions}
        label={t('fund.my.openRedemptions')}
        keyOf={(redemption) => redemption.redemption_id}
        render={(redemption) => <RedemptionRow redemption={redemption} />}
        {...(hasOrders && { groupOf: () => t('fund.my.openRedemptions') })}
        empty={
          hasOrders ? null : (
            <EmptyState icon="clock" title={t('fund.my.nonePending')} hint={t('fund.my.nonePendingHint')} />
          )
        }
      />
    </>
  )
}

/** The agent line's share of management fees. */
export function AgentTab() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundIncomeList', { query: {} }))
  return (
    <InfiniteList
      query={query}
      label={t('fund.my.tab.Agent')}
      keyOf={(item) => item.income_id}
      render={(item) => <IncomeRow item={item} />}
      empty={<NoIncome />}
    />
  )
}

/** No fund income yet, and how it comes. */
export function NoIncome() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="invite"
      title={t('fund.income.empty')}
      hint={t('fund.income.emptyHint')}
      action={
        <PageLink to="/pages/my/invite/index" className={buttonClass('secondary')}>
          {t('fund.income.invite')}
        </PageLink>
      }
    />
  )
}
