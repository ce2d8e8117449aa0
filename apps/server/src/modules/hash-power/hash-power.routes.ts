import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { register } from '../../plugins/route.ts'
import type { HashPowerService } from './hash-power.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly hashPower: HashPowerService
}

/** `hashrate...`. */
export function hashPowerRoutes(app: FastifyInstance, { db, now, hashPower }: Deps): void {
  register(app, 'hashRate', ({ session, query }) => hashPower.overview(db, session.memberId, query))

  register(app, 'hashRatePercent', ({ session }) => hashPower.discounts(db, session.memberId))

  register(app, 'hashRateQuote', ({ session, body }) =>
    inDbTx(db, (dbTx) => hashPower.quote(dbTx, session.memberId, parseMicros(body.amount))),
  )

  register(app, 'buyHashRate', ({ session, body, idempotency }) =>
    inDbTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        hashPower.buy(dbTx, session.memberId, BigInt(body.quote_id)),
      ),
    ),
  )
}
