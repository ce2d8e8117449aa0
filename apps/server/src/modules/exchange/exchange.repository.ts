import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** 'exch' as a number: no other advisory lock of this database uses it. */
const EXCHANGE_LOCK = 0x65786368

/**
 * Takes the shared lock of operations that change dividend rights. Take it before the head and before reading
 * the clock.
 */
export async function enterExchange(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${EXCHANGE_LOCK})`.execute(dbTx)
}

/** Waits until every exchange in progress has committed. Exchanges that begin later have a later time. */
export async function awaitExchanges(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${EXCHANGE_LOCK})`.execute(dbTx)
}
