import { type Address, type PublicClient, parseAbiItem } from 'viem'
import { AppError } from '../lib/errors.ts'
import { banksOf, type ContractAddresses } from './banks.ts'
import type { Chain } from './client.ts'
import type { BlockRange } from './nodes/log-ranges.ts'

/** The transfers of USDT and AMC to a wallet within a range of blocks, by sending wallet in lower case. */
export interface TokenTransfers {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  /** The time of the first block. */
  readonly fromAt: Date
  readonly senders: ReadonlyMap<string, number>
}

/** The bounds of one search of the chain. */
export interface LookLimits {
  readonly blocks: bigint
  readonly calls: number
  readonly transfers: number
  readonly ms: number
  /** The number of blocks of one call, if the nodes allow it. */
  readonly span: bigint
}

/** A week of Arbitrum's blocks, four in a second. */
export const LOOK_LIMITS: LookLimits = {
  blocks: 2_400_000n,
  calls: 60,
  transfers: 10_000,
  ms: 12_000,
  span: 100_000n,
}

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/**
 * Searches a quorum of the nodes for transfers of USDT and AMC to a wallet, backwards from a final block,
 * within the limits. Returns the searched blocks. Throws CHAIN_UNAVAILABLE if there are none. Do not call it
 * inside a transaction.
 */
export async function transfersTo(
  chain: Chain,
  wallet: Address,
  toBlock: bigint,
  limits: LookLimits = LOOK_LIMITS,
): Promise<TokenTransfers> {
  const { nodes, contracts } = chain
  const endMs = performance.now() + limits.ms
  const lowest = toBlock >= limits.blocks ? toBlock - limits.blocks + 1n : 0n
  const senders = new Map<string, number>()
  let next = toBlock
  let transferCount = 0
  let failure: unknown
  for (let call = 0; call < limits.calls && next >= lowest && performance.now() < endMs; call++) {
    try {
      const range = { fromBlock: lowest, toBlock: next }
      const part = await nodes.logRanges.newest(range, limits.span, (blocks) =>
        nodes.quorumRead((client) => sendersIn(client, contracts, { wallet, blocks })),
      )
      for (const from of part.answer) senders.set(from, (senders.get(from) ?? 0) + 1)
      transferCount += part.answer.length
      next = part.fromBlock - 1n
    } catch (error) {
      failure = error
      break
    }
    if (transferCount > limits.transfers) break
  }
  const fromBlock = next + 1n
  if (fromBlock > toBlock) throw unavailable(failure)
  const { timestamp } = await nodes
    .quorumRead(async (client) => {
      const block = await client.getBlock({ blockNumber: fromBlock })
      return { timestamp: block.timestamp }
    })
    .catch((error: unknown) => {
      throw unavailable(error)
    })
  return { fromBlock, toBlock, fromAt: new Date(Number(timestamp) * 1_000), senders }
}

async function sendersIn(
  client: PublicClient,
  { usdt, amc }: ContractAddresses,
  { wallet, blocks }: { wallet: Address; blocks: BlockRange },
): Promise<string[]> {
  const address = [usdt, amc]
  const logs = await client.getLogs({ address, event: TRANSFER, args: { to: wallet }, ...blocks })
  return logs.map(({ args }) => args.from!.toLowerCase())
}

/** Returns the number of transfers that came from the banks. */
export const ofBanks = (
  { contracts }: Pick<Chain, 'contracts'>,
  senders: TokenTransfers['senders'],
): number => banksOf(contracts).reduce((sum, bank) => sum + (senders.get(bank.toLowerCase()) ?? 0), 0)

function unavailable(cause: unknown): AppError {
  return Object.assign(new AppError('CHAIN_UNAVAILABLE'), { cause })
}
