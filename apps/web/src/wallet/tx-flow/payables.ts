import type { FundOrder, Order, OrderStatus, RouteData } from '@rif/api-schema'
import { call } from '../../lib/api.ts'
import type { FlowKey } from './pending.ts'

type Approval = RouteData<'approveUsdt'>

/** What is paid through the bank contract, as the member saw it, and the calls of the API that serve its payment. */
export interface Payable {
  key: FlowKey
  /** The id in the bank contract, and what its low 64 bits must be: on chain it is (member << 64) | local id. */
  chainOrderId: bigint
  localId: bigint
  payer: string
  expiresAt: string
  /** Wire amounts; AMC may be zero. */
  usdt: string
  amc: string
  /** What the member gets for it. */
  buys: string
  status: (options: { signal: AbortSignal; quiet?: boolean }) => Promise<OrderStatus>
  approval: (token: 'usdt' | 'amc') => Promise<Approval>
  payment: () => Promise<RouteData<'orderTx'>>
  /** Tells the server the hash of the payment. */
  report: (hash: string) => Promise<unknown>
}

/** An order of the shop: USDT and AMC. */
export function shopPayable(order: Order): Payable {
  const params = { order_id: order.order_id }
  const query = { useHashRate: order.use_hash_rate ? ('true' as const) : ('false' as const) }
  return {
    key: `order:${order.order_id}`,
    chainOrderId: BigInt(order.chain_order_id),
    localId: BigInt(order.order_id),
    payer: order.payer,
    expiresAt: order.expires_at,
    usdt: order.quote.usdt,
    amc: order.quote.amc,
    buys: order.product_name,
    status: async (options) => (await call('order', { params }, options)).status,
    approval: (token) => call(token === 'usdt' ? 'approveUsdt' : 'approveAmc', { params, query }),
    payment: () => call('orderTx', { params, query }),
    report: (hash) =>
      call('payOrder', { body: { order_id: order.order_id, tx_hash: hash } }, { quiet: true }),
  }
}

/** Set in the on-chain ids of fund orders, which are counted on their own. */
const FUND_BIT = 2n ** 62n

/** Fund orders in the words of the shop's: what becomes of the units after the payment does not matter here. */
const STATUS: Record<FundOrder['status'], OrderStatus> = {
  UnPaid: 'UnPaid',
  Processing: 'Processing',
  Subscription: 'Processing',
  Paid: 'Paid',
  Redemption: 'Paid',
  Redeemed: 'Paid',
  Cancelled: 'Cancelled',
}

/** A purchase of fund units from the wallet: USDT only. */
export function fundPayable(order: FundOrder & { expires_at: string }): Payable {
  const params = { order_id: order.order_id }
  return {
    key: `fund:${order.order_id}`,
    chainOrderId: BigInt(order.chain_order_id),
    localId: FUND_BIT | BigInt(order.order_id),
    payer: order.payer,
    expiresAt: order.expires_at,
    usdt: order.total,
    amc: '0.000000',
    buys: order.product_name,
    status: async (options) => STATUS[(await call('fundOrder', { params }, options)).status],
    approval: () => call('fundApprove', { params }),
    payment: () => call('fundTx', { params }),
    report: (hash) => call('fundPay', { body: { order_id: order.order_id, tx_hash: hash } }, { quiet: true }),
  }
}
