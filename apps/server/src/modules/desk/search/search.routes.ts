import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { RewardFigures } from '../../rewards/rewards.figures.service.ts'
import type { Shop } from '../../shop/shop.service.ts'
import type { SearchService } from './search.service.ts'

interface Deps {
  readonly db: Db
  readonly search: SearchService
  readonly shop: Pick<Shop, 'list'>
  readonly fund: Pick<Fund, 'orders'>
  readonly rewardFigures: Pick<RewardFigures, 'detail'>
  readonly withdrawals: Pick<WithdrawalsService, 'list'>
}

/** `admin/search` and `admin/members/*`. */
export function searchRoutes(
  app: FastifyInstance,
  { db, search, shop, fund, rewardFigures, withdrawals }: Deps,
): void {
  const memberOf = (params: { member_id: string }) => BigInt(params.member_id)

  register(app, 'adminSearch', ({ query }) => search.search(db, query.q))
  register(app, 'adminMembers', ({ query }) => search.list.page(db, query))
  register(app, 'adminMember', ({ params }) => search.member(db, memberOf(params)))
  register(app, 'adminMemberLedger', ({ params, query }) => search.ledger(db, memberOf(params), query))
  register(app, 'adminMemberOrders', ({ params, query }) => shop.list(db, memberOf(params), query))
  register(app, 'adminMemberFundOrders', ({ params, query }) => fund.orders.list(db, memberOf(params), query))
  register(app, 'adminMemberRewards', ({ params, query }) => search.rewards(db, memberOf(params), query))
  register(app, 'adminMemberReward', async ({ params }) => ({
    ...(await rewardFigures.detail(db, memberOf(params), BigInt(params.reward_id))),
    // The member's own name for somebody is nobody else's business.
    source_label: null,
  }))
  register(app, 'adminMemberWithdrawals', ({ params, query }) =>
    withdrawals.list(db, memberOf(params), query),
  )
  register(app, 'adminMemberSessions', ({ params, query }) => search.sessions(db, memberOf(params), query))
  register(app, 'adminMemberNotes', ({ params, query }) => search.notes(db, memberOf(params), query))
  register(app, 'addMemberNote', ({ params, body, admin }) =>
    inTx(db, (dbTx) =>
      search.addNote(dbTx, { memberId: memberOf(params), text: body.text, actor: admin.address }),
    ),
  )
}
