import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inDbTx, inMemberTx } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { SavingsAccounts } from './savings.account.service.ts'
import type { SavingsService } from './savings.service.ts'
import type { StandingSavings } from './savings.standing.service.ts'

interface Deps {
  readonly db: Db
  readonly savings: SavingsService
  readonly savingsAccounts: SavingsAccounts
  readonly standingSavings: StandingSavings
}

/** `savings...`. */
export function savingsRoutes(
  app: FastifyInstance,
  { db, savings, savingsAccounts, standingSavings }: Deps,
): void {
  register(app, 'savings', ({ session }) => savingsAccounts.account(db, session.memberId))

  register(app, 'savingsIn', ({ session, body, idempotency }) =>
    inMemberTx(db, session, (dbTx) => savings.transferIn(dbTx, session.memberId, orderOf(body), idempotency)),
  )

  register(app, 'savingsOut', ({ session, body, idempotency }) =>
    inMemberTx(db, session, (dbTx) =>
      savings.transferOut(dbTx, session.memberId, orderOf(body), idempotency),
    ),
  )

  register(app, 'savingsStanding', ({ session }) => standingSavings.list(db, session.memberId))

  register(app, 'savingsStandingSet', ({ session, body }) =>
    inDbTx(db, (dbTx) => standingSavings.set(dbTx, session.memberId, body)),
  )

  register(app, 'savingsStandingEnd', ({ session, body }) =>
    inDbTx(db, (dbTx) => standingSavings.end(dbTx, session.memberId, body.asset)),
  )

  register(app, 'savingsTransfers', ({ session, query }) => savings.transfers(db, session.memberId, query))

  register(app, 'savingsInterest', ({ session, query }) =>
    savingsAccounts.interest(db, session.memberId, query),
  )

  register(app, 'savingsCoverage', () => savingsAccounts.coverage(db))
}

function orderOf({ asset, amount }: { asset: 'USDT' | 'AMC'; amount: string }) {
  return { asset, amountMicros: parseMicros(amount) }
}
