import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { register } from '../../plugins/route.ts'
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
}

/** `exchange...`. */
export function exchangeRoutes(
  app: FastifyInstance,
  { db, now, exchange, conversions, dividends, launches }: Deps,
): void {
  register(app, 'exchange', ({ session }) => exchange.overview(session.memberId))

  register(app, 'exchangeQuote', ({ session, body }) =>
    inDbTx(db, (dbTx) =>
      exchange.quote(dbTx, session.memberId, { to: body.to, rifMicros: parseMicros(body.amount) }),
    ),
  )

  register(app, 'makeExchange', ({ session, body, idempotency }) =>
    inDbTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        exchange.make(dbTx, session.memberId, BigInt(body.quote_id)),
      ),
    ),
  )

  register(app, 'exchanges', ({ session, query }) => conversions.list(db, session.memberId, query))

  register(app, 'dividends', ({ session, query }) => dividends.list(db, session.memberId, query))

  register(app, 'launches', ({ session, query }) => launches.list(db, session.memberId, query))

  register(app, 'subscribeLaunch', ({ session, params, body, idempotency }) =>
    inDbTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        launches.subscribe(dbTx, session.memberId, {
          launchId: BigInt(params.launch_id),
          vcMicros: parseMicros(body.amount),
        }),
      ),
    ),
  )
}
