import { rifBankAbi } from '@rif/contracts/abi'
import pg from 'pg'
import { pino } from 'pino'
import { getAbiItem, type Hash } from 'viem'
import { followedContracts } from '../../apps/server/src/chain/banks.ts'
import type { Chain } from '../../apps/server/src/chain/client.ts'
import { decodeLog, type EventHandlers, eventSelectors } from '../../apps/server/src/chain/indexer/events.ts'
import { createIndexer } from '../../apps/server/src/chain/indexer/indexer.ts'
import { readBlock } from '../../apps/server/src/chain/nodes/survey.ts'
import { checkReceipts, createBloomCheck, type RpcReceipt } from '../../apps/server/src/chain/proof.ts'
import { provenHashes, type RpcTransaction } from '../../apps/server/src/chain/transaction-hashes.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'

/** The events to index: all from `startBlock` on, which both programs must find. */
export type Task = { chain: Chain; startBlock: bigint; events: number; serverUrl: string }

const RANGE_BLOCKS = 500
const CONFIRMATIONS = 5

const bankEvents = (['OrderPaid', 'Claimed', 'RevenueDeposited', 'SolvencyPublished'] as const).map((name) =>
  getAbiItem({ abi: rifBankAbi, name }),
)

/** A handler that ignores the events of the benchmark. */
export const HANDLER: EventHandlers = {
  OrderPaid: { onFinalBatch: async () => {}, onUndone: async () => 'undone' },
}

/**
 * The minimum work of any indexer: requests the decoded logs through viem, range by range. Returns events per
 * second.
 */
export async function timeBareLoop({ chain, startBlock, events }: Task): Promise<number> {
  const startedAt = performance.now()
  const head = await chain.untrustedClient.getBlockNumber()
  let count = 0
  for (let from = startBlock; from <= head; from += BigInt(RANGE_BLOCKS)) {
    const last = from + BigInt(RANGE_BLOCKS) - 1n
    const logs = await chain.untrustedClient.getLogs({
      address: [chain.contracts.bank, chain.contracts.transfer],
      events: bankEvents,
      strict: true,
      fromBlock: from,
      toBlock: last < head ? last : head,
    })
    count += logs.length
  }
  return rateOf(count, events, startedAt)
}

/**
 * The minimum work of an indexer that trusts no node: reads every header, checks its hash and the link to its
 * parent, reads the receipts and transactions of the blocks that the bloom filter does not exclude, checks
 * their roots, and decodes the events. Uses one node and no database. Returns events per second.
 */
export async function timeBareProof({ chain, startBlock, events }: Task): Promise<number> {
  const startedAt = performance.now()
  const { client } = chain.nodes.all[0]!
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
  const mayHoldEvents = createBloomCheck(followedContracts(chain), eventSelectors)
  const head = await client.getBlockNumber()
  let count = 0
  let parentHash: Hash | undefined
  for (let from = startBlock; from <= head; from += BigInt(RANGE_BLOCKS)) {
    const length = Math.min(RANGE_BLOCKS, Number(head - from) + 1)
    const numbers = Array.from({ length }, (_, index) => from + BigInt(index))
    const blocks = await Promise.all(numbers.map((number) => readBlock(client, number)))
    for (const { hash, number, header } of blocks) {
      if (parentHash !== undefined && header.parentHash !== parentHash) throw new Error(`block ${number}`)
      parentHash = hash
    }
    const matching = blocks.filter(({ header }) => mayHoldEvents(header.logsBloom))
    const contents = await Promise.all(
      matching.flatMap(({ hash }) => [
        request({ method: 'eth_getBlockByHash', params: [hash, true] }),
        request({ method: 'eth_getBlockReceipts', params: [hash] }),
      ]),
    )
    for (const [index, { number, header }] of matching.entries()) {
      const { transactions } = contents[2 * index] as { transactions: RpcTransaction[] }
      const receipts = contents[2 * index + 1] as RpcReceipt[]
      provenHashes({ ...header, number }, transactions)
      checkReceipts({ ...header, number }, receipts)
      for (const log of receipts.flatMap(({ logs }) => logs)) {
        decodeLog(log)
        count++
      }
    }
  }
  return rateOf(count, events, startedAt)
}

/**
 * Runs the product's own indexer on an empty database: it reads, decodes, checks the links, stores,
 * finalises, and calls the handlers, if any. Returns events per second.
 */
export async function timeIndexer(task: Task, handlers: EventHandlers): Promise<number> {
  const { chain, startBlock, events, serverUrl } = task
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query('create database bench')
  const url = new URL(serverUrl)
  url.pathname = '/bench'
  await migrateSimulation(url.href)
  const { db, pool, close } = createDatabase({ url: url.href, max: 4, applicationName: 'bench' })
  try {
    const indexer = createIndexer({
      db,
      databaseUrl: url.href,
      chain,
      startBlock,
      confirmations: CONFIRMATIONS,
      rangeBlocks: RANGE_BLOCKS,
      now: () => new Date(),
      log: pino({ level: 'silent' }),
    })
    indexer.registerHandlers(handlers)
    const startedAt = performance.now()
    await indexer.runOnce()
    const { rows } = await pool.query<{ count: bigint }>('select count(*) from chain_events')
    return rateOf(Number(rows[0]!.count), events, startedAt)
  } finally {
    await close()
    await admin.query('drop database bench with (force)')
    await admin.end()
  }
}

function rateOf(count: number, expected: number, startedAt: number): number {
  const seconds = (performance.now() - startedAt) / 1000
  if (count !== expected) throw new Error(`${count} events instead of ${expected}`)
  return count / seconds
}
