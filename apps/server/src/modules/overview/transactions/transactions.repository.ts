import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { SentTransactions } from '../../../db/types.gen.ts'

/** A stored transaction; the schema describes the columns. */
export type TransactionRow = Selectable<SentTransactions>

/** Inserts a transaction unless it exists. */
export async function insertTransaction(db: Db, row: Insertable<SentTransactions>): Promise<void> {
  await db
    .insertInto('sent_transactions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash']).doNothing())
    .execute()
}

/** Deletes all except a member's newest transactions. */
export async function keepNewest(db: Db, memberId: bigint, count: number): Promise<void> {
  await sql`
    delete from sent_transactions
    where member_id = ${memberId} and (sent_at, tx_hash) < (
      select sent_at, tx_hash from sent_transactions where member_id = ${memberId}
      order by sent_at desc, tx_hash desc offset ${count - 1} limit 1)`.execute(db)
}

/** Returns a member's newest transactions since `since`. */
export async function newestTransactions(
  db: Db,
  memberId: bigint,
  since: Date,
  limit: number,
): Promise<TransactionRow[]> {
  return db
    .selectFrom('sent_transactions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('sent_at', '>=', since)
    .orderBy('sent_at', 'desc')
    .limit(limit)
    .execute()
}

/** Stores the known state of a transaction. */
export async function updateTransaction(
  db: Db,
  row: Pick<TransactionRow, 'member_id' | 'tx_hash'>,
  changes: Updateable<SentTransactions>,
): Promise<void> {
  await db
    .updateTable('sent_transactions')
    .set(changes)
    .where('member_id', '=', row.member_id)
    .where('tx_hash', '=', row.tx_hash)
    .execute()
}
