import type { AdminRole } from '@rif/api-schema'
import type { SideChoice } from '@rif/rules'

/** A member of the demonstration team. */
export interface DemoPerson {
  readonly name: string
  /** The name of the inviter; null at the top. */
  readonly sponsor: string | null
  readonly side: SideChoice
  /** Hash power granted by the operator, in whole RIF. */
  readonly rif?: string
  /** The description in the demo wallet; it does not offer members without one. */
  readonly label?: string
}

/** An order of the package of a level. */
export interface DemoPurchase {
  readonly buyer: string
  readonly level: number
  readonly useHashRate?: boolean
  /** Counts the further ones of the same level. */
  readonly copy?: number
}

/** A withdrawal of USDT, and what becomes of it. `wait` leaves it as the request made it. */
export interface DemoWithdrawal {
  readonly member: string
  readonly amount: string
  /** To an address that is not the member's own, which an admin has to look at. */
  readonly foreign?: true
  readonly outcome: 'wait' | 'claim' | 'cancel' | 'approve' | 'reject'
  readonly reason?: string
}

/** Sponsors stand before those they invite. */
export const DEMO_TEAM: readonly DemoPerson[] = [
  { name: 'Ruth', sponsor: null, side: 'auto', rif: '500', label: 'VIP 5, top of the team' },
  { name: 'Ann', sponsor: 'Ruth', side: 'left', rif: '100', label: 'VIP 3, teams on both legs' },
  { name: 'Ben', sponsor: 'Ruth', side: 'right', label: 'VIP 4, upgraded, has withdrawn' },
  { name: 'Cleo', sponsor: 'Ann', side: 'left' },
  { name: 'Dan', sponsor: 'Ann', side: 'right', label: 'VIP 2, withdrawal under review' },
  { name: 'Eva', sponsor: 'Ann', side: 'auto' },
  { name: 'Finn', sponsor: 'Ben', side: 'left', rif: '40', label: 'VIP 3, withdrawal rejected' },
  { name: 'Gwen', sponsor: 'Ben', side: 'right', rif: '10' },
  { name: 'Hugo', sponsor: 'Ben', side: 'auto' },
  { name: 'Iris', sponsor: 'Cleo', side: 'left' },
  { name: 'Jon', sponsor: 'Cleo', side: 'right' },
  { name: 'Kim', sponsor: 'Cleo', side: 'auto', label: 'member, nothing bought yet' },
  { name: 'Leo', sponsor: 'Dan', side: 'left' },
  { name: 'Mia', sponsor: 'Dan', side: 'right', rif: '20' },
  { name: 'Nils', sponsor: 'Finn', side: 'left', rif: '200' },
  { name: 'Olga', sponsor: 'Finn', side: 'right' },
  { name: 'Pia', sponsor: 'Finn', side: 'auto' },
  { name: 'Quinn', sponsor: 'Gwen', side: 'left' },
  { name: 'Rosa', sponsor: 'Gwen', side: 'auto' },
  { name: 'Sam', sponsor: 'Iris', side: 'left' },
  { name: 'Tara', sponsor: 'Iris', side: 'auto' },
  { name: 'Uma', sponsor: 'Jon', side: 'right' },
  { name: 'Vic', sponsor: 'Jon', side: 'auto' },
  { name: 'Wim', sponsor: 'Nils', side: 'left' },
  { name: 'Xena', sponsor: 'Nils', side: 'right' },
  { name: 'Yara', sponsor: 'Mia', side: 'auto' },
  { name: 'Zoe', sponsor: 'Sam', side: 'left' },
  { name: 'Abel', sponsor: 'Sam', side: 'auto' },
  { name: 'Bea', sponsor: 'Wim', side: 'auto', rif: '8', label: 'member, order not paid yet' },
  { name: 'Cid', sponsor: 'Zoe', side: 'left' },
  { name: 'Dora', sponsor: 'Ruth', side: 'auto' },
]

/** Paid in this order, which decides who is a valid member when a reward is due. */
export const PAID_PURCHASES: readonly DemoPurchase[] = [
  { buyer: 'Ruth', level: 5 },
  { buyer: 'Ann', level: 3, useHashRate: true },
  { buyer: 'Ben', level: 2 },
  { buyer: 'Cleo', level: 3 },
  { buyer: 'Dan', level: 2 },
  { buyer: 'Eva', level: 1 },
  { buyer: 'Ben', level: 4 },
  { buyer: 'Finn', level: 3, useHashRate: true },
  { buyer: 'Gwen', level: 2, useHashRate: true },
  { buyer: 'Iris', level: 1 },
  { buyer: 'Jon', level: 2 },
  { buyer: 'Leo', level: 1 },
  { buyer: 'Mia', level: 3, useHashRate: true },
  { buyer: 'Nils', level: 4, useHashRate: true },
  { buyer: 'Olga', level: 1 },
  { buyer: 'Quinn', level: 2 },
  { buyer: 'Rosa', level: 1 },
  { buyer: 'Sam', level: 1 },
  { buyer: 'Uma', level: 2 },
  { buyer: 'Vic', level: 1 },
  { buyer: 'Wim', level: 3 },
  { buyer: 'Xena', level: 2 },
  { buyer: 'Zoe', level: 2 },
  { buyer: 'Dora', level: 4 },
]

export const CANCELLED_PURCHASE: DemoPurchase = { buyer: 'Cid', level: 1 }
export const UNPAID_PURCHASE: DemoPurchase = { buyer: 'Bea', level: 2, useHashRate: true }
/** Paid on chain, and waiting for confirmations when all else is done. */
export const PROCESSING_PURCHASE: DemoPurchase = { buyer: 'Yara', level: 1 }

