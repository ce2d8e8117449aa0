import type { PersonRow } from '@rif/api-schema'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Person } from './person.repository.ts'
import * as repository from './person.repository.ts'
import { EXCLUDED, EXPORTED } from './personal-data.ts'

export type { Person } from './person.repository.ts'

/** A page of an export; the first one without a cursor. */
export interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit: number
}

/** The table and the key of the last row that was returned. */
interface Place {
  readonly table: string
  readonly after?: Readonly<Record<string, string>> | undefined
}

const TABLES = Object.keys(EXPORTED)

export type PersonService = ReturnType<typeof createPersonService>

/** Creates the service that reads everything stored about a member. */
export function createPersonService() {
  return {
    /** The tables that are not exported, with the reasons. */
    leftOut: EXCLUDED,

    /** Returns the member of a wallet, undefined where there is none. */
    async find(db: Db, address: string): Promise<Person | undefined> {
      const wallet = address.toLowerCase()
      const memberId = await repository.memberOfWallet(db, wallet)
      return memberId === undefined ? undefined : { memberId, address: wallet }
    },

    /**
     * Returns the next rows about a member, table by table, in key order. Reads only. Throws
     * VALIDATION_FAILED for an invalid cursor.
     */
    async page(
      db: Db,
      person: Person,
      { cursor, limit }: PageQuery,
    ): Promise<{ items: PersonRow[]; next: string | null }> {
      const keys = await repository.primaryKeys(db, TABLES)
      const items: PersonRow[] = []
      let place: Place | undefined = cursor === undefined ? { table: TABLES[0]! } : placeOf(cursor)
      while (place !== undefined && items.length < limit) {
        const { table, after }: Place = place
        const { by, without = [], key = keys.get(table)! } = EXPORTED[table]!
        const wanted = limit - items.length
        const rows = await repository.exportedRowsOf(db, {
          table,
          by,
          without,
          key,
          after,
          limit: wanted,
          value: by === 'address' ? person.address : person.memberId,
        })
        if (rows === null) throw invalidCursor()
        items.push(...rows.map(({ row }) => ({ table, row })))
        place = rows.length < wanted ? tableAfter(table) : { table, after: rows.at(-1)!.key }
      }
      return { items, next: place === undefined ? null : cursorOf(place) }
    },
  }
}

function tableAfter(table: string): Place | undefined {
  const next = TABLES[TABLES.indexOf(table) + 1]
  return next === undefined ? undefined : { table: next }
}

const cursorOf = (place: Place) => Buffer.from(JSON.stringify(place)).toString('base64url')

const invalidCursor = () => new AppError('VALIDATION_FAILED', { field: 'cursor' })

/** A cursor grants no rights: the rows are always those of the calling member. */
function placeOf(cursor: string): Place {
  try {
    const { table, after } = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isKey =
      after === undefined ||
      (typeof after === 'object' &&
        after !== null &&
        Object.values(after).every((value) => typeof value === 'string'))
    if (Object.hasOwn(EXPORTED, table) && isKey) return { table, after }
  } catch {
    // Refused below.
  }
  throw invalidCursor()
}
