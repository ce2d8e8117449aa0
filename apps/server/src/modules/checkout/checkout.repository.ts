import type { Insertable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { UnmatchedPayments } from '../../db/types.gen.ts'

export async function insertUnmatched(dbTx: Db, payment: Insertable<UnmatchedPayments>): Promise<void> {
  await dbTx
    .insertInto('unmatched_payments')
    .values(payment)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash', 'log_index']).doNothing())
    .execute()
}
