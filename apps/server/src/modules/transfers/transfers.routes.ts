import { formatMicros, parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { registerCsv } from '../../plugins/csv.ts'
import { register } from '../../plugins/route.ts'
import { TRANSFER_COLUMNS } from './transfers.csv.ts'
import type { TransfersService } from './transfers.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly transfers: TransfersService
}

/** `transfer...`. */
export function transferRoutes(app: FastifyInstance, { db, now, transfers }: Deps): void {
  const { contacts } = transfers

  register(app, 'transfer', ({ session, body, idempotency }) =>
    inDbTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        transfers.transfer(dbTx, session.memberId, {
          asset: body.asset,
          amountMicros: parseMicros(body.amount),
          address: body.address,
        }),
      ),
    ),
  )

  register(app, 'transfers', ({ session, query }) => transfers.list(db, session.memberId, query))

  registerCsv(app, 'transfers', TRANSFER_COLUMNS, ({ memberId }, query) =>
    transfers.list(db, memberId, query),
  )

  register(app, 'receiver', ({ session, query }) => contacts.receiver(db, session.memberId, query.address))

  const withMinimum = async <T>(contactList: T) => ({
    ...contactList,
    minimum: formatMicros(await transfers.minimumMicros(db)),
  })
  register(app, 'contacts', async ({ session }) => withMinimum(await contacts.list(db, session.memberId)))
  register(app, 'saveContact', async ({ session, body }) =>
    withMinimum(await inDbTx(db, (dbTx) => contacts.save(dbTx, session.memberId, body))),
  )
  register(app, 'removeContact', async ({ session, body }) =>
    withMinimum(await inDbTx(db, (dbTx) => contacts.remove(dbTx, session.memberId, body.address))),
  )
}
