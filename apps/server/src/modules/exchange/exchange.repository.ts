import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** 'exch' as a number: no other advisory lock of this database uses it. */
const EXCHANGE_LOCK = 0x65786368

/**
 * Taken by whoever changes dividend rights, before the head and before looking at the clock; any number may hold it at
 * once.
 */
export async function enterExchange(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${EXCHANGE_LOCK})`.execute(dbTx)
}

/** Waits until every exchange on its way has been committed: what begins after it belongs to a later moment. */
export async function awaitExchanges(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${EXCHANGE_LOCK})`.execute(dbTx)
}
