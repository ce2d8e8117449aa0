import type { FundOrderDetail } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, CardSection, Columns, LinkRow, Money, Section } from '../../../ui/index.ts'
import { ResultHead, useRefreshWhen } from '../../../wallet/order-frame.tsx'
import { FundOrderPage, FundOrderTimeline, FundPaidCard } from '../components/order-view.tsx'
import { useUnits } from '../components/parts.tsx'
import { isFundOrderPayable } from '../fund-view.ts'

/** The result of a payment: its steps until it is final, then the next pages. */
export default function FundPaySuccessPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/pay_success' })
  return (
    <FundOrderPage title={t('fund.success.title')} orderId={order_id}>
      {(order) => <Result order={order} />}
    </FundOrderPage>
  )
}

function Result({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  useRefreshWhen(order.paid_at !== null && order.status !== 'UnPaid', PAID_QUERIES)
  const search = { order_id: order.order_id }
  return (
    <Columns
      side={
        <Section title={t('fund.success.next')}>
          <Card className="divide-y divide-line py-1">
            <LinkRow
              to="/pages/found/order_detail"
              search={search}
              icon="orders"
              title={t('fund.success.viewOrder')}
            />
            <LinkRow
              to="/pages/found/my"
              search={{ tab: 'Purchased' }}
              icon="fund"
              title={t('fund.success.toMine')}
            />
            <LinkRow
              to="/pages/found/productDetail"
              search={{ product_id: order.product_id }}
              icon="info"
              title={t('fund.success.toProduct')}
            />
          </Card>
        </Section>
      }
    >
      <Headline order={order} />
      {order.status !== 'Cancelled' && (
        <Section title={t(order.collected_at === null ? 'fund.success.toPay' : 'fund.success.youPaid')}>
          <FundPaidCard order={order} />
        </Section>
      )}
      <CardSection title={t('fund.order.progress')}>
        <FundOrderTimeline order={order} />
      </CardSection>
    </Columns>
  )
}

/** Holdings and lists change with the payment. */
const PAID_QUERIES = ['me', 'fundOrders', 'fundHoldings', 'fundRecords', 'fundTransactions', 'fundProduct']

const SIGNS = {
  UnPaid: 'waiting',
  Processing: 'working',
  Subscription: 'working',
  Paid: 'good',
  Redemption: 'good',
  Redeemed: 'good',
  Cancelled: 'off',
} as const

function Headline({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const units = useUnits()
  const what = { units: units(order.units), name: order.product_name }
  const sign = SIGNS[order.status]
  const texts = {
    good: { title: t('fund.success.paid', what), hint: t('fund.success.paidHint') },
    working: { title: t('fund.success.verifying'), hint: t('fund.success.verifyingHint') },
    waiting: { title: t('fund.success.unpaid'), hint: t('fund.success.unpaidHint') },
    off: { title: t('fund.success.cancelled'), hint: null },
  }[sign]
  return (
    <ResultHead
      state={sign}
      {...texts}
      amount={
        sign !== 'off' && (
          <Money amount={order.total} unit="USDT" className="font-display text-28 font-semibold" />
        )
      }
    >
      {isFundOrderPayable(order, Date.now()) && (
        <PageLink to="/pages/found/pay" search={{ order_id: order.order_id }} className={buttonClass()}>
          {t('fund.pay.resume')}
        </PageLink>
      )}
    </ResultHead>
  )
}
