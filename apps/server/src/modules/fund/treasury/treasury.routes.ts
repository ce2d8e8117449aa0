import { roleAllows } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { idempotent } from '../../../lib/idempotency.ts'
import { register } from '../../../plugins/route.ts'
import type { DestinationsService } from './treasury.destinations.service.ts'
import type { ExitsService } from './treasury.exits.service.ts'
import type { TreasuryService } from './treasury.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly treasury: TreasuryService
  readonly exits: ExitsService
  readonly exitDestinations: DestinationsService
}

/** `admin/treasury`. */
export function treasuryRoutes(
  app: FastifyInstance,
  { db, now, treasury, exits, exitDestinations }: Deps,
): void {
  register(app, 'treasury', ({ admin }) => treasury.overview(admin.address))
  register(app, 'exits', ({ query }) => exits.list(query))
  register(app, 'exitDestinations', async () => ({ items: await exitDestinations.list(db) }))
  register(app, 'exitTx', ({ admin, params }) => {
    // A guardian who cancels may hold any role here.
    if (params.call !== 'cancel' && !roleAllows(admin.role, 'operator')) throw new AppError('FORBIDDEN')
    return exits.tx(BigInt(params.exit_id), params.call)
  })
  register(app, 'withdrawExit', ({ admin, params, body, idempotency }) =>
    inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        exits.withdraw(dbTx, {
          exitId: BigInt(params.exit_id),
          actor: admin.address,
          reason: body.reason,
        }),
      ),
    ),
  )
}
