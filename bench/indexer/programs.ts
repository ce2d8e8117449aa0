import { rifBankAbi } from '@rif/contracts/abi'
import pg from 'pg'
import { pino } from 'pino'
import { getAbiItem } from 'viem'
import type { Chain } from '../../apps/server/src/chain/client.ts'
import type { EventHandlers } from '../../apps/server/src/chain/indexer/events.ts'
import { createIndexer } from '../../apps/server/src/chain/indexer/indexer.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'

/** The events to index: all from `startBlock` on, which both programs must find. */
export type Task = { chain: Chain; startBlock: bigint; events: number; serverUrl: string }

const RANGE_BLOCKS = 500
const CONFIRMATIONS = 5

const bankEvents = (['OrderPaid', 'Claimed', 'RevenueDeposited', 'SolvencyPublished'] as const).map((name) =>
  getAbiItem({ abi: rifBankAbi, name }),
)

/** The least work of any indexer: request the decoded logs from viem, range by range. Events per second. */
export async function timeBareLoop({ chain, startBlock, events }: Task): Promise<number> {
  const startedAt = performance.now()
  const head = await chain.client.getBlockNumber()
  let count = 0
  for (let from = startBlock; from <= head; from += BigInt(RANGE_BLOCKS)) {
    const last = from + BigInt(RANGE_BLOCKS) - 1n
    const logs = await chain.client.getLogs({
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
 * The product's own indexer on an empty database: read, decode, check the links, store, make final, and tell the
 * handlers, if any. Events per second.
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
      ...{ db, databaseUrl: url.href, chain, startBlock, confirmations: CONFIRMATIONS },
      ...{ rangeBlocks: RANGE_BLOCKS, now: () => new Date(), log: pino({ level: 'silent' }) },
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
