import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { idempotent } from '../../../lib/idempotency.ts'
import { register } from '../../../plugins/route.ts'
import type { ConsentsService } from '../../leaving/leaving.consents.service.ts'
import type { Conversions } from '../exchange.conversions.service.ts'
import type { HashPowerService } from './hash-power.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly hashPower: HashPowerService
  readonly conversions: Conversions
  readonly consents: ConsentsService
}

/** `hashrate...`. */
export function hashPowerRoutes(
  app: FastifyInstance,
  { db, now, hashPower, conversions, consents }: Deps,
): void {
  register(app, 'hashRate', ({ session, query }) => hashPower.overview(db, session.memberId, query))

  register(app, 'hashRatePercent', ({ session }) => hashPower.discounts(db, session.memberId))

  register(app, 'hashRateQuote', ({ session, body }) =>
    inTx(db, (dbTx) => hashPower.quote(dbTx, session.memberId, parseMicros(body.amount))),
  )

  register(app, 'buyHashRate', async ({ session, body, idempotency }) => {
    const { memberId } = session
    const quoteId = BigInt(body.quote_id)
    const consent =
      body.signed &&
      (await consents.check(session, await conversions.wishOf(db, memberId, quoteId), body.signed))
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => hashPower.buy(dbTx, memberId, quoteId, consent)),
    )
  })
}
