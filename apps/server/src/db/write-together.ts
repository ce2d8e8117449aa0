import type { Kysely } from 'kysely'
import { executeWithNext } from './held.ts'
import type { FunctionCall } from './joined.ts'
import { spansMachines } from './machines.ts'
import { RowWrite, type Write } from './rows.ts'
import { seatOf } from './sharing.ts'
import { together } from './together.ts'
import type { DB } from './types.gen.ts'

/**
 * Executes writes of several tables in one statement, which is sent with the next one or the commit and
 * throws there. A distributed database refuses writes on different machines in one statement, so there it is
 * one for each.
 */
export async function writeTogether(dbTx: Kysely<DB>, writes: readonly Write[]): Promise<void> {
  if (spansMachines(dbTx)) {
    for (const write of writes) await executeWithNext(dbTx, write)
    return
  }
  const [main, ...others] = writes
  if (main === undefined) return
  const all = () => together(others, main)
  if (!joinWrites(dbTx, { writes, call: undefined, all })) await executeWithNext(dbTx, all())
}

/**
 * Adds writes and a function call to the shared transaction of the operation, where they may be combined with
 * those of other operations; `all` builds the statement for this one alone. Returns false if there is no such
 * transaction, or a write has another form.
 */
export function joinWrites(
  dbTx: Kysely<DB>,
  { writes, call, all }: { writes: readonly Write[]; call: FunctionCall | undefined; all: () => Write },
): boolean {
  const seat = seatOf(dbTx)
  const rowWrites = writes.filter((write) => write instanceof RowWrite)
  if (!seat || rowWrites.length < writes.length) return false
  const alone = () => {
    const { sql: text, parameters } = all().compile(dbTx)
    return { text, values: parameters }
  }
  seat.hold({ how: 'write', writes: rowWrites, call, alone })
  return true
}
