import type { AdminRole, Me } from '@rif/api-schema'
import {
  type Asset,
  type Day,
  dayOf,
  daysBetween,
  formatMicros,
  type Micros,
  managementRank,
  type Plan,
  pairingDayCap,
} from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { MemberBalances } from '../../books/ledger/ledger.service.ts'
import type { OwedByMember } from '../../books/reversals/reversals.service.ts'
import type { Rates } from '../../exchange/exchange.terms.service.ts'
import type { FundTerms } from '../../fund/fund.service.ts'
import type { Member } from '../../members/members.service.ts'
import type { Team } from '../../members/placement/placement.service.ts'
import type { IncomeTotals, PaidOut } from '../../rewards/rewards.service.ts'
import type { Investments } from '../../shop/shop.service.ts'

/** The parts of the user info, by capability. */
export interface MeParts {
  readonly today: Day
  readonly plan: Plan
  readonly member: Member
  readonly adminRole: AdminRole | null
  readonly team: Team
  readonly balances: MemberBalances
  readonly totals: IncomeTotals
  readonly yesterday: PaidOut
  /** The base of the management award, in micro-units. */
  readonly awardBase: Micros
  /** The daily cap of pairing that the operator set for this member, in micro-units; null for none. */
  readonly ownDayCap: Micros | null
  readonly investments: Investments
  readonly exchangeRates: Rates
  readonly fundTerms: FundTerms
  readonly fundLevel: number
  readonly owed: readonly OwedByMember[]
}

/**
 * Returns the specification's user info, under its names. One literal, because this is the most frequent
 * response.
 */
export function meView(parts: MeParts): Me {
  const { today, plan, member, team, balances, totals, yesterday } = parts
  const { awardBase, ownDayCap, investments, exchangeRates } = parts
  const { left, right } = team
  const availableUsdt = formatMicros(balances.USDT.available)
  return {
    member_id: `${member.memberId}`,
    receive_address: getAddress(member.address as Hex),
    level: member.level,
    state: member.state,
    admin_role: parts.adminRole,
    register_days: daysBetween(dayOf(member.joinedAt.getTime()), today),
    invited_count_all: member.invitedAll,
    invited_count_valid: member.invitedValid,
    day_top_profit: formatMicros(pairingDayCap(member.level, ownDayCap, plan)),
    manage_leve: managementRank(awardBase, plan).rank,
    manage_award_base: formatMicros(awardBase),
    fund_level: parts.fundLevel,
    team_size_all: left.membersAll + right.membersAll,
    team_size_valid: left.membersValid + right.membersValid,
    left_team_size_all: left.membersAll,
    left_team_size_valid: left.membersValid,
    right_team_size_all: right.membersAll,
    right_team_size_valid: right.membersValid,
    left_team_investment: formatMicros(left.volumeMicros),
    right_team_investment: formatMicros(right.volumeMicros),
    month_team_invest: formatMicros(left.monthVolumeMicros + right.monthVolumeMicros),
    tjjl: formatMicros(totals.sums.tjjl),
    pdjl: formatMicros(totals.sums.pdjl),
    jtjl: formatMicros(totals.sums.jtjl),
    gljl: formatMicros(totals.sums.gljl),
    profit_sum: formatMicros(totals.paidMicros),
    realized_profit_usdt: formatMicros(totals.usdtMicros),
    realized_profit_amc: formatMicros(totals.amcMicros),
    yesterday_profit: formatMicros(yesterday.usdtMicros),
    yesterday_profit_amc: formatMicros(yesterday.amcMicros),
    available_profit: availableUsdt,
    locked_profit: formatMicros(balances.AMC.locked),
    fund_available_profit: formatMicros(balances.USDT.fund_income),
    withdrawable_usdt: availableUsdt,
    withdrawable_vc: formatMicros(balances.VC.available),
    fixed_invest_amount_usdt: formatMicros(investments.usdtMicros),
    fixed_invest_amount_amc: formatMicros(investments.amcMicros),
    investment_sum: formatMicros(investments.baseMicros),
    remaining_dividends: formatMicros(investments.remainingDividendsMicros),
    service_fee: plan.withdrawal.feePpm,
    redemption_fee: parts.fundTerms.redemptionFeePpm,
    use_hash_rate_percent: plan.order.hashRatePpm,
    dividend_rate: formatMicros(exchangeRates.DIV),
    vc_rate: formatMicros(exchangeRates.VC),
    balances: balancesView(balances),
    owed: parts.owed.map(({ asset, owedMicros }) => ({ asset, amount: formatMicros(owedMicros) })),
  }
}

function balancesView({ USDT, AMC, RIF, VC, DIV }: MemberBalances): Me['balances'] {
  return {
    USDT: accountsView(USDT),
    AMC: accountsView(AMC),
    RIF: accountsView(RIF),
    VC: accountsView(VC),
    DIV: accountsView(DIV),
  }
}

function accountsView(accounts: MemberBalances[Asset]): Me['balances'][Asset] {
  return {
    available: formatMicros(accounts.available),
    locked: formatMicros(accounts.locked),
    withdrawing: formatMicros(accounts.withdrawing),
    savings: formatMicros(accounts.savings),
    savings_leaving: formatMicros(accounts.savings_leaving),
    fund_income: formatMicros(accounts.fund_income),
  }
}
