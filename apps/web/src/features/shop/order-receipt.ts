import type { Order } from '@rif/api-schema'
import { formatExact, formatTimeExact, type Translate } from '../../lib/index.ts'
import type { ReceiptLine } from '../../ui/index.ts'

/** A paid order in words, every labelled field of it. Specification section 3. */
export function orderReceipt(order: Order, t: Translate): ReceiptLine[] {
  const { quote } = order
  const time = (value: string | null) => (value === null ? '–' : (formatTimeExact(value) ?? value))
  return [
    [t('shop.detail.orderId'), order.order_id],
    [t('shop.detail.transactionId'), order.chain_order_id],
    [t('shop.detail.status'), t(`shop.status.${order.status}`)],
    [t('shop.detail.method'), order.payment_method],
    [t('shop.detail.wallet'), order.payer],
    [t('shop.detail.hash'), order.tx_hash ?? '–'],
    [t('shop.detail.created'), time(order.created_at)],
    [t('shop.detail.paid'), time(order.paid_at)],
    [t('shop.detail.collected'), time(order.collected_at)],
    [t('shop.detail.payUsdt'), `${formatExact(quote.usdt)} USDT`],
    [t('shop.detail.payAmc'), `${formatExact(quote.amc)} AMC`],
    [t('shop.quote.amcPrice'), `${formatExact(order.amc_price)} USDT`],
    [t('shop.detail.discount'), `${formatExact(quote.discount)} USDT`],
    [t('shop.detail.fee'), `${formatExact(order.service_fee)} USDT`],
    [t('shop.detail.total'), `${formatExact(order.total)} USDT`],
    [t('shop.detail.received'), `${formatExact(quote.usdt)} USDT + ${formatExact(quote.amc)} AMC`],
  ]
}
