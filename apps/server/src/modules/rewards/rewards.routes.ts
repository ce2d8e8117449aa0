import { formatMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { registerCsv } from '../../plugins/csv.ts'
import { register } from '../../plugins/route.ts'
import { REWARD_COLUMNS } from './csv.ts'
import type { AwardService } from './rewards.award.service.ts'
import type { RewardFigures } from './rewards.figures.service.ts'
import type { RewardsService } from './rewards.service.ts'
import { incomeSumsView } from './view.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly rewards: RewardsService
  readonly rewardFigures: RewardFigures
  readonly awards: AwardService
}

/** `profit/*`. */
export function rewardRoutes(app: FastifyInstance, { db, now, rewards, rewardFigures, awards }: Deps): void {
  register(app, 'profitAll', async ({ session, query }) => {
    const [page, income] = await Promise.all([
      rewards.list(db, session.memberId, query),
      rewards.income(db, session.memberId),
    ])
    return {
      ...page,
      sums: incomeSumsView(income.sums),
      profit_sum: formatMicros(income.paidMicros),
      yesterday_profit: formatMicros(income.yesterday.usdtMicros),
      yesterday_profit_amc: formatMicros(income.yesterday.amcMicros),
    }
  })

  registerCsv(app, 'profitAll', REWARD_COLUMNS, ({ memberId }, query) => rewards.list(db, memberId, query))

  register(app, 'profitType', ({ session, query }) => rewardFigures.byType(db, session.memberId, query))
  register(app, 'profitDay', ({ session, query }) => rewardFigures.byDay(db, session.memberId, query))
  register(app, 'profitCoverage', () => rewardFigures.coverage(db))
  register(app, 'management', ({ session }) => awards.award(db, session.memberId))
  register(app, 'setManagement', ({ session, body, idempotency }) =>
    inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => awards.set(dbTx, session.memberId, body.action)),
    ),
  )
  register(app, 'profitFrom', ({ session, params }) =>
    rewardFigures.from(db, session.memberId, BigInt(params.member_id)),
  )
  register(app, 'profitDetail', ({ session, params }) =>
    rewardFigures.detail(db, session.memberId, BigInt(params.reward_id)),
  )
}
