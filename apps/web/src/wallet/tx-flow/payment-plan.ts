import type { FundOrder, Order, OrderStatus, RouteData } from '@rif/api-schema'
import { call } from '../../lib/index.ts'
import type { DetailedProblem, FlowProblem } from '../provider.ts'
import type { FlowKey, StepId } from './flow-state.ts'

type Approval = RouteData<'approveUsdt'>

/** An order that is paid through the bank contract, as the member saw it, and the API calls of its payment. */
export interface Payable {
  key: FlowKey
  /**
   * The id in the bank contract, and the required value of its low 64 bits: on chain it is (member << 64) |
   * local id.
   */
  chainOrderId: bigint
  localId: bigint
  payer: string
  /** The bank contract that it is paid to. */
  bank: string
  expiresAt: string
  /** Wire amounts; AMC may be zero. */
  usdt: string
  amc: string
  /** The name of the purchase. */
  buys: string
  /** The level of the package whose copies the bank counts; 0 for fund units. */
  package: bigint
  /** Returns the most copies of the package that may be paid in all, as the page shows it; 0 for fund units. */
  limit: () => Promise<bigint>
  status: (options: { signal: AbortSignal; quiet?: boolean }) => Promise<OrderStatus>
  approval: (token: 'usdt' | 'amc') => Promise<Approval>
  payment: () => Promise<RouteData<'orderTx'>>
  /** Reports the hash of the payment to the server. */
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
    bank: order.bank,
    expiresAt: order.expires_at,
    usdt: order.quote.usdt,
    amc: order.quote.amc,
    buys: order.product_name,
    package: BigInt(order.level),
    limit: async () => {
      const { items } = await call('products', {})
      return BigInt(items.find(({ level }) => level === order.level)?.copies_limit ?? 0)
    },
    status: async (options) => (await call('order', { params }, options)).status,
    approval: (token) => call(token === 'usdt' ? 'approveUsdt' : 'approveAmc', { params, query }),
    payment: () => call('orderTx', { params, query }),
    report: (hash) =>
      call('payOrder', { body: { order_id: order.order_id, tx_hash: hash } }, { quiet: true }),
  }
}

/** Set in the on-chain ids of fund orders, which have their own numbering. */
const FUND_BIT = 2n ** 62n

/**
 * Maps the statuses of fund orders to those of the shop; the state of the units after the payment is
 * irrelevant here.
 */
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
export function fundPayable(order: FundOrder & { expires_at: string; bank: string }): Payable {
  const params = { order_id: order.order_id }
  return {
    key: `fund:${order.order_id}`,
    chainOrderId: BigInt(order.chain_order_id),
    localId: FUND_BIT | BigInt(order.order_id),
    payer: order.payer,
    bank: order.bank,
    expiresAt: order.expires_at,
    usdt: order.total,
    amc: '0.000000',
    buys: order.product_name,
    package: 0n,
    limit: async () => 0n,
    status: async (options) => STATUS[(await call('fundOrder', { params }, options)).status],
    approval: () => call('fundApprove', { params }),
    payment: () => call('fundTx', { params }),
    report: (hash) => call('fundPay', { body: { order_id: order.order_id, tx_hash: hash } }, { quiet: true }),
  }
}

/**
 * The payment methods of a wallet: all in one batch (EIP-5792), with a signature for AMC (EIP-2612), or step
 * by step.
 */
export type Method = 'batch' | 'permit' | 'plain'

export interface TokenFacts {
  needed: bigint
  allowance: bigint
  balance: bigint
}

/**
 * The state of order and chain, read again before every step, so that a reload or another device can resume.
 */
export interface PaymentFacts {
  status: OrderStatus
  expired: boolean
  /** The bank has already received this order's payment. */
  paidOnChain: boolean
  usdt: TokenFacts
  amc: TokenFacts
  method: Method
  /** A permit signed in this visit and still unused. */
  hasPermit: boolean
  nativeBalance: bigint
}

export type PaymentAction =
  | { do: StepId }
  | { do: 'verify' }
  | { do: 'finish' }
  | { do: 'stop'; problem: Exclude<FlowProblem, DetailedProblem>; asset?: 'USDT' | 'AMC' }

/** Returns the next action of a payment. Balances are checked before any request to the wallet. */
export function nextPaymentAction(facts: PaymentFacts): PaymentAction {
  const { status, usdt, amc } = facts
  if (status === 'Paid' || status === 'Processing') return { do: 'finish' }
  if (facts.paidOnChain) return { do: 'verify' }
  if (status === 'Cancelled') return { do: 'stop', problem: 'closed' }
  if (facts.expired) return { do: 'stop', problem: 'expired' }
  if (usdt.balance < usdt.needed) return { do: 'stop', problem: 'notEnoughTokens', asset: 'USDT' }
  if (amc.balance < amc.needed) return { do: 'stop', problem: 'notEnoughTokens', asset: 'AMC' }
  // The fees of a smart account with batches may be paid by another account.
  if (facts.nativeBalance === 0n && facts.method !== 'batch')
    return { do: 'stop', problem: 'notEnoughForFee' }
  if (facts.method === 'batch') return { do: 'batch' }
  if (amc.allowance < amc.needed && !facts.hasPermit)
    return { do: facts.method === 'permit' ? 'permitAmc' : 'approveAmc' }
  if (usdt.allowance < usdt.needed) return { do: 'approveUsdt' }
  return { do: 'pay' }
}

/** Returns the steps of the chosen method, and the finished ones among them. */
export function planPayment(facts: PaymentFacts): { steps: StepId[]; finished: StepId[] } {
  if (facts.method === 'batch') return { steps: ['batch'], finished: [] }
  const amcStep: StepId =
    facts.method === 'permit' && (facts.hasPermit || facts.amc.allowance < facts.amc.needed)
      ? 'permitAmc'
      : 'approveAmc'
  const finished: StepId[] = []
  // Fund units are paid in USDT only.
  if (facts.amc.needed === 0n) {
    if (facts.usdt.allowance >= facts.usdt.needed) finished.push('approveUsdt')
    return { steps: ['approveUsdt', 'pay'], finished }
  }
  if (facts.hasPermit || facts.amc.allowance >= facts.amc.needed) finished.push(amcStep)
  if (facts.usdt.allowance >= facts.usdt.needed) finished.push('approveUsdt')
  return { steps: [amcStep, 'approveUsdt', 'pay'], finished }
}
