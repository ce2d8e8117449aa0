import { pino } from 'pino'
import { connectChain } from '../../../../chain/client.ts'
import { createIndexer } from '../../../../chain/indexer/indexer.ts'
import { createServices, type ServiceSettings } from '../../../../services.ts'
import { createChildDatabase } from '../../../../testing/child-database.ts'

// A process that indexes with the product's handlers until it is killed. Its only argument is the JSON of
// `UndoChild`.
export interface UndoChild {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly contracts: {
    bank: `0x${string}`
    transfer: `0x${string}`
    usdt: `0x${string}`
    amc: `0x${string}`
  }
  readonly settings: ServiceSettings
  readonly confirmations: number
  readonly clockOffsetMs: number
}

const child = JSON.parse(process.argv[2] ?? '') as UndoChild
const { db } = createChildDatabase({ url: child.databaseUrl, max: 4, applicationName: 'undo-child' })
const chain = await connectChain({ rpcUrls: [child.rpcUrl], chainId: 42161, contracts: child.contracts })
const now = () => new Date(Date.now() + child.clockOffsetMs)
const log = pino({ level: 'silent' })
const services = createServices({ db, now, log, chain, settings: child.settings })
const indexer = createIndexer({
  db,
  databaseUrl: child.databaseUrl,
  chain,
  now,
  log,
  startBlock: 1n,
  confirmations: child.confirmations,
  pollMs: 20,
})
indexer.registerHandlers(services.eventHandlers)
indexer.start()
