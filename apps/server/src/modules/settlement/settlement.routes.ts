import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { SettlementDaysService } from './settlement.days.service.ts'

/** `admin/settlement/*`. */
export function settlementRoutes(
  app: FastifyInstance,
  { db, settlementDays }: { db: Db; settlementDays: SettlementDaysService },
): void {
  register(app, 'settlementDays', ({ query }) => settlementDays.list(db, query))
  register(app, 'settlementDay', ({ params }) => settlementDays.day(db, params.day))
  register(app, 'dryRun', () => settlementDays.lastRun(db))
  register(app, 'startDryRun', ({ admin }) => settlementDays.requestRun(admin.address))
}
