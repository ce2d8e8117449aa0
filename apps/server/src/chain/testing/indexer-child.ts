import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createChildDatabase } from '../../testing/child-database.ts'
import { connectChain } from '../client.ts'
import { createIndexer } from '../indexer/indexer.ts'
import { recordingHandlers } from './recorder.ts'

// A process that indexes until it is killed. Its only argument is the JSON of `ChildSettings`.
export type ChildSettings = {
  databaseUrl: string
  rpcUrl: string
  contracts: { bank: `0x${string}`; transfer: `0x${string}`; usdt: `0x${string}`; amc: `0x${string}` }
  startBlock: string
  confirmations: number
  /** The time that the handler of a final event takes, in milliseconds. */
  handlerMs: number
}

const settings = JSON.parse(process.argv[2] ?? '') as ChildSettings
const { db } = createChildDatabase({ url: settings.databaseUrl, max: 4, applicationName: 'indexer-child' })
const chain = await connectChain({
  rpcUrls: [settings.rpcUrl],
  chainId: 42161,
  contracts: settings.contracts,
})
const indexer = createIndexer({
  db,
  databaseUrl: settings.databaseUrl,
  chain,
  confirmations: settings.confirmations,
  now: () => new Date(),
  log: pino({ level: 'silent' }),
  startBlock: BigInt(settings.startBlock),
  pollMs: 20,
  rangeBlocks: 5,
})
indexer.registerHandlers(recordingHandlers(() => sleep(settings.handlerMs)))
indexer.start()
