import type { Order } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, CardSection, Columns, LinkRow, Money, Section } from '../../../ui/index.ts'
import { ResultHead, useRefreshWhen } from '../../../wallet/order-frame.tsx'
import { OrderPage, OrderTimeline, PaidCard } from '../components/order-parts.tsx'

/** Level, sums and copies change with the payment. */
const PAID_QUERIES = ['me', 'orders', 'products', 'profitAll']
const SIGNS = { UnPaid: 'waiting', Processing: 'working', Paid: 'good', Cancelled: 'off' } as const

/** The result of a payment: its steps until it is final, then the next pages. */
export default function PaySuccessPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/shop/paySuccess' })
  return (
    <OrderPage title={t('shop.success.title')} orderId={order_id}>
      {(order) => <Result order={order} />}
    </OrderPage>
  )
}

function Result({ order }: { order: Order }) {
  const { t } = useTranslation()
  useRefreshWhen(order.status === 'Paid', PAID_QUERIES)
  return (
    <Columns
      side={
        <Section title={t('shop.success.next')}>
          <Card className="divide-y divide-line py-1">
            <LinkRow
              to="/pages/shop/shopOrderDetail"
              search={{ order_id: order.order_id }}
              icon="orders"
              title={t('shop.success.viewOrder')}
            />
            {order.status === 'Paid' && (
              <>
                <LinkRow to="/pages/rewardList/index" icon="activity" title={t('shop.success.rewards')} />
                <LinkRow to="/pages/my/invite/index" icon="invite" title={t('shop.success.invite')} />
              </>
            )}
            <LinkRow to="/pages/shop/index" icon="shop" title={t('shop.success.shop')} />
          </Card>
        </Section>
      }
    >
      <Headline order={order} />
      {order.status !== 'Cancelled' && (
        <Section title={t(order.status === 'Paid' ? 'shop.success.youPaid' : 'shop.success.toPay')}>
          <PaidCard order={order} />
        </Section>
      )}
      <CardSection title={t('shop.detail.progress')}>
        <OrderTimeline order={order} />
      </CardSection>
    </Columns>
  )
}

function Headline({ order }: { order: Order }) {
  const { t } = useTranslation()
  const name = order.product_name
  const texts = {
    UnPaid: { title: t('shop.success.unpaid'), hint: t('shop.success.unpaidHint') },
    Processing: { title: t('shop.success.verifying'), hint: t('shop.success.verifyingHint') },
    Paid: {
      title: t('shop.success.paid', { name }),
      hint: t('shop.success.paidHint', { level: order.level }),
    },
    Cancelled: { title: t('shop.success.cancelled'), hint: null },
  }[order.status]
  return (
    <ResultHead
      state={SIGNS[order.status]}
      {...texts}
      amount={
        order.status !== 'Cancelled' && (
          <Money amount={order.total} unit="USDT" className="font-display text-28 font-semibold" />
        )
      }
    >
      {order.status === 'UnPaid' && (
        <PageLink
          to="/pages/shop/shopOrderDetail"
          search={{ order_id: order.order_id }}
          className={buttonClass()}
        >
          {t('shop.detail.resume')}
        </PageLink>
      )}
    </ResultHead>
  )
}
