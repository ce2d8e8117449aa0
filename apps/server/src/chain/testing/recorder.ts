import { sql } from 'kysely'
import { hexToString } from 'viem'
import type { Db } from '../../db/database.ts'
import type { ChainEvent, EventHandlers, EventSteps, FinalBatch } from '../indexer/events.ts'

type Deposit = ChainEvent<'RevenueDeposited'>

/** A table in which test handlers record their deliveries, in their own transaction. */
export async function createRecord(db: Db): Promise<void> {
  await sql`create table told_record (id bigserial primary key, step text not null, label text not null,
    block_number bigint not null)`.execute(db)
}

/**
 * Handlers that record each step of each deposit; `fail` may throw before that. Final ones arrive in batches,
 * or alone.
 */
export function recordingHandlers(
  fail: (step: string, label: string) => void | Promise<void> = () => {},
  { alone = false } = {},
): EventHandlers {
  const record =
    (step: string) =>
    async (dbTx: Db, event: Deposit): Promise<void> => {
      const label = hexToString(event.args.label, { size: 32 })
      await fail(step, label)
      await sql`insert into told_record (step, label, block_number)
        values (${step}, ${label}, ${event.blockNumber})`.execute(dbTx)
    }
  const steps: EventSteps<'RevenueDeposited'> = {
    onSeen: record('seen'),
    onDropped: record('dropped'),
    onUndone: async (dbTx, event) => {
      await record('undone')(dbTx, event)
      return 'undone'
    },
    onMoved: async (dbTx, _from, to) => {
      await record('moved')(dbTx, to)
      return true
    },
  }
  const onFinal = record('final')
  const onFinalBatch: FinalBatch = async (dbTx, events) => {
    for (const event of events as Deposit[]) await onFinal(dbTx, event)
  }
  return { RevenueDeposited: alone ? { ...steps, onFinal } : { ...steps, onFinalBatch } }
}

/** The steps delivered to the handlers, in order, as "step label". */
export async function readRecord(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select step || ' ' || label as text from told_record order by id`.execute(db)
  return rows.map((row) => row.text)
}
