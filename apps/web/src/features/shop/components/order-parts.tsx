import type { Order } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiFollow,
  formatAmount,
  formatPrice,
  isZero,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, Fact, Facts, Money, TokenMark } from '../../../ui/index.ts'
import {
  fieldKinds,
  type OrderFields,
  OrderFrame,
  OrderHead,
  Progress,
  useCancel,
} from '../../../wallet/order-frame.tsx'
import { isOrderOpen, ORDER_TONES, orderSteps } from '../order-view.ts'
import { LevelMark } from './level-mark.tsx'
import { PriceNotes } from './order-quote.tsx'

export interface OrderPageProps {
  title: string
  orderId: string
  children: (order: Order) => ReactNode
}

/** A page about one order, followed while it can change. */
export function OrderPage({ orderId, ...frame }: OrderPageProps) {
  const { t } = useTranslation()
  const query = useQuery(apiFollow('order', { params: { order_id: orderId } }, isOrderOpen))
  return <OrderFrame wide query={query} staleText={t('shop.detail.stale')} {...frame} />
}

/** Shows the package of an order and its price. */
export function PackageHead({ order, children }: { order: Order; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <OrderHead
      mark={<LevelMark level={order.level} />}
      amount={order.total}
      unit="USDT"
      tone={ORDER_TONES[order.status]}
      status={t(`shop.status.${order.status}`)}
    >
      <h2 className="text-16 font-semibold text-ink">{order.product_name}</h2>
      {children}
    </OrderHead>
  )
}

/** Shows the amount of each asset that an order takes, or took, beside its part of the price. */
export function PaidCard({ order: { quote, amc_price, price, created_at } }: { order: Order }) {
  const { t } = useTranslation()
  const inAmc = formatMicros(parseMicros(quote.due) - parseMicros(quote.usdt))
  return (
    <Card className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        <PaidLine token="USDT" amount={quote.usdt} worth={quote.usdt} />
        {!isZero(quote.amc) && (
          <PaidLine token="AMC" amount={quote.amc} worth={inAmc}>
            {t('shop.success.atPrice', { price: formatPrice(amc_price) })}
          </PaidLine>
        )}
        {!isZero(quote.rif) && (
          <PaidLine token="RIF" amount={quote.rif} worth={quote.discount}>
            {t('shop.success.offPrice')}
          </PaidLine>
        )}
      </ul>
      <Facts>
        <Fact sum label={t('shop.quote.price')}>
          <Money amount={price} unit="USDT" />
        </Fact>
      </Facts>
      <PriceNotes quote={quote} at={created_at} />
    </Card>
  )
}

interface PaidLineProps {
  token: 'USDT' | 'AMC' | 'RIF'
  amount: string
  /** Its part of the price in USDT. */
  worth: string
  children?: ReactNode
}

function PaidLine({ token, amount, worth, children }: PaidLineProps) {
  return (
    <li className="flex items-center gap-3">
      <TokenMark token={token} />
      <span className="min-w-0 flex-1">
        <Money amount={amount} unit={token} className="font-medium" />
        {children !== undefined && <span className="block text-12 text-muted">{children}</span>}
      </span>
      <span className="text-14 font-medium">{formatAmount(worth)}</span>
    </li>
  )
}

/** The history of an order step by step, with times, the payment's hash and its confirmations. */
export function OrderTimeline({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <Progress
      label={t('shop.detail.progress')}
      steps={orderSteps(order)}
      titleOf={({ id }) => t(`shop.step.${id}`)}
      chain={order}
      hashAt="sent"
      countAt="confirmed"
      countText={(values) => t('shop.step.confirmations', values)}
      remarkOf={({ id, state }) => id === 'sent' && state === 'waiting' && t('shop.step.waiting')}
    />
  )
}

/** Cancels an unpaid order, after a question that warns of a payment already sent. */
export function useCancelOrder(onDone?: () => void) {
  const cancel = useApiMutation('cancelOrder', { refresh: ['order', 'orders', 'products', 'me'] })
  const { isPending, ask } = useCancel('shop.detail', cancel, onDone)
  return { isPending, ask: (order_id: string) => ask({ body: { order_id } }) }
}

/** Returns every labelled field of an order. Specification section 3. */
export function useOrderFields(order: Order): OrderFields {
  const { t } = useTranslation()
  const none = t('shop.detail.none')
  const { text, id, money, price, time, hash } = fieldKinds(none)
  const { quote } = order
  const received = money(quote.usdt, 'USDT').text
  return [
    [t('shop.detail.orderId'), id(order.order_id, 'full')],
    [t('shop.detail.transactionId'), id(order.chain_order_id)],
    [t('shop.detail.status'), text(t(`shop.status.${order.status}`))],
    [t('shop.detail.method'), text(order.payment_method.replace('+', ' + '), order.payment_method)],
    [t('shop.detail.wallet'), id(order.payer)],
    [t('shop.detail.hash'), hash(order.tx_hash)],
    [t('shop.detail.created'), time(order.created_at)],
    [t('shop.detail.paid'), time(order.paid_at)],
    [t('shop.detail.collected'), time(order.collected_at)],
    [t('shop.detail.payUsdt'), money(quote.usdt, 'USDT')],
    [t('shop.detail.payAmc'), money(quote.amc, 'AMC')],
    [t('shop.quote.amcPrice'), price(order.amc_price, 'USDT')],
    [t('shop.detail.discount'), money(quote.discount, 'USDT')],
    [t('shop.detail.fee'), money(order.service_fee, 'USDT')],
    [t('shop.detail.total'), money(order.total, 'USDT')],
    [
      t('shop.detail.received'),
      {
        shown:
          order.status === 'Paid' ? <Received order={order} /> : <span className="text-muted">{none}</span>,
        text: `${received} + ${money(quote.amc, 'AMC').text}`,
      },
    ],
  ]
}

function Received({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-end">
      <Money amount={order.quote.usdt} unit="USDT" />
      <Money amount={order.quote.amc} unit="AMC" />
    </span>
  )
}
