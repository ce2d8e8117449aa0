/** Why a rule can refuse; the API and the scenarios use the same names. INVALID_PLAN is for the admin who prepares a plan. */
export type RefusalCode =
  | 'ASSET_NOT_ALLOWED'
  | 'INVALID_AMOUNT'
  | 'ADDRESS_NOT_REGISTERED'
  | 'SELF_TRANSFER'
  | 'ORDER_OPEN'
  | 'PRICE_UNAVAILABLE'
  | 'AMOUNT_NOT_ABOVE_FEE'
  | 'BELOW_MINIMUM'
  | 'INSUFFICIENT_BALANCE'
  | 'UNITS_NOT_REDEEMABLE'
  | 'DAILY_LIMIT'
  | 'INVALID_PLAN'

/** The answer of a rule that says no. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly ok: false
  readonly code: Code
}

/** Makes the answer of a rule that says no. */
export function refuse<Code extends RefusalCode>(code: Code): Refusal<Code> {
  return { ok: false, code }
}
