import type { Me } from '@rif/api-schema'
import { dayOf } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { readMembers } from '../../../db/read.ts'
import { batched } from '../../../lib/batched.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { ExchangeTerms } from '../../exchange/exchange.terms.service.ts'
import type { Fund } from '../../fund/fund.service.ts'
import { MEMBERS } from '../../members/members.relations.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { PlacementService } from '../../members/placement/placement.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { AwardService } from '../../rewards/rewards.award.service.ts'
import type { DayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import type { RewardsService } from '../../rewards/rewards.service.ts'
import type { Shop } from '../../shop/shop.service.ts'
import { meView } from './view.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly members: MembersService
  readonly admins: Pick<AdminsService, 'roleRead'>
  readonly placement: PlacementService
  readonly ledger: LedgerService
  readonly rewards: RewardsService
  readonly reversals: Pick<Reversals, 'debtsRead'>
  readonly awards: AwardService
  readonly dayCaps: DayCapsService
  readonly shop: Shop
  readonly plans: PlansService
  readonly exchangeTerms: ExchangeTerms
  readonly fund: Pick<Fund, 'overview'>
}

export type MeService = ReturnType<typeof createMeService>

/**
 * Creates the member's own page in one response: the specification's user info, combined from every
 * capability.
 */
export function createMeService(deps: Deps) {
  const {
    db,
    now,
    members,
    admins,
    placement,
    ledger,
    rewards,
    awards,
    dayCaps,
    shop,
    plans,
    exchangeTerms,
  } = deps
  const fund = deps.fund.overview
  // Members who call at the same moment share one statement. Nothing is cached, so everybody sees the current state.
  const load = batched(async (memberIds: readonly bigint[]) => {
    const today = dayOf(now().getTime())
    const plan = await plans.planAt(db, today)
    const reads = await readMembers(db, memberIds, {
      member: members.memberRead,
      adminRole: admins.roleRead(MEMBERS),
      team: placement.teamRead(),
      exchangeRates: exchangeTerms.ratesRead(),
      fundTerms: fund.termsRead,
      balances: ledger.balancesRead,
      ...rewards.incomeReads(),
      awardBase: awards.baseRead,
      ownDayCap: dayCaps.capRead,
      investments: shop.investmentsRead(plan),
      fundHeld: fund.heldRead,
      owed: deps.reversals.debtsRead,
    })
    return memberIds.map(() => ({ today, plan, reads }))
  })

  return {
    /** Throws MEMBER_NOT_FOUND. */
    async me(memberId: bigint): Promise<Me> {
      const { today, plan, reads } = await load(memberId)
      const answers = reads.answers(memberId)
      const fundLevel = fund.levelOf(answers.fundHeld, answers.fundTerms, plan)
      return meView({ today, plan, fundLevel, ...answers })
    },
  }
}
