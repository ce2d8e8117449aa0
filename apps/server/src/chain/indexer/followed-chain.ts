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

interface Followed {
  readonly contracts: string
  readonly number: bigint
  readonly hash: Hash
  readonly usdtDecimals: 6 | 18 | null
}

/**
 * Checks that the database belongs to these contracts, or to these without the newest banks, and asks no node. Returns the decimals
 * of USDT that the database knows, if any. Throws a StartError: one line.
 */
export async function checkFollowedContracts(db: Db, chain: Chain): Promise<6 | 18 | undefined> {
  const followed = await followedBy(db, chain)
  return followed?.usdtDecimals ?? undefined
}

async function followedBy(db: Db, { chainId, contracts }: Chain): Promise<Followed | undefined> {
  const { rows } = await sql<Followed>`
    select contracts, finalised_number as number, finalised_hash as hash, usdt_decimals as "usdtDecimals" from chain_cursors
    where chain_id = ${chainId}`.execute(db)
  const [followed] = rows
  if (followed !== undefined && !isFollowedBy(followed.contracts, contracts))
    throw new StartError(
      `the database belongs to the bank and transfer contracts ${followed.contracts}, not to those of the settings`,
    )
  return followed
}

/**
 * Checks that the chain is the one that the database follows: its USDT has the same decimals, and, on a local
 * chain, it is this very chain, because a new one gives its contracts the old addresses. An external
 * chain may lag or be reorganised, which the indexer handles. Checks the first block of contracts that the
 * database does not follow yet. Throws as `checkFollowedContracts`, and viem's errors while no node answers.
 */
export async function checkFollowedChain(
  db: Db,
  chain: Chain,
  { isOwnChain, startBlock, bankStartBlock, log }: FollowedChainOptions,
): Promise<void> {
  const followed = await followedBy(db, chain)
  if (followed === undefined)
    return checkStartBlock(
      chain,
      followedContracts(chain),
      { setting: 'CONTRACTS.start_block', block: startBlock },
      log,
    )
  const { usdtDecimals } = followed
  if (usdtDecimals !== null && usdtDecimals !== chain.decimals.USDT)
    throw new StartError(
      `USDT at ${chain.contracts.usdt} has ${chain.decimals.USDT} decimals, and the books were kept with ${usdtDecimals}`,
    )
  if (isOwnChain && (await hashOf(chain, followed.number)) !== followed.hash) {
    throw new StartError(
      'the database and the chain in DATA_DIR do not belong together: restore both from the same moment, or begin with neither',
    )
  }
  const added = newBanks(followed.contracts, chain.contracts)
  if (added.length > 0)
    await checkStartBlock(chain, added, { setting: 'CONTRACTS.bank_start_block', block: bankStartBlock }, log)
}

/**
 * Refuses a first block above the newest one, or after the deployment of one of the contracts: the indexer
 * would miss the events before it. A node without the old state cannot tell, and the start goes on.
 */
async function checkStartBlock(
  { nodes }: Chain,
  contracts: readonly Address[],
  { setting, block }: { setting: 'CONTRACTS.start_block' | 'CONTRACTS.bank_start_block'; block: bigint },
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
