/** The five assets held off-chain. Rules, section 1. */
export const ASSETS = ['USDT', 'AMC', 'RIF', 'VC', 'DIV'] as const
export type Asset = (typeof ASSETS)[number]

/** The two assets used for package payments, rewards and withdrawals. Rules, sections 4, 6 and 7. */
export const PAYMENT_ASSETS = ['USDT', 'AMC'] as const
export type PaymentAsset = (typeof PAYMENT_ASSETS)[number]

/** The accounts of a member for each asset. Rules, section 2. */
export const MEMBER_ACCOUNTS = [
  'available',
  'locked',
  'withdrawing',
  'savings',
  'savings_leaving',
  'fund_income',
] as const
export type MemberAccount = (typeof MEMBER_ACCOUNTS)[number]

/** The member accounts whose money is in savings, or on its way out of them. */
export const SAVINGS_ACCOUNTS = ['savings', 'savings_leaving'] as const satisfies readonly MemberAccount[]
/** The other member accounts. */
export const PLATFORM_ACCOUNTS: readonly MemberAccount[] = MEMBER_ACCOUNTS.filter(
  (account) => !SAVINGS_ACCOUNTS.some((saved) => saved === account),
)

/**
 * The accounts of the operator for each asset; `fund_custody` is the cash of a product. Only
 * `external` can be negative. Rules, section 2.
 */
export const OPERATOR_ACCOUNTS = [
  'external',
  'revenue',
  'commission_pool',
  'yield_pool',
  'savings_pool',
  'dividend_pool',
  'fund_custody',
  'fees',
  'suspense',
] as const
export type OperatorAccount = (typeof OPERATOR_ACCOUNTS)[number]

/** Reports whether an asset is used for package payments, rewards and withdrawals. */
export function isPaymentAsset(asset: Asset): asset is PaymentAsset {
  return asset === 'USDT' || asset === 'AMC'
}
