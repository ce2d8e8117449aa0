import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { fromChainUnits, type Micros, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import { type Address, type Hash, isAddressEqual, type Log, type PublicClient, parseEventLogs } from 'viem'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { banksOf } from './banks.ts'
import type { Chain } from './client.ts'
import { eventSelectors } from './indexer/events.ts'
import type { BlockRange } from './nodes/log-ranges.ts'

/** Tokens that entered a bank by a transfer that no event of the bank explains. */
export interface PlainTransfer {
  readonly asset: PaymentAsset
  readonly micros: Micros
  readonly from: Address
  readonly txHash: Hash
}

/** An event of a bank that is on chain and that the indexer did not store. */
export interface LostIncome {
  readonly name: string
  readonly bank: Address
  readonly txHash: Hash
}

export interface ChainIncome {
  readonly plain: readonly PlainTransfer[]
  readonly lost: readonly LostIncome[]
  /** The first block that was read. */
  readonly from: bigint
}

/** Asked for at once, if the nodes allow it. */
const RANGE_BLOCKS = 10_000n
/** About two weeks of Arbitrum One. */
const MAX_RANGES = 500
const transfers = amcTokenAbi.filter((item) => item.type === 'event' && item.name === 'Transfer')
const bankEvents = rifBankAbi.filter((item) => item.type === 'event')

type Sums = Record<PaymentAsset, Micros>

/**
 * Reads the receipts of the banks, backwards from a final block until `wanted` micro-units are explained by
 * plain transfers and lost events. A quorum of the nodes must agree. Throws CHAIN_UNAVAILABLE.
 */
export async function readIncome(
  db: Db,
  chain: Chain,
  { upTo, wanted }: { upTo: bigint; wanted: Sums },
): Promise<ChainIncome> {
  const { rows } = await sql<{ first: bigint | null }>`select min(from_block) as first from banks`.execute(db)
  const first = rows[0]?.first ?? 0n
  const plain: PlainTransfer[] = []
  const lost: LostIncome[] = []
  const open = { ...wanted }
  let from = upTo + 1n
  for (let ranges = 0; ranges < MAX_RANGES && from > first && (open.USDT > 0n || open.AMC > 0n); ranges++) {
    const range = await readNewest(db, chain, { fromBlock: first, toBlock: from - 1n })
    from = range.fromBlock
    plain.push(...range.plain)
    lost.push(...range.lost)
    for (const { asset, micros } of range.plain) open[asset] -= micros
    open.USDT -= range.lostIncome.USDT
    open.AMC -= range.lostIncome.AMC
  }
  return { plain, lost, from }
}

/** Reads as much of the newest part of a range as the nodes allow. */
async function readNewest(db: Db, chain: Chain, blocks: BlockRange) {
  const { nodes } = chain
  const { answer, ...range } = await nodes.logRanges
    .newest(blocks, RANGE_BLOCKS, (part) => nodes.quorumRead((client) => readLogs(client, chain, part)))
    .catch((cause: unknown) => {
      throw Object.assign(new AppError('CHAIN_UNAVAILABLE'), { cause })
    })
  return { ...range, ...(await explained(db, chain, range, answer)) }
}

async function readLogs(client: PublicClient, { contracts }: Chain, blocks: BlockRange) {
  const banks = [...banksOf(contracts)]
  const address = [contracts.usdt, contracts.amc]
  const [events, incoming] = await Promise.all([
    client.getLogs({ address: banks, ...blocks }),
    client.getLogs({ address, event: transfers[0]!, args: { to: banks }, strict: true, ...blocks }),
  ])
  return { events: events.map(agreedFields), incoming: incoming.map(agreedFields) }
}

/** Leaves out the time of the block, which only some nodes add. */
function agreedFields<T extends object>(log: T): T {
  return { ...log, blockTimestamp: undefined }
}

async function explained(
  db: Db,
  chain: Chain,
  blocks: BlockRange,
  { events, incoming }: Awaited<ReturnType<typeof readLogs>>,
) {
  const stored = await storedEvents(db, chain.chainId, blocks)
  const bankLogs = events.filter(({ topics }) => eventSelectors.includes(topics[0]!))
  const lostLogs = bankLogs.filter((log) => !stored.has(placeOf(log)))
  const named = parseEventLogs({ abi: bankEvents, logs: lostLogs })
  return {
    plain: plainTransfers(chain, incoming, events),
    lost: named.map(({ eventName, address, transactionHash }) => ({
      name: eventName,
      bank: address,
      txHash: transactionHash,
    })),
    lostIncome: sumOf(chain, lostLogs),
  }
}

const placeOf = ({ blockHash, logIndex }: Pick<Log, 'blockHash' | 'logIndex'>) => `${blockHash}/${logIndex}`

async function storedEvents(
  db: Db,
  chainId: number,
  { fromBlock, toBlock }: BlockRange,
): Promise<Set<string>> {
  const { rows } = await sql<{ blockHash: Hash; logIndex: number }>`
    select block_hash as "blockHash", log_index as "logIndex" from chain_events
    where chain_id = ${chainId} and state = 'final' and block_number between ${fromBlock} and ${toBlock}`.execute(
    db,
  )
  return new Set(rows.map(placeOf))
}

type Incoming = Log<bigint, number, false, (typeof transfers)[0], true>

/**
 * Returns the transfers into the banks, by transaction and token, less the amounts in the banks' own events
 * of the transaction.
 */
function plainTransfers(
  chain: Chain,
  incoming: readonly Incoming[],
  events: readonly Log[],
): PlainTransfer[] {
  const byTx = new Map<Hash, Incoming[]>()
  for (const log of incoming) byTx.set(log.transactionHash, [...(byTx.get(log.transactionHash) ?? []), log])
  return [...byTx].flatMap(([txHash, logs]) => {
    const explained = sumOf(
      chain,
      events.filter((event) => event.transactionHash === txHash),
    )
    return (['USDT', 'AMC'] as const).flatMap((asset): PlainTransfer[] => {
      const token = asset === 'USDT' ? chain.contracts.usdt : chain.contracts.amc
      const own = logs.filter(({ address }) => isAddressEqual(address, token))
      const units = own.reduce((sum, { args }) => sum + args.value!, 0n)
      const micros = fromChainUnits(units, chain.decimals[asset]).micros - explained[asset]
      return micros > 0n ? [{ asset, micros, from: own[0]!.args.from!, txHash }] : []
    })
  })
}

/**
 * Returns the income that events of the banks report: payments of orders, deposits, and the holdings of a
 * predecessor.
 */
function sumOf({ contracts, decimals }: Chain, events: readonly Log[]): Sums {
  const sums = { USDT: 0n, AMC: 0n }
  const add = (asset: PaymentAsset, units: bigint) => {
    sums[asset] += fromChainUnits(units, decimals[asset]).micros
  }
  for (const { eventName, args } of parseEventLogs({ abi: rifBankAbi, logs: [...events] })) {
    if (eventName === 'OrderPaid' || eventName === 'HandedOver') {
      add('USDT', args.usdtAmount)
      add('AMC', args.amcAmount)
    } else if (eventName === 'RevenueDeposited')
      add(isAddressEqual(args.token, contracts.usdt) ? 'USDT' : 'AMC', args.amount)
  }
  return sums
}
