import { createApp } from '../app.ts'
import { connectChain } from '../chain/client.ts'
import { createLogger } from '../lib/logger.ts'
import { createServices } from '../services.ts'
import { createChildDatabase } from './child-database.ts'
import type { ChildPlace } from './fund-admin-child.ts'

// The API of a running local product with other bank contracts in its settings, as after a switch to a new
// bank. Its only argument is `SwitchedPlace` as JSON. It prints its port and serves until it is killed. The
// end-to-end tests start it, because `rif serve` refuses the test token of the local chain.
interface SwitchedPlace extends Pick<ChildPlace, 'databaseUrl' | 'rpcUrl' | 'contracts'> {
  readonly publicUrl: string
  readonly signerUrl: string
}

const place = JSON.parse(process.argv[2] ?? '') as SwitchedPlace
const { databaseUrl, rpcUrl, contracts, publicUrl, signerUrl } = place
const log = createLogger({ level: 'error' })
const { db } = createChildDatabase({
  url: databaseUrl,
  max: 8,
  applicationName: 'switched-api',
  role: 'rif_app',
})
const chain = await connectChain({ rpcUrls: [rpcUrl], chainId: 42161, contracts })
const services = createServices({
  db,
  log,
  chain,
  now: () => new Date(),
  settings: {
    version: 'test',
    publicUrl,
    browserRpcUrl: `${publicUrl}/rpc`,
    explorerUrl: null,
    confirmations: 2,
    demoWallets: null,
    signer: { url: signerUrl, secret: undefined },
  },
})
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
const app = await createApp(services, { log, rateLimits: NO_LIMITS })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}\n`)
