import { pino } from 'pino'
import type { Address } from 'viem'
import { connectChain } from '../../../chain/client.ts'
import { createIndexer } from '../../../chain/indexer/indexer.ts'
import { createServices } from '../../../services.ts'
import { createChildDatabase } from '../../../testing/child-database.ts'
import type { ChildSettings } from '../../../testing/product-child.ts'
import { rpcOver } from '../../anvil.ts'
import { openGate } from '../../chain-gate.ts'
import { seedDemo } from '../seed.ts'

/** The call of a method before which this process must die. */
export interface Death {
  readonly method: string
  readonly call: number
}

// A process that creates the demonstration team until it dies as by `kill -9`. Its arguments are
// `ChildSettings` and `Death` as JSON.
const { databaseUrl, contracts, settings, clockOffsetMs } = JSON.parse(process.argv[2] ?? '') as ChildSettings
const death = JSON.parse(process.argv[3] ?? '') as Death
const now = () => new Date(Date.now() + clockOffsetMs)
const log = pino({ level: 'silent' })
const { db } = createChildDatabase({
  url: databaseUrl,
  max: 4,
  applicationName: 'seed-child',
  role: 'rif_app',
})
const chain = await connectChain({ rpcUrls: [settings.browserRpcUrl], chainId: 42161, contracts })
const services = createServices({ db, now, log, chain, settings })
const { confirmations } = settings
const indexer = createIndexer({ db, databaseUrl, chain, now, log, startBlock: 1n, confirmations })
indexer.registerHandlers(services.eventHandlers)

let calls = 0
async function forward(body: unknown): Promise<unknown> {
  const { method } = body as { method: string }
  if (method === death.method && ++calls === death.call) process.kill(process.pid, 'SIGKILL')
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(settings.browserRpcUrl, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return response.json()
}
const gate = await openGate({ forward }, async () => {})
const rpc = rpcOver(gate.forward)
const [, ...demoAccounts] = await rpc<Address[]>('eth_accounts')
await seedDemo({
  services,
  node: { rpc, demoAccounts },
  index: indexer.runOnce,
  withTeam: true,
  report: (_what, work) => work,
})
