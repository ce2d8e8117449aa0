import type { Order } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Fact, Facts, Money, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'

/** Every labelled field of an order. Specification section 3. */
export function OrderFacts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { quote } = order
  const orNone = (content: ReactNode) =>
    content ?? <span className="text-muted">{t('shop.detail.none')}</span>
  const time = (value: string | null) => orNone(value !== null ? <Time value={value} /> : null)
  return (
    <Facts>
      <Fact label={t('shop.detail.orderId')}>
        <Address value={order.order_id} form="full" />
      </Fact>
      <Fact label={t('shop.detail.transactionId')}>
        <Address value={order.chain_order_id} />
      </Fact>
      <Fact label={t('shop.detail.status')}>{t(`shop.status.${order.status}`)}</Fact>
      <Fact label={t('shop.detail.method')}>{order.payment_method.replace('+', ' + ')}</Fact>
      <Fact label={t('shop.detail.wallet')}>
        <Address value={order.payer} />
      </Fact>
      <Fact label={t('shop.detail.hash')}>
        {orNone(order.tx_hash !== null ? <TxHash value={order.tx_hash} /> : null)}
      </Fact>
      <Fact label={t('shop.detail.created')}>{time(order.created_at)}</Fact>
      <Fact label={t('shop.detail.paid')}>{time(order.paid_at)}</Fact>
      <Fact label={t('shop.detail.collected')}>{time(order.collected_at)}</Fact>
      <Fact label={t('shop.detail.payUsdt')}>
        <Money amount={quote.usdt} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.detail.payAmc')}>
        <Money amount={quote.amc} unit="AMC" exact />
      </Fact>
      <Fact label={t('shop.quote.amcPrice')}>
        <Money amount={order.amc_price} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.detail.discount')}>
        <Money amount={quote.discount} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.detail.fee')}>
        <Money amount={order.service_fee} unit="USDT" />
      </Fact>
      <Fact label={t('shop.detail.total')}>
        <Money amount={order.total} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.detail.received')}>
        {orNone(order.status === 'Paid' ? <Received order={order} /> : null)}
      </Fact>
    </Facts>
  )
}

function Received({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-end">
      <Money amount={order.quote.usdt} unit="USDT" exact />
      <Money amount={order.quote.amc} unit="AMC" exact />
    </span>
  )
}
