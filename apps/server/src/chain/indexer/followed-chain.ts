import { sql } from 'kysely'
import { BlockNotFoundError, type Hash } from 'viem'
import type { Db } from '../../db/database.ts'
import { StartError } from '../../lib/start-error.ts'
import type { Chain } from '../client.ts'
import { isFollowedBy } from './store.ts'

/**
 * Checks at start that the database belongs to these contracts, or to these without the newest banks, and, on
 * a local chain, to this very chain, because a new one gives its contracts the old addresses. An external
 * chain may lag or be reorganised, which the indexer handles. Throws a StartError: one line.
 */
export async function checkFollowedChain(
  db: Db,
  chain: Chain,
  { isOwnChain, startBlock }: { isOwnChain: boolean; startBlock: bigint },
): Promise<void> {
  const { rows } = await sql<{ contracts: string; number: bigint; hash: Hash }>`
    select contracts, finalised_number as number, finalised_hash as hash from chain_cursors
    where chain_id = ${chain.chainId}`.execute(db)
  const [followed] = rows
  if (followed === undefined) return checkStartBlock(chain, startBlock)
  if (!isFollowedBy(followed.contracts, chain.contracts)) {
    throw new StartError(
      `the database belongs to the bank and transfer contracts ${followed.contracts}, not to those of the settings`,
    )
  }
  if (isOwnChain && (await hashOf(chain, followed.number)) !== followed.hash) {
    throw new StartError(
      'the database and the chain in DATA_DIR do not belong together: restore both from the same moment, or begin with neither',
    )
  }
}

/** Refuses a block that the chain does not have: the indexer would begin at the newest one and miss the events before it. */
async function checkStartBlock({ client }: Chain, startBlock: bigint): Promise<void> {
  const newest = await client.getBlockNumber()
  if (startBlock > newest)
    throw new StartError(`START_BLOCK is ${startBlock}, and the newest block of the chain is ${newest}`)
}

async function hashOf({ client }: Chain, blockNumber: bigint): Promise<Hash | null> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}
