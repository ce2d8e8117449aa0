import type { FundIncomeItem, FundOrder, FundRedemption } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  apiList,
  apiQuery,
  formatAmount,
  formatTime,
  PageLink,
  shortAddress,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  EmptyState,
  InfiniteList,
  LinkRow,
  Pill,
  Row,
  Section,
  TextWithAddress,
} from '../../../ui/index.ts'
import { isUnderWay, STATUS_TONES } from '../fund-view.ts'
import { useUnits } from './parts.tsx'

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
      next={{ to: '/pages/my/invite/index', label: t('fund.income.invite') }}
    />
  )
}

/** A purchase in a list: what it is worth now and what it gained; one that is not paid yet, what it costs. */
function OrderRow({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const isOpen = isUnderWay(order) || order.status === 'Cancelled'
  const isHeld = order.status === 'Paid' || order.status === 'Redemption'
  return (
    <Card className="py-2">
      <LinkRow
        to={isUnderWay(order) ? '/pages/found/newOrderDetail' : '/pages/found/order_detail'}
        search={{ order_id: order.order_id }}
        title={order.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>{units(isHeld ? order.units_left : order.units)}</span>
            <span className="text-12">{formatTime(order.created_at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium">
              {formatAmount(isHeld ? order.market_value : isOpen ? order.total : order.value)} USDT
            </span>
            {isHeld && <span className="text-12 text-muted">{signed(order.profit)} USDT</span>}
            <Pill tone={STATUS_TONES[order.status]}>{t(`fund.status.${order.status}`)}</Pill>
          </span>
        }
      />
    </Card>
  )
}

/** A redemption in a list: what arrives, and when. */
function RedemptionRow({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const units = useUnits()
  const { status, completed_at, arrival_at, submitted_at } = redemption
  return (
    <Card className="py-2">
      <LinkRow
        to="/pages/found/redemption_success"
        search={{ redemption_id: redemption.redemption_id }}
        title={redemption.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>{units(redemption.units)}</span>
            <span className="text-12">{formatTime(completed_at ?? arrival_at ?? submitted_at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium">
              {redemption.is_estimate && '≈ '}
              {formatAmount(redemption.net)} USDT
            </span>
            <Pill tone={STATUS_TONES[status]}>{t(`fund.status.${status}`)}</Pill>
          </span>
        }
      />
    </Card>
  )
}

/** A share of a management fee in the list of the fund income. */
export function IncomeRow({ item }: { item: FundIncomeItem }) {
  const { t } = useTranslation()
  return (
    <Card className="py-2">
      <Row
        title={item.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>
              <TextWithAddress
                text={t('fund.income.from', { address: shortAddress(item.source_address) })}
                address={item.source_address}
              />
            </span>
            <span className="text-12">{formatTime(item.at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium">+{formatAmount(item.amount)} USDT</span>
            <span className="text-12 text-muted">
              {t('fund.income.ofFee', { fee: formatAmount(item.management_fee) })}
            </span>
          </span>
        }
      />
    </Card>
  )
}

export const signed = (amount: string) =>
  amount.startsWith('-') || !/[1-9]/.test(amount) ? formatAmount(amount) : `+${formatAmount(amount)}`
