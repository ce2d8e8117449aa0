import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { register } from '../../plugins/route.ts'
import type { ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { Conversions } from './exchange.conversions.service.ts'
import type { Dividends } from './exchange.dividends.service.ts'
import type { Launches } from './exchange.launches.service.ts'
import type { ExchangeService } from './exchange.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly exchange: ExchangeService
  readonly conversions: Conversions
  readonly dividends: Dividends
  readonly launches: Launches
  readonly consents: ConsentsService
}

/** `exchange...`. */
export function exchangeRoutes(
  app: FastifyInstance,
  { db, now, exchange, conversions, dividends, launches, consents }: Deps,
): void {
  register(app, 'exchange', ({ session }) => exchange.overview(session.memberId))

  register(app, 'exchangeQuote', ({ session, body }) =>
    inTx(db, (dbTx) =>
      exchange.quote(dbTx, session.memberId, { to: body.to, rifMicros: parseMicros(body.amount) }),
    ),
  )

  register(app, 'makeExchange', async ({ session, body, idempotency }) => {
    const { memberId } = session
    const quoteId = BigInt(body.quote_id)
    const consent =
      body.signed &&
      (await consents.check(session, await conversions.wishOf(db, memberId, quoteId), body.signed))
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => exchange.make(dbTx, memberId, quoteId, consent)),
    )
  })

  register(app, 'exchanges', ({ session, query }) => conversions.list(db, session.memberId, query))

  register(app, 'dividends', ({ session, query }) => dividends.list(db, session.memberId, query))

  register(app, 'launches', ({ session, query }) => launches.list(db, session.memberId, query))

  register(app, 'subscribeLaunch', async ({ session, params, body, idempotency }) => {
    const order = { launchId: BigInt(params.launch_id), vcMicros: parseMicros(body.amount) }
    const consent =
      body.signed && (await consents.check(session, await launches.wishOf(db, order), body.signed))
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => launches.subscribe(dbTx, session.memberId, order, consent)),
    )
  })
}
