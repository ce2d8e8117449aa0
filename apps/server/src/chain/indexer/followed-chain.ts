import { sql } from 'kysely'
import { type Address, BlockNotFoundError, type Hash } from 'viem'
import type { Db } from '../../db/database.ts'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import { followedContracts } from '../banks.ts'
import type { Chain } from '../client.ts'
import { lineOf } from '../nodes/nodes.ts'
import { isFollowedBy, newBanks } from './store.ts'

interface FollowedChainOptions {
  readonly isOwnChain: boolean
  readonly startBlock: bigint
  readonly bankStartBlock: bigint
  readonly log: Logger
}

/**
 * Checks at start that the database belongs to these contracts, or to these without the newest banks, and, on
 * a local chain, to this very chain, because a new one gives its contracts the old addresses. An external
 * chain may lag or be reorganised, which the indexer handles. Checks the first block of contracts that the
 * database does not follow yet. Throws a StartError: one line.
 */
export async function checkFollowedChain(
  db: Db,
  chain: Chain,
  { isOwnChain, startBlock, bankStartBlock, log }: FollowedChainOptions,
): Promise<void> {
  const { rows } = await sql<{ contracts: string; number: bigint; hash: Hash }>`
    select contracts, finalised_number as number, finalised_hash as hash from chain_cursors
    where chain_id = ${chain.chainId}`.execute(db)
  const [followed] = rows
  if (followed === undefined)
    return checkStartBlock(
      chain,
      followedContracts(chain),
      { setting: 'START_BLOCK', block: startBlock },
      log,
    )
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
  const added = newBanks(followed.contracts, chain.contracts)
  if (added.length > 0)
    await checkStartBlock(chain, added, { setting: 'BANK_START_BLOCK', block: bankStartBlock }, log)
}

/**
 * Refuses a first block above the newest one, or after the deployment of one of the contracts: the indexer
 * would miss the events before it. A node without the old state cannot tell, and the start goes on.
 */
async function checkStartBlock(
  { nodes }: Chain,
  contracts: readonly Address[],
  { setting, block }: { setting: 'START_BLOCK' | 'BANK_START_BLOCK'; block: bigint },
  log: Logger,
): Promise<void> {
  const { number: newest } = await nodes.newestBlock()
  if (block > newest)
    throw new StartError(`${setting} is ${block}, and the newest block of the chain is ${newest}`)
  if (block === 0n) return
  const codes = await Promise.all(
    contracts.map((address) =>
      nodes.quorumRead((client) => client.getCode({ address, blockNumber: block - 1n })),
    ),
  ).catch((error: unknown) => {
    log.warn({ reason: lineOf(error) }, `${setting} is not checked: no chain node has the state before it`)
    return []
  })
  const early = contracts.find((_, index) => codes[index] !== undefined)
  if (early !== undefined)
    throw new StartError(
      `${setting} is ${block}, and the contract at ${early} was deployed earlier: its events before that block would be missed`,
    )
}

async function hashOf({ nodes }: Chain, blockNumber: bigint): Promise<Hash | null> {
  try {
    return await nodes.quorumRead(async (client) => (await client.getBlock({ blockNumber })).hash)
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null
    throw error
  }
}
