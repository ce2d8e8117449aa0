import type { Hash } from 'viem'
import type { Db } from '../../db/database.ts'

/**
 * Returns the blocks of the transactions among the given ones that have an event of the contracts in the
 * chain. Such a transaction succeeded.
 */
export async function blocksOfTransactions(
  db: Db,
  chainId: number,
  hashes: readonly string[],
): Promise<Map<string, { readonly block: bigint; readonly isFinal: boolean }>> {
  if (hashes.length === 0) return new Map()
  const rows = await db
    .selectFrom('chain_events')
    .select(['tx_hash', 'block_number', 'state'])
    .where('chain_id', '=', BigInt(chainId))
    .where('tx_hash', 'in', hashes as Hash[])
    .where('state', '<>', 'dropped')
    .execute()
  return new Map(
    rows.map((row) => [row.tx_hash, { block: row.block_number, isFinal: row.state === 'final' }]),
  )
}
