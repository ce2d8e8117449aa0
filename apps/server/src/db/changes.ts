import type { ChangeKind } from '@rif/api-schema'
import type { Kysely } from 'kysely'
import type { DB } from './types.gen.ts'

type Db = Kysely<DB>

/** The audience of a change: a member, the sessions of a wallet, all, or all operators. */
export type ChangeOf = bigint | `0x${string}` | typeof EVERYBODY | typeof OPERATORS
export const EVERYBODY = '*'
export const OPERATORS = 'operators'

/** `session`: a session of the wallet may have ended. It is not a kind of any stream. */
export type NotedKind = ChangeKind | 'session'

/** A change as text, `<whose> <kind>`, so that duplicates collapse in a set. */
export type ChangeNote = `${ChangeOf} ${NotedKind}`

type Sink = (notes: ReadonlySet<ChangeNote>) => void

const sinks = new WeakMap<Db, Sink>()
const ofTransactions = new WeakMap<Db, Set<ChangeNote>>()

/** Passes the changes committed on a database to a sink, which replaces the previous one. */
export function collectChanges(db: Db, sink: Sink): void {
  sinks.set(db, sink)
}

/**
 * Notes a change for those who watch it: at once, or after the transaction has committed. It costs no
 * statement and may be lost with the process, so only displays may depend on it.
 */
export function noteChange(db: Db, of: ChangeOf, kind: NotedKind): void {
  const note: ChangeNote = `${of} ${kind}`
  const notes = ofTransactions.get(db)
  if (notes !== undefined) notes.add(note)
  else if (!db.isTransaction) sinks.get(db)?.(new Set([note]))
}

/** Runs a transaction of `db`, which `run` reports as opened, and passes its notes on after the commit. */
export async function notingChanges<T>(db: Db, run: (opened: (dbTx: Db) => Db) => Promise<T>): Promise<T> {
  const notes = new Set<ChangeNote>()
  const result = await run((dbTx) => {
    ofTransactions.set(dbTx, notes)
    return dbTx
  })
  if (notes.size > 0) sinks.get(db)?.(notes)
  return result
}
