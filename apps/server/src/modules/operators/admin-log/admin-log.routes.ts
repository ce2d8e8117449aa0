import type { AdminActionEntry } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { type CsvColumn, registerCsv, registerJsonLines } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import type { AdminLogService } from './admin-log.service.ts'

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

const COLUMNS: readonly CsvColumn<AdminActionEntry>[] = [
  ['number', ({ seq }) => seq],
  ['time', ({ acted_at }) => acted_at],
  ['who', ({ actor }) => actor],
  ['action', ({ action }) => action],
  ['subject', ({ subject }) => subject],
  ['reason', ({ reason }) => reason],
  ['before', ({ before }) => json(before)],
  ['after', ({ after }) => json(after)],
  ['hash', ({ hash }) => hash],
]

/** `admin/log`, also as a file. */
export function adminLogRoutes(
  app: FastifyInstance,
  { db, adminLog }: { db: Db; adminLog: AdminLogService },
): void {
  register(app, 'adminLog', ({ query }) => adminLog.list(db, query))
  register(app, 'adminLogCheck', ({ query }) => adminLog.check(db, query))
  registerCsv(app, 'adminLog', COLUMNS, (_who, query) => adminLog.list(db, query))
  registerJsonLines(app, 'adminLog', (_who, query) => adminLog.list(db, query))
}
