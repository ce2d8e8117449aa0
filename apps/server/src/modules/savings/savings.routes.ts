import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { SavingsAccounts } from './savings.account.service.ts'
import { type SavingsService, savingsWish } from './savings.service.ts'
import { type StandingSavings, standingWish } from './savings.standing.service.ts'

interface Deps {
  readonly db: Db
  readonly savings: SavingsService
  readonly savingsAccounts: SavingsAccounts
  readonly standingSavings: StandingSavings
  readonly consents: ConsentsService
}

/** `savings...`. */
export function savingsRoutes(
  app: FastifyInstance,
  { db, savings, savingsAccounts, standingSavings, consents }: Deps,
): void {
  register(app, 'savings', ({ session }) => savingsAccounts.account(db, session.memberId))

  register(app, 'savingsIn', async ({ session, body, idempotency: request }) => {
    const order = orderOf(body)
    const consent = body.signed && (await consents.check(session, savingsWish(order), body.signed))
    return inTx(db, (dbTx) => savings.transferIn(dbTx, session.memberId, order, { request, consent }))
  })

  register(app, 'savingsOut', ({ session, body, idempotency: request }) =>
    inTx(db, (dbTx) => savings.transferOut(dbTx, session.memberId, orderOf(body), { request })),
  )

  register(app, 'savingsStanding', ({ session }) => standingSavings.list(db, session.memberId))

  register(app, 'savingsStandingSet', async ({ session, body: { signed, ...body } }) => {
    const consent = signed && (await consents.check(session, standingWish(body), signed))
    return inTx(db, (dbTx) => standingSavings.set(dbTx, session, body, consent))
  })

  register(app, 'savingsStandingEnd', ({ session, body }) =>
    inTx(db, (dbTx) => standingSavings.end(dbTx, session.memberId, body.asset)),
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
