import { defaultPlan } from '@rif/rules'
import { createApp } from '../app.ts'
import { runJobs } from '../cli/jobs.ts'
import { createLogger } from '../lib/logger.ts'
import { savingsJobs } from '../modules/savings/savings.worker.ts'
import { createServices } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { simulatedChain } from '../simulate/simulated-chain.ts'
import { createChildDatabase } from './child-database.ts'

// The API and the worker of savings in a process that serves until it is killed. Arguments: database, port.
const [databaseUrl = '', port = ''] = process.argv.slice(2)
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }

const log = createLogger({ level: 'silent' })
const { db } = createChildDatabase({
  url: databaseUrl,
  max: 12,
  applicationName: 'mixed-child',
  role: 'rif_app',
})
const services = createServices({
  db,
  log,
  now: () => new Date(),
  chain: simulatedChain(),
  settings: {
    version: 'test',
    publicUrl: 'http://localhost',
    browserRpcUrl: '',
    explorerUrl: null,
    confirmations: 1,
    demoWallets: null,
    signer: NO_SIGNER,
    // Any member can send any amount to any other immediately.
    transfersLimited: false,
    membersSign: false,
  },
})
// Withdrawals from savings arrive within the test.
await services.plans.ensureDefault(db, {
  ...defaultPlan,
  savings: { ...defaultPlan.savings, fastDelayMs: 300 },
})
runJobs(
  savingsJobs(services.savings, services.standingSavings).map((job) => ({ ...job, everyMs: 100 })),
  log,
)
const app = await createApp(services, { log, rateLimits: NO_LIMITS })
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.stdout.write('listening\n')
