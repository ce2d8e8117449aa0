import type { PersonRow } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { type CsvColumn, registerCsv, registerJsonLines } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import type { ConsentsService } from '../../leaving/leaving.consents.service.ts'
import type { Erasures } from './person.erasure.service.ts'
import type { PersonService } from './person.service.ts'

const COLUMNS: readonly CsvColumn<PersonRow>[] = [
  ['table', ({ table }) => table],
  ['row', ({ row }) => JSON.stringify(row)],
]

interface Deps {
  readonly db: Db
  readonly person: PersonService
  readonly erasures: Erasures
  readonly consents: Pick<ConsentsService, 'check' | 'use'>
}

/** `me/data` and `me/erasure`. */
export function personRoutes(app: FastifyInstance, { db, person, erasures, consents }: Deps): void {
  register(app, 'personData', ({ session, query }) => person.page(db, session, query))
  registerCsv(app, 'personData', COLUMNS, (session, query) => person.page(db, session, query))
  registerJsonLines(app, 'personData', (session, query) => person.page(db, session, query))

  register(app, 'erasure', ({ session }) => erasures.view(session))

  register(app, 'requestErasure', async ({ session, body: { signed } }) => {
    const wish = { kind: 'erase_data' } as const
    const consent = signed && (await consents.check(session, wish, signed))
    return erasures.request(session, (dbTx) => consents.use(dbTx, session, { wish, needed: true, consent }))
  })

  register(app, 'cancelErasure', ({ session }) => erasures.cancel(session))
}
