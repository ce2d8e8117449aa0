import type { MONEY_WAYS, MoneyWay } from '@rif/api-schema'

type Kind = (typeof MONEY_WAYS)[number]

/**
 * A movement of money: who makes it, its public wait on chain, and where its rule is enforced. Rules,
 * sections 2 and 7.
 */
export interface Way {
  readonly orderedBy: MoneyWay['ordered_by']
  readonly waits?: true
  readonly enforcedBy: MoneyWay['enforced_by']
}

const ALL: Way['enforcedBy'] = ['contract', 'database', 'people']

export const WAYS: Readonly<Record<Kind, Way>> = {
  withdrawal_paid: { orderedBy: 'member', enforcedBy: ALL },
  treasury_payout: { orderedBy: 'two_admins', waits: true, enforcedBy: ALL },
  fund_invest: { orderedBy: 'two_admins', waits: true, enforcedBy: ALL },
  suspense_release: { orderedBy: 'two_admins', enforcedBy: ALL },
  claim_set_aside: { orderedBy: 'nobody', enforcedBy: ['database', 'people'] },
  payment_made_good: { orderedBy: 'nobody', enforcedBy: ['database'] },
  order_payment: { orderedBy: 'member', enforcedBy: ['contract', 'database'] },
  fund_purchase: { orderedBy: 'member', enforcedBy: ['contract', 'database'] },
  attested_revenue: { orderedBy: 'two_admins_document', enforcedBy: ['database', 'people'] },
  fund_divest: { orderedBy: 'two_admins_document', enforcedBy: ['database', 'people'] },
  unmatched_payment: { orderedBy: 'anyone', enforcedBy: ['database'] },
  grant: { orderedBy: 'two_admins', enforcedBy: ['database', 'people'] },
  hash_power_purchase: { orderedBy: 'member', enforcedBy: ['database'] },
  exchange: { orderedBy: 'member', enforcedBy: ['database'] },
}

/** A grant of tokens, which the database refuses outside a simulation. */
export const TEST_DEPOSIT: Way = { orderedBy: 'nobody', enforcedBy: ['database'] }

/** A kind that the policy does not describe. Tests ensure that the flow table has none. */
export const UNDESCRIBED: Way = { orderedBy: 'nobody', enforcedBy: ['database'] }

/**
 * A movement that leads out through another kind: a refund reaches the payer's balance, which the payer then
 * claims.
 */
export const REFUND: Kind = 'suspense_release'
/** The assets whose tokens the bank contract holds. */
export const TOKENS: readonly string[] = ['USDT', 'AMC']
