import { type Asset, isPaymentAsset } from './assets.ts'
import { isAmount, type Micros } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The owner of the receiving address: no member, the sender, or another member. */
export type TransferReceiver = 'unknown' | 'self' | 'member'

/** A requested transfer to another member. */
export interface TransferRequest {
  readonly asset: Asset
  readonly amountMicros: Micros
  readonly receiver: TransferReceiver
  readonly availableMicros: Micros
}

export type TransferRefusal = Refusal<
  | 'ASSET_NOT_ALLOWED'
  | 'INVALID_AMOUNT'
  | 'ADDRESS_NOT_REGISTERED'
  | 'SELF_TRANSFER'
  | 'BELOW_MINIMUM'
  | 'INSUFFICIENT_BALANCE'
>

/** Checks an internal transfer, which has no fee; returns the first refusal that applies. Rules, section 10. */
export function judgeTransfer(request: TransferRequest, plan: Plan): { readonly ok: true } | TransferRefusal {
  if (!isPaymentAsset(request.asset)) return refuse('ASSET_NOT_ALLOWED')
  if (!isAmount(request.amountMicros)) return refuse('INVALID_AMOUNT')
  if (request.receiver === 'unknown') return refuse('ADDRESS_NOT_REGISTERED')
  if (request.receiver === 'self') return refuse('SELF_TRANSFER')
  if (request.amountMicros < plan.transfer.minimumMicros) return refuse('BELOW_MINIMUM')
  if (request.amountMicros > request.availableMicros) return refuse('INSUFFICIENT_BALANCE')
  return { ok: true }
}
