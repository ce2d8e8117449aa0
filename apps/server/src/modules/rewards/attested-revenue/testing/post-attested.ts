import { sql } from 'kysely'
import { type Db, inTx } from '../../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../../lib/caller.ts'
import { createLedgerService, type PostingTime } from '../../../books/ledger/ledger.service.ts'

const ledger = createLedgerService()

export interface AttestedMoney extends PostingTime {
  readonly destination: 'yield_pool' | 'savings_pool' | 'dividend_pool'
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: bigint
}

/** Records a deposit with an approved attestation, and returns its number. */
export async function recordAttestation(
  dbTx: Db,
  { destination, asset, amountMicros, at }: AttestedMoney,
): Promise<bigint> {
  const hash = `0x${'ab'.repeat(32)}`
  const { rows } = await sql<{ attestationId: bigint }>`
    with deposit as (
      insert into revenue_deposits (deposit_id, depositor, label, asset, amount_micros, dust, document_hash, tx_hash,
        deposited_at)
      select (1000000 + count(*))::text, '0x', '0x', ${asset}, ${amountMicros}, 0, ${hash}, '0x', ${at}::timestamptz
      from revenue_deposits returning deposit_id
    )
    insert into attestations (pool, asset, amount_micros, source, document_hash, deposit_id, prepared_by,
      prepared_at)
    select ${destination}, ${asset}, ${amountMicros}, 'test', ${hash}, deposit_id, 'anna',
      ${at}::timestamptz
    from deposit returning attestation_id as "attestationId"`.execute(dbTx)
  const { attestationId } = rows[0]!
  await sql`
    update attestations set approved_by = 'ben', approved_at = ${at} where attestation_id = ${attestationId}`.execute(
    dbTx,
  )
  return attestationId
}

/** Posts money as attested revenue, as the approval of an attestation does. */
export async function postAttested(db: Db, money: AttestedMoney): Promise<void> {
  const { destination, asset, amountMicros, accountingDay, at } = money
  await inTx(db, async (dbTx) => {
    const attestationId = await recordAttestation(dbTx, money)
    await ledger.post(dbTx, {
      key: `attestation/${attestationId}`,
      kind: 'attested_revenue',
      cause: { type: 'attestation', id: `${attestationId}` },
      accountingDay,
      at,
      lines: [{ memberId: OPERATOR_MEMBER_ID, asset, source: 'external', destination, amountMicros }],
    })
  })
}