export const WITHDRAWALS: readonly DemoWithdrawal[] = [
  { member: 'Ruth', amount: '150', outcome: 'claim' },
  { member: 'Ruth', amount: '1200', outcome: 'wait' },
  { member: 'Ben', amount: '120', outcome: 'claim' },
  {
    member: 'Ben',
    amount: '60',
    foreign: true,
    outcome: 'approve',
    reason: 'The member confirmed the address',
  },
  { member: 'Ann', amount: '40', outcome: 'wait' },
  { member: 'Ann', amount: '25', outcome: 'cancel' },
  { member: 'Nils', amount: '30', outcome: 'claim' },
  { member: 'Dan', amount: '20', foreign: true, outcome: 'wait' },
  {
    member: 'Finn',
    amount: '50',
    foreign: true,
    outcome: 'reject',
    reason: 'The address belongs to a service that does not accept deposits from contracts',
  },
]

/** A transfer into or out of savings. */
export interface DemoSaving {
  readonly member: string
  readonly asset: 'USDT' | 'AMC'
  readonly amount: string
  readonly direction: 'in' | 'out'
}

/** Something that happened in the demonstration's past, by the day counted from its first. */
interface Dated {
  readonly day: number
}

/** Test deposits on the first day: rewards in AMC are locked for a month at first, and these leave some to buy hash power with. */
export const DEPOSITS: readonly Omit<DemoSaving, 'direction'>[] = [
  { member: 'Ruth', asset: 'USDT', amount: '1000' },
  { member: 'Ruth', asset: 'AMC', amount: '6400' },
  { member: 'Ben', asset: 'USDT', amount: '300' },
  { member: 'Ann', asset: 'USDT', amount: '200' },
]

export const PAST_SAVINGS: readonly (DemoSaving & Dated)[] = [
  { day: 0, member: 'Ruth', asset: 'USDT', amount: '700', direction: 'in' },
  { day: 0, member: 'Ruth', asset: 'AMC', amount: '6000', direction: 'in' },
  { day: 1, member: 'Ben', asset: 'USDT', amount: '300', direction: 'in' },
  { day: 4, member: 'Ruth', asset: 'USDT', amount: '300', direction: 'in' },
  { day: 5, member: 'Ann', asset: 'USDT', amount: '150', direction: 'in' },
]

/** The amount is worth more than what arrives within minutes, so it can be seen on its way. */
export const SAVINGS: readonly DemoSaving[] = [
  { member: 'Ruth', asset: 'AMC', amount: '2500', direction: 'out' },
]

/** An exchange of hash power. */
export interface DemoExchange {
  readonly member: string
  readonly to: 'DIV' | 'VC'
  readonly rif: string
}

export const PAST_EXCHANGES: readonly (DemoExchange & Dated)[] = [
  { day: 1, member: 'Ruth', to: 'DIV', rif: '30' },
  { day: 6, member: 'Ann', to: 'DIV', rif: '10' },
]

/** The operator's external revenue that was paid in. It covers the interest of some days fully, of some in part, of some not at all. */
export const REVENUE: readonly (Dated & {
  readonly pool: 'savings_pool' | 'dividend_pool'
  readonly asset: 'USDT' | 'AMC'
  readonly amount: string
  readonly source: string
})[] = [
  { day: 0, pool: 'savings_pool', asset: 'USDT', amount: '3', source: 'Interest of a treasury bill' },
  { day: 0, pool: 'savings_pool', asset: 'AMC', amount: '15', source: 'Validator rewards' },
  { day: 3, pool: 'dividend_pool', asset: 'USDT', amount: '24', source: 'Licence fees' },
  { day: 7, pool: 'savings_pool', asset: 'USDT', amount: '6', source: 'Interest of a treasury bill' },
  { day: 8, pool: 'dividend_pool', asset: 'AMC', amount: '30', source: 'Validator rewards' },
  { day: 9, pool: 'savings_pool', asset: 'AMC', amount: '14', source: 'Validator rewards' },
  { day: 10, pool: 'dividend_pool', asset: 'USDT', amount: '15', source: 'Licence fees' },
  { day: 13, pool: 'dividend_pool', asset: 'USDT', amount: '18', source: 'Licence fees' },
]

/** Hash power that is exchanged, in this order. */
export const EXCHANGES: readonly DemoExchange[] = [
  { member: 'Ruth', to: 'DIV', rif: '60' },
  { member: 'Ruth', to: 'VC', rif: '40' },
  { member: 'Ann', to: 'DIV', rif: '5' },
  { member: 'Ann', to: 'VC', rif: '10' },
]

/** A launch that is open for some days; the price is VC for one unit. */
export const LAUNCH = {
  name: 'Harbour solar park',
  allocation: '100',
  price: '0.5',
  days: 14,
  introduction: 'Units of a solar park on the roofs of a harbour. What they will bring is not known.',
}

/** VC put into the launch. */
export const SUBSCRIPTIONS: readonly { member: string; vc: string }[] = [
  { member: 'Ruth', vc: '25' },
  { member: 'Ann', vc: '4' },
]

/** Wallets of the operator's side, no members; whoever prepares something, another approves it. */
export const ADMINS: readonly { readonly label: string; readonly role: AdminRole }[] = [
  { label: 'Olivia - admin, owner', role: 'owner' },
  { label: 'Otto - admin, second owner', role: 'owner' },
  { label: 'Paul - admin, operator', role: 'operator' },
  { label: 'Vera - admin, approver', role: 'approver' },
  { label: 'Walt - admin, viewer', role: 'viewer' },
]

/** Wallets with test tokens that are no members yet. */
export const VISITORS: readonly string[] = [
  'New visitor 1',
  'New visitor 2',
  'New visitor 3',
  'New visitor 4',
]
