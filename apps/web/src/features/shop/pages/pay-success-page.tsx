import type { Order } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Icon, LinkRow, Section, Spinner } from '../../../ui/index.ts'
import { OrderFrame } from '../components/order-frame.tsx'
import { OrderTimeline } from '../components/order-timeline.tsx'

/** Did it arrive: the payment's steps until it is final, then what next. */
export default function PaySuccessPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/shop/paySuccess' })
  return (
    <OrderFrame title={t('shop.success.title')} orderId={order_id}>
      {(order) => <Result order={order} />}
    </OrderFrame>
  )
}

function Result({ order }: { order: Order }) {
  const { t } = useTranslation()
  useRefreshWhenPaid(order)
  return (
    <>
      <Headline order={order} />
      <Card>
        <OrderTimeline order={order} />
      </Card>
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
    </>
  )
}

/** Level, sums and copies change with the payment: what other pages have loaded is fetched anew. */
function useRefreshWhenPaid({ status }: Order) {
  const client = useQueryClient()
  useEffect(() => {
    if (status !== 'Paid') return
    for (const name of ['me', 'orders', 'products', 'profitAll']) {
      void client.invalidateQueries({ queryKey: [name] })
    }
  }, [status, client])
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
    <div role="status" className="flex flex-col items-center gap-3 px-4 py-6 text-center">
      <Badge status={order.status} />
      <h2 className="text-20 font-semibold">{texts.title}</h2>
      {texts.hint !== null && <p className="text-14 text-muted">{texts.hint}</p>}
      {order.status === 'UnPaid' && (
        <PageLink
          to="/pages/shop/shopOrderDetail"
          search={{ order_id: order.order_id }}
          className="inline-flex min-h-11 items-center text-14 font-semibold text-accent"
        >
          {t('shop.detail.resume')}
        </PageLink>
      )}
    </div>
  )
}

function Badge({ status }: Pick<Order, 'status'>) {
  const isPaid = status === 'Paid'
  const tone = isPaid ? 'bg-good-soft text-good' : 'bg-sunken text-muted'
  return (
    <span className={`grid size-16 place-items-center rounded-full ${tone}`}>
      {status === 'Processing' && <Spinner size={28} />}
      {isPaid && <Icon name="check" size={32} />}
      {status === 'UnPaid' && <Icon name="clock" size={28} />}
      {status === 'Cancelled' && <Icon name="close" size={28} />}
    </span>
  )
}
