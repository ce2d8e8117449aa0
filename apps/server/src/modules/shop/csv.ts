import type { Order } from '@rif/api-schema'
import type { CsvColumn } from '../../plugins/csv.ts'

/** Orders as a file. */
export const ORDER_COLUMNS: readonly CsvColumn<Order>[] = [
  ['order_id', (order) => order.order_id],
  ['product', (order) => order.product_name],
  ['status', (order) => order.status],
  ['price_usdt', (order) => order.price],
  ['discount_usdt', (order) => order.quote.discount],
  ['total_usdt', (order) => order.total],
  ['pay_usdt', (order) => order.quote.usdt],
  ['pay_amc', (order) => order.quote.amc],
  ['rif_used', (order) => order.quote.rif],
  ['amc_price_usdt', (order) => order.amc_price],
  ['service_fee_usdt', (order) => order.service_fee],
  ['wallet', (order) => order.payer],
  ['transaction_hash', (order) => order.tx_hash],
  ['created_at', (order) => order.created_at],
  ['paid_at', (order) => order.paid_at],
  ['collected_at', (order) => order.collected_at],
  ['cancelled_at', (order) => order.cancelled_at],
]
