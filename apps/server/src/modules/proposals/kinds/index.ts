import type { ContractAddresses } from '../../../chain/banks.ts'
import type { EventHandlers } from '../../../chain/indexer/events.ts'
import type { Now } from '../../../lib/clock.ts'
import type { AdminLogService } from '../../admin-log/admin-log.service.ts'
import type { AdminsService } from '../../admins/admins.service.ts'
import type { Announcements } from '../../announcements/announcements.service.ts'
import type { AttestedRevenue } from '../../attested-revenue/attested-revenue.service.ts'
import type { Checkout } from '../../checkout/checkout.service.ts'
import type { LaunchReview } from '../../exchange/exchange.launch-review.service.ts'
import type { ExchangeTerms } from '../../exchange/exchange.terms.service.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { Guard } from '../../guard/guard.service.ts'
import type { HashPowerGrants } from '../../hash-power/hash-power.grants.service.ts'
import type { LeavingService } from '../../leaving/leaving.service.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { OpeningService } from '../../opening/opening.service.ts'
import type { PlanComparisons } from '../../plan-comparison/plan-comparison.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { DisplayRates } from '../../pricing/pricing.rates.service.ts'
import type { PricingService } from '../../pricing/pricing.service.ts'
import type { PriceSources } from '../../pricing/pricing.sources.service.ts'
import type { ReachService } from '../../reach/reach.service.ts'
import type { DayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import type { SettlementService } from '../../settlement/settlement.service.ts'
import type { TransferReview, TransfersService } from '../../transfers/transfers.service.ts'
import type { DestinationsService } from '../../treasury/treasury.destinations.service.ts'
import type { ExitsService } from '../../treasury/treasury.exits.service.ts'
import type { Webhooks } from '../../webhooks/webhooks.service.ts'
import type { WithdrawalReview } from '../../withdrawals/withdrawals.service.ts'
import type { Depositors } from '../proposals.depositors.service.ts'
import type { Kinds } from '../proposals.kinds.ts'
import { announcementKind } from './announcements.ts'
import { attestedRevenueKind } from './attested-revenue.ts'
import { reversalKind, setAsideKind, suspenseKind } from './books.ts'
import { displayRateKind } from './display-rate.ts'
import { exchangeTermsKind, launchKind } from './exchange.ts'
import {
  divestKind,
  fundProductKind,
  fundRedemptionKind,
  fundStateKind,
  investKind,
  valuationKind,
} from './fund.ts'
import { guardClearKind } from './guard.ts'
import { hashPowerKind } from './hash-power.ts'
import { transfersKind, withdrawalsKind } from './leaving.ts'
import { openingKind } from './opening.ts'
import { dayCapKind, pauseKind, resumeKind, roleKind, unflagKind, unfreezeKind } from './people.ts'
import { outsidePriceKind, planKind, priceKind } from './pricing.ts'
import { reachKind } from './reach.ts'
import { recoveryKind } from './recovery.ts'
import { exitDestinationKind, treasuryPayoutKind } from './treasury.ts'
import { webhookKind } from './webhooks.ts'

export interface KindsDeps {
  readonly eventHandlers: EventHandlers
  readonly now: Now
  readonly chain: { readonly chainId: number }
  readonly adminLog: AdminLogService
  readonly admins: AdminsService
  readonly contracts: ContractAddresses
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly planComparisons: PlanComparisons
  readonly pricing: PricingService
  readonly priceSources: PriceSources
  readonly displayRates: DisplayRates
  readonly checkout: Checkout
  readonly fund: Fund
  readonly attestedRevenue: AttestedRevenue
  readonly depositors: Depositors
  readonly dayCaps: DayCapsService
  readonly hashPowerGrants: HashPowerGrants
  readonly exchangeTerms: ExchangeTerms
  readonly launchReview: LaunchReview
  readonly guard: Guard
  readonly opening: OpeningService
  readonly leaving: LeavingService
  readonly webhooks: Webhooks
  readonly announcements: Announcements
  readonly reach: ReachService
  readonly withdrawalReview: WithdrawalReview
  readonly transferReview: TransferReview
  readonly transfers: TransfersService
  readonly settlement: SettlementService
  readonly exits: ExitsService
  readonly exitDestinations: DestinationsService
}

/** All kinds of decisions by two people, each implemented by its capability's service. */
export function createKinds(deps: KindsDeps): Kinds {
  const { now, ledger, fund, members, withdrawalReview: review } = deps
  return {
    price: priceKind(deps),
    outside_price: outsidePriceKind(deps),
    display_rate: displayRateKind(deps),
    plan: planKind(deps),
    role: roleKind(deps),
    pause: pauseKind(deps),
    resume: resumeKind(deps),
    unfreeze: unfreezeKind(deps),
    unflag: unflagKind(deps),
    withdrawals: withdrawalsKind({ now, ledger, plans: deps.plans, review }),
    transfers: transfersKind({ now, ledger, members, plans: deps.plans, review: deps.transferReview }),
    attestation: attestedRevenueKind(deps),
    hash_power: hashPowerKind({ grants: deps.hashPowerGrants, members }),
    fund_product: fundProductKind({ fund }),
    fund_product_state: fundStateKind({ fund }),
    fund_valuation: valuationKind({ fund }),
    fund_divest: divestKind({ ...deps, fund }),
    fund_invest: investKind({ ...deps, fund }),
    fund_redemption: fundRedemptionKind({ fund }),
    launch: launchKind({ review: deps.launchReview }),
    exchange_terms: exchangeTermsKind({ now, terms: deps.exchangeTerms }),
    day_cap: dayCapKind(deps),
    guard_clear: guardClearKind(deps),
    opening: openingKind(deps),
    event_set_aside: setAsideKind(deps),
    suspense: suspenseKind({ checkout: deps.checkout, members }),
    recovery: recoveryKind(deps),
    treasury_payout: treasuryPayoutKind(deps),
    exit_destination: exitDestinationKind(deps),
    webhook: webhookKind(deps),
    announcement: announcementKind(deps),
    reach: reachKind(deps),
    reversal: reversalKind({ now, ledger, transfers: deps.transfers }),
  }
}
