import type { MoneyAsset, RouteInput } from '@rif/api-schema'
import { defaultPlan, formatMicros, judgeTransfer, min, parseMicros, priceOf, units, worth } from '@rif/rules'
import { plainText, toAmount } from '../../lib/index.ts'
import type { Checked } from '../../ui/index.ts'
import type { ReceiverState } from '../../wallet/receiver/receiver-field.tsx'

export type TransferRequest = RouteInput<'transferCheck'>['body']

/** The figures that a transfer is checked against, as wire amounts. */
export interface TransferFacts {
  available: Readonly<Record<MoneyAsset, string>>
  minimum: string
  /** The rest of today’s limit, which withdrawals and transfers share, in USDT worth. */
  remaining: string
  amcPrice: string | null
}

type AmountProblem =
  | 'amountRequired'
  | 'amountInvalid'
  | 'belowMinimum'
  | 'insufficient'
  | 'priceUnavailable'
  | 'dailyLimit'
type AddressProblem = 'addressRequired' | 'addressInvalid' | 'notRegistered' | 'self' | 'checking'

/** A transfer that can be sent, or the problem of each field. */
type Judgement = Checked<
  TransferRequest,
  { ok: true; request: TransferRequest },
  AmountProblem | AddressProblem
>

/**
 * Checks typed values by the same rule as the server, with the figures from the server. `draft.amount` is a
 * plain decimal from `AmountField`, or empty. Rules, section 10.
 */
export function judgeTransferDraft(
  draft: TransferRequest,
  state: ReceiverState,
  facts: TransferFacts,
): Judgement {
  const address = addressProblem(state)
  const amount = amountProblem(draft, facts)
  if (address !== null || amount !== null) {
    return {
      ok: false,
      problems: { ...(address !== null && { address }), ...(amount !== null && { amount }) },
    }
  }
  const { asset } = draft
  return { ok: true, request: { asset, amount: toAmount(draft.amount)!, address: plainText(draft.address) } }
}

function addressProblem(state: ReceiverState): AddressProblem | null {
  if (state.is === 'empty') return 'addressRequired'
  if (state.is === 'checking' || state.is === 'unreachable') return 'checking'
  if (state.is !== 'known') return 'addressInvalid'
  if (state.receiver.own) return 'self'
  return state.receiver.registered ? null : 'notRegistered'
}

const REFUSALS: Readonly<Record<string, AmountProblem>> = {
  BELOW_MINIMUM: 'belowMinimum',
  INSUFFICIENT_BALANCE: 'insufficient',
}

function amountProblem(
  { asset, amount: typed }: TransferRequest,
  facts: TransferFacts,
): AmountProblem | null {
  if (typed === '') return 'amountRequired'
  const amount = toAmount(typed)
  if (amount === null) return 'amountInvalid'
  const judged = judgeTransfer(
    {
      asset,
      amountMicros: parseMicros(amount),
      receiver: 'member',
      availableMicros: parseMicros(facts.available[asset]),
    },
    { ...defaultPlan, transfer: { minimumMicros: parseMicros(facts.minimum) } },
  )
  if (!judged.ok) return REFUSALS[judged.code] ?? 'amountInvalid'
  const price = priceOf(asset, facts.amcPrice === null ? null : parseMicros(facts.amcPrice))
  if (price === null) return 'priceUnavailable'
  return worth(parseMicros(amount), price) > parseMicros(facts.remaining) ? 'dailyLimit' : null
}

/** Returns the current maximum of a transfer: the available balance within the rest of the day's limit. */
export function maxTransfer(asset: MoneyAsset, facts: TransferFacts): string {
  const available = parseMicros(facts.available[asset])
  const price = priceOf(asset, facts.amcPrice === null ? null : parseMicros(facts.amcPrice))
  return formatMicros(price === null ? available : min(available, units(parseMicros(facts.remaining), price)))
}

/** Returns the worth in USDT of a valid amount, or null. */
export function worthOf(draft: TransferRequest, facts: TransferFacts): string | null {
  const amount = toAmount(draft.amount)
  if (amount === null || amountProblem(draft, facts) !== null) return null
  const price = priceOf(draft.asset, facts.amcPrice === null ? null : parseMicros(facts.amcPrice))
  return price === null ? null : formatMicros(worth(parseMicros(amount), price))
}
