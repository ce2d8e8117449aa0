import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { SettlementDaysService } from './days/days.service.ts'
import type { SettlementRerunService } from './days/rerun.service.ts'

/** `admin/settlement/*`. */
export function settlementRoutes(
  app: FastifyInstance,
  {
    db,
    settlementDays,
    settlementRerun,
  }: { db: Db; settlementDays: SettlementDaysService; settlementRerun: SettlementRerunService },
): void {
  register(app, 'settlementDays', ({ query }) => settlementDays.list(db, query))
  register(app, 'settlementDay', ({ params }) => settlementDays.day(db, params.day))
  register(app, 'dryRun', () => settlementDays.lastRun(db))
  register(app, 'startDryRun', ({ admin }) => settlementDays.requestRun(admin.address))
  register(app, 'settlementRerun', () => settlementRerun.last())
  register(app, 'startSettlementRerun', ({ admin, params }) =>
    settlementRerun.request(admin.address, params.day),
  )
}
