import type {
  FundHolding,
  FundOrder,
  FundOrderStatus,
  FundProduct,
  FundRedemption,
  RedemptionStatus,
} from '@rif/api-schema'
import { type FundTerms, parseMicros } from '@rif/rules'
import { formatPpm, kept, MINUS } from '../../lib/index.ts'
import type { StepState, Tone } from '../../ui/index.ts'
import type { OrderStep } from '../../wallet/order-frame.tsx'

/** The colour of each status; its text has the same meaning. */
export const STATUS_TONES: Record<FundOrderStatus | RedemptionStatus, Tone> = {
  UnPaid: 'warn',
  Processing: 'info',
  Subscription: 'info',
  Paid: 'good',
  Redemption: 'info',
  Redeemed: 'neutral',
  Pending: 'warn',
  Approved: 'info',
  Completed: 'good',
  Rejected: 'bad',
  Cancelled: 'neutral',
}

/** Reports whether a payment may still arrive, be confirmed or be dropped by the chain. */
export const isRedemptionUnderWay = ({ status }: Pick<FundOrder, 'status'>) =>
  status === 'UnPaid' || status === 'Processing' || status === 'Subscription'

/** Reports whether units of a purchase are still held. */
export const isHeld = ({ status }: Pick<FundOrder, 'status'>) => status === 'Paid' || status === 'Redemption'

export type PayableOrder = FundOrder & { expires_at: string; bank: string }

/** Reports whether an order can be paid from the wallet now; `nowMs` since the epoch. */
export const isFundOrderPayable = (order: FundOrder, nowMs: number): order is PayableOrder =>
  order.status === 'UnPaid' && order.expires_at !== null && Date.parse(order.expires_at) > nowMs

/** Reports whether a redemption can still change by itself. */
export const isOpenRedemption = ({ status }: Pick<FundRedemption, 'status'>) =>
  status === 'Pending' || status === 'Approved'

/** Units of a holding that are still within their lock period: neither redeemable nor being redeemed. */
export const lockedUnits = (
  holding: Pick<FundHolding, 'units' | 'units_redeeming' | 'units_redeemable'>,
): string => `${BigInt(holding.units) - BigInt(holding.units_redeeming) - BigInt(holding.units_redeemable)}`

/** Returns a product's terms in the form of the rules. */
export function fundTermsOf(
  product: Pick<
    FundProduct,
    | 'minimum_usd'
    | 'lock_days'
    | 'redeemable_weekdays'
    | 'subscription_fee_ppm'
    | 'redemption_fee_ppm'
    | 'management_fee_ppm'
  >,
): FundTerms {
  return {
    minimumMicros: parseMicros(product.minimum_usd),
    lockDays: product.lock_days,
    redeemableWeekdays: product.redeemable_weekdays,
    subscriptionPpm: product.subscription_fee_ppm,
    redemptionPpm: product.redemption_fee_ppm,
    managementPpm: product.management_fee_ppm,
  }
}

/** Formats a return with its sign: "+3.2%". */
export const formatReturn = (ppm: number) => (ppm >= 0 ? `+${formatPpm(ppm)}` : `${MINUS}${formatPpm(-ppm)}`)

/** Returns the change from one amount to another in ppm, truncated towards zero. */
export function changePpm(from: string, to: string): number {
  const [first, last] = [parseMicros(from), parseMicros(to)]
  return first === 0n ? 0 : Number(((last - first) * 1_000_000n) / first)
}

export type PurchaseStepId = 'created' | 'sent' | 'confirmed' | 'paid' | 'cancelled'

/**
 * Returns the steps of a purchase: from `available` it is paid at once, from the wallet through the chain.
 */
export function purchaseSteps(order: FundOrder): OrderStep<PurchaseStepId>[] {
  const created = { id: 'created', state: 'done', at: order.created_at } as const
  const paidState: StepState = order.paid_at !== null && !isRedemptionUnderWay(order) ? 'done' : 'waiting'
  const paid = { id: 'paid', state: paidState, at: order.collected_at ?? order.paid_at } as const
  if (order.status === 'Cancelled')
    return [created, { id: 'cancelled', state: 'failed', at: order.cancelled_at }]
  if (order.payment_method === 'available') return [created, paid]
  const sent: StepState = order.status === 'UnPaid' ? 'waiting' : 'done'
  const confirmed: StepState =
    order.status === 'Processing' || order.status === 'Subscription' ? 'active' : sent
  return [
    created,
    { id: 'sent', state: sent, at: order.paid_at },
    { id: 'confirmed', state: confirmed, at: null },
    { ...paid, state: sent === 'done' && confirmed === 'done' ? 'done' : 'waiting' },
  ]
}

type RedemptionStepId = 'submitted' | 'review' | 'rejected' | 'cancelled' | 'arrival' | 'waiting' | 'arrived'

/** Returns the steps of a redemption: submitted, reviewed, and the arriving amount with its time. */
export function redemptionSteps(redemption: FundRedemption): OrderStep<RedemptionStepId>[] {
  const { status, audited_at, arrival_at, completed_at, cancelled_at, waits_for } = redemption
  const submitted = { id: 'submitted', state: 'done', at: redemption.submitted_at } as const
  switch (status) {
    case 'Cancelled':
      return [submitted, { id: 'cancelled', state: 'failed', at: cancelled_at }]
    case 'Rejected':
      return [submitted, { id: 'rejected', state: 'failed', at: audited_at }]
    case 'Pending':
      return [
        submitted,
        { id: 'review', state: 'active', at: null },
        { id: 'arrival', state: 'waiting', at: null },
      ]
    case 'Approved':
      return [
        submitted,
        { id: 'review', state: 'done', at: audited_at },
        { id: waits_for === 'time' ? 'arrival' : 'waiting', state: 'active', at: arrival_at },
      ]
    case 'Completed':
      return [
        submitted,
        { id: 'review', state: 'done', at: audited_at },
        { id: 'arrived', state: 'done', at: completed_at },
      ]
  }
}

/** The fund's tabs from left to right. Specification section 2. */
export const FUND_TABS = ['home', 'my', 'income'] as const
export type FundTabIndex = 0 | 1 | 2

/** The key of the selected tab in local storage. Specification section 2. */
const KEY = 'my_page_swiper_current'

/** Returns the tab that was selected last, or the first one. */
export function readFundTab(): FundTabIndex {
  const index = kept.get(KEY)
  return index === '1' ? 1 : index === '2' ? 2 : 0
}

export const keepFundTab = (index: FundTabIndex) => kept.set(KEY, String(index))
