import { pino } from 'pino'
import type { ContractAddresses } from '../chain/client.ts'
import { connectChain } from '../chain/client.ts'
import { createIndexer } from '../chain/indexer/indexer.ts'
import { createServices, type ServiceSettings } from '../services.ts'
import { createChildDatabase } from './child-database.ts'

// A process that indexes for the whole product until it is killed. Its only argument is `ChildSettings` as
// JSON.
export interface ChildSettings {
  readonly databaseUrl: string
  readonly contracts: ContractAddresses
  readonly settings: ServiceSettings
  /** The lead of the test's clock. */
  readonly clockOffsetMs: number
}

const { databaseUrl, contracts, settings, clockOffsetMs } = JSON.parse(process.argv[2] ?? '') as ChildSettings
const now = () => new Date(Date.now() + clockOffsetMs)
const log = pino({ level: 'silent' })
const { db } = createChildDatabase({
  url: databaseUrl,
  max: 4,
  applicationName: 'product-child',
  role: 'rif_app',
})
const chain = await connectChain({ rpcUrls: [settings.browserRpcUrl], chainId: 42161, contracts })
const services = createServices({ db, now, log, chain, settings })
const indexer = createIndexer({
  db,
  databaseUrl,
  chain,
  now,
  log,
  startBlock: 1n,
  confirmations: settings.confirmations,
  pollMs: 10,
})
indexer.registerHandlers(services.eventHandlers)
indexer.start()
