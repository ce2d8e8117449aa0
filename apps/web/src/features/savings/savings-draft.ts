import type { MoneyAsset, RouteInput, SavingsAccount, SavingsDirection } from '@rif/api-schema'
import { defaultPlan, judgeSavingsTransfer, parseMicros, priceOf, savingsOutDelayMs, worth } from '@rif/rules'
import { toAmount } from '../../lib/index.ts'

export type SavingsRequest = RouteInput<'savingsIn'>['body']

/** The typed request: `amount` is a plain decimal from `AmountField`, or empty. */
export interface SavingsDraft extends SavingsRequest {
  direction: SavingsDirection
}

export type SavingsProblem = 'amountRequired' | 'amountInvalid' | 'insufficient'

/** A transfer that can be sent with its delay in milliseconds, or its problem. */
export type JudgedSavings =
  | { ok: true; request: SavingsRequest; delayMs: number }
  | { ok: false; problem: SavingsProblem }

/** Returns the savings of one asset. */
export function savingsOf({ assets }: SavingsAccount, asset: MoneyAsset): SavingsAccount['assets'][number] {
  return assets.find((item) => item.asset === asset)!
}

/**
 * Returns the largest possible transfer: the available balance for a deposit, the savings for a withdrawal.
 */
export function maxOf({ direction, asset }: Omit<SavingsDraft, 'amount'>, account: SavingsAccount): string {
  const { available, savings } = savingsOf(account, asset)
  return direction === 'in' ? available : savings
}

/** Checks a transfer by the same rule as the server, with the figures from the server. Rules, section 9. */
export function judgeSavings(draft: SavingsDraft, account: SavingsAccount): JudgedSavings {
  const { direction, asset } = draft
  if (draft.amount === '') return { ok: false, problem: 'amountRequired' }
  const amount = toAmount(draft.amount)
  if (amount === null) return { ok: false, problem: 'amountInvalid' }
  const amountMicros = parseMicros(amount)
  const balanceMicros = parseMicros(maxOf(draft, account))
  const judged = judgeSavingsTransfer({ asset, amountMicros, balanceMicros })
  if (!judged.ok) {
    return { ok: false, problem: judged.code === 'INSUFFICIENT_BALANCE' ? 'insufficient' : 'amountInvalid' }
  }
  const price = priceOf(asset, account.prices.AMC === null ? null : parseMicros(account.prices.AMC))
  const recent = account.recent_out_usdt
  const plan = {
    savings: {
      ...defaultPlan.savings,
      fastUpToMicros: parseMicros(account.fast_up_to_usdt),
      fastDelayMs: account.fast_delay_ms,
      slowDelayMs: account.slow_delay_ms,
    },
  }
  const worthMicros = price === null ? null : worth(amountMicros, price)
  const outMs = savingsOutDelayMs(worthMicros, recent === null ? null : parseMicros(recent), plan)
  return { ok: true, request: { asset, amount }, delayMs: direction === 'in' ? 0 : outMs }
}
