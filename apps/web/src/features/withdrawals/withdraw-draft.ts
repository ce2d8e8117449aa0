import type { MoneyAsset, RouteData, RouteInput } from '@rif/api-schema'
import {
  defaultPlan,
  formatMicros,
  MICRO,
  type Micros,
  min,
  type Plan,
  parseMicros,
  quoteWithdrawal,
  units,
} from '@rif/rules'
import { plainText, toAmount } from '../../lib/index.ts'
import type { Checked } from '../../ui/index.ts'

export type WithdrawLimit = RouteData<'withdrawLimit'>
export type WithdrawRequest = RouteInput<'withdraw'>['body']

/** The values of the form. */
export interface WithdrawDraft {
  asset: MoneyAsset
  /** A plain decimal from `AmountField`, or empty. */
  amount: string
  toOwnWallet: boolean
  address: string
}

export const EMPTY_DRAFT: WithdrawDraft = { asset: 'USDT', amount: '', toOwnWallet: true, address: '' }

type AmountProblem =
  | 'amountRequired'
  | 'amountInvalid'
  | 'insufficient'
  | 'notAboveFee'
  | 'restNotAboveFee'
  | 'priceUnavailable'
  | 'limitUsedUp'
type AddressProblem = 'addressRequired' | 'addressInvalid'

/** The fee and net amount of a withdrawal, or its problem, or the rest of the day's limit. */
export type AmountJudgement =
  | {
      ok: true
      amount: string
      /** The part that is free of the fee, as a refund. */
      refund: string
      fee: string
      receives: string
      /** The rest of the asset's available balance. */
      remains: string
      /** In USDT, on the day's limit. */
      worth: string
      isAudited: boolean
    }
  | { ok: false; problem: AmountProblem }
  | { ok: false; problem: 'dailyLimit'; remaining: string }

/** Checks the amount by the same rule as the server, with the figures from the server. Rules, section 7. */
export function judgeAmount(draft: WithdrawDraft, limit: WithdrawLimit): AmountJudgement {
  if (draft.amount === '') return { ok: false, problem: 'amountRequired' }
  const amount = toAmount(draft.amount)
  if (amount === null) return { ok: false, problem: 'amountInvalid' }
  const quote = quoteWithdrawal(
    {
      asset: draft.asset,
      amountMicros: parseMicros(amount),
      availableMicros: parseMicros(limit.available[draft.asset]),
      refundsMicros: freeRefund(draft, limit),
      amcPriceMicros: priceMicros(limit, 'AMC'),
      level: 0,
      usedTodayMicros: parseMicros(limit.used),
      usedRecentlyMicros: parseMicros(limit.recent),
      unsignedMicros: parseMicros(limit.unsigned),
      sentToNewMicros: null,
      alwaysSigned: !draft.toOwnWallet,
      addressTrusted: draft.toOwnWallet,
      riskFlagged: false,
    },
    planOf(limit),
  )
  if (quote.ok) {
    const { refundMicros, feeMicros, netMicros, worthMicros, status } = quote
    return {
      ok: true,
      amount,
      refund: formatMicros(refundMicros),
      fee: formatMicros(feeMicros),
      receives: formatMicros(netMicros),
      remains: formatMicros(parseMicros(limit.available[draft.asset]) - parseMicros(amount)),
      worth: formatMicros(worthMicros),
      isAudited: status === 'Auditing',
    }
  }
  if (quote.code === 'AMOUNT_NOT_ABOVE_FEE' && freeRefund(draft, limit) > 0n)
    return { ok: false, problem: 'restNotAboveFee' }
  if (quote.code !== 'DAILY_LIMIT') return { ok: false, problem: REFUSALS[quote.code] }
  if (quote.remainingAmountMicros === 0n) return { ok: false, problem: 'limitUsedUp' }
  return { ok: false, problem: 'dailyLimit', remaining: formatMicros(quote.remainingAmountMicros) }
}

/** Returns what refunds leave to withdraw without a fee, which only a withdrawal to the own wallet uses. */
const freeRefund = ({ asset, toOwnWallet }: WithdrawDraft, limit: WithdrawLimit): Micros =>
  toOwnWallet ? parseMicros(limit.free_refunds[asset]) : 0n

const REFUSALS = {
  ASSET_NOT_ALLOWED: 'amountInvalid',
  INVALID_AMOUNT: 'amountInvalid',
  PRICE_UNAVAILABLE: 'priceUnavailable',
  AMOUNT_NOT_ABOVE_FEE: 'notAboveFee',
  INSUFFICIENT_BALANCE: 'insufficient',
} as const satisfies Record<string, AmountProblem>

/**
 * The part of the plan in force that concerns withdrawals; the member's own limit is stored under level 0.
 */
function planOf(limit: WithdrawLimit): Plan {
  return {
    ...defaultPlan,
    withdrawal: {
      feePpm: limit.fee_ppm,
      minimumFeeMicros: parseMicros(limit.minimum_fee_usdt),
      auditAboveMicros: parseMicros(limit.audit_above_usdt),
      dayLimitMicros: [parseMicros(limit.limit)],
    },
    leaving: { ...defaultPlan.leaving, signAboveMicros: parseMicros(limit.sign_above_usdt) },
  }
}

function priceMicros(limit: WithdrawLimit, asset: MoneyAsset): Micros | null {
  if (asset === 'USDT') return MICRO
  return limit.prices.AMC === null ? null : parseMicros(limit.prices.AMC)
}

/** Returns the current maximum of a withdrawal: the available balance within the rest of the day's limit. */
export function maxWithdrawal(asset: MoneyAsset, limit: WithdrawLimit): string {
  const price = priceMicros(limit, asset)
  const available = parseMicros(limit.available[asset])
  if (price === null) return formatMicros(available)
  return formatMicros(min(available, units(parseMicros(limit.remaining), price)))
}

/** Returns the problem of the address, or null. The server checks the checksum of a mixed-case one. */
export function addressProblem(draft: WithdrawDraft): AddressProblem | null {
  if (draft.toOwnWallet) return null
  const address = plainText(draft.address)
  if (address === '') return 'addressRequired'
  return /^0x[0-9a-fA-F]{40}$/.test(address) ? null : 'addressInvalid'
}

/** Checks both fields; an exceeded daily limit is a problem too. */
export function checkWithdrawal(
  draft: WithdrawDraft,
  limit: WithdrawLimit,
): Checked<
  WithdrawDraft,
  { ok: true; request: WithdrawRequest },
  AmountProblem | 'dailyLimit' | AddressProblem
> {
  const amount = judgeAmount(draft, limit)
  const address = addressProblem(draft)
  if (amount.ok && address === null) return { ok: true, request: withdrawalRequestOf(draft, amount.amount) }
  return {
    ok: false,
    problems: { ...(!amount.ok && { amount: amount.problem }), ...(address !== null && { address }) },
  }
}

/** Returns the request for a checked amount; the server uses the own wallet if no address is given. */
export function withdrawalRequestOf(draft: WithdrawDraft, amount: string): WithdrawRequest {
  const { asset, toOwnWallet, address } = draft
  return toOwnWallet ? { asset, amount } : { asset, amount, address: plainText(address) }
}

/** A request that the server has checked, waiting for the member's one confirmation. */
export interface JudgedRequest {
  request: WithdrawRequest
  check: RouteData<'withdrawCheck'>
}
