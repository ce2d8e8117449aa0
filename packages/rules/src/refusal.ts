/** The reasons for which rules refuse. The API and the scenario files use the same names. */
export type RefusalCode =
  | 'ASSET_NOT_ALLOWED'
  | 'INVALID_AMOUNT'
  | 'ADDRESS_NOT_REGISTERED'
  | 'ADDRESS_NOT_SAVED'
  | 'ADDRESS_TOO_NEW'
  | 'SELF_TRANSFER'
  | 'ORDER_OPEN'
  | 'PRICE_UNAVAILABLE'
  | 'AMOUNT_NOT_ABOVE_FEE'
  | 'BELOW_MINIMUM'
  | 'INSUFFICIENT_BALANCE'
  | 'PRODUCT_CLOSED'
  | 'NAV_TOO_LOW'
  | 'NOTHING_INVESTED'
  | 'UNITS_NOT_REDEEMABLE'
  | 'DAILY_LIMIT'
  | 'INVALID_PLAN'

/** The result of a rule that refuses a request. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly ok: false
  readonly code: Code
}

export function refuse<Code extends RefusalCode>(code: Code): Refusal<Code> {
  return { ok: false, code }
}
