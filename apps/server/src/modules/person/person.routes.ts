import type { PersonRow } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { type CsvColumn, registerCsv, registerJsonLines } from '../../plugins/csv.ts'
import { register } from '../../plugins/route.ts'
import type { PersonService } from './person.service.ts'

const COLUMNS: readonly CsvColumn<PersonRow>[] = [
  ['table', ({ table }) => table],
  ['row', ({ row }) => JSON.stringify(row)],
]

/** `me/data`. */
export function personRoutes(app: FastifyInstance, { db, person }: { db: Db; person: PersonService }): void {
  register(app, 'personData', ({ session, query }) => person.page(db, session, query))
  registerCsv(app, 'personData', COLUMNS, (session, query) => person.page(db, session, query))
  registerJsonLines(app, 'personData', (session, query) => person.page(db, session, query))
}
