import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createNodes } from '../../apps/server/src/chain/nodes/nodes.ts'
import { runJobs } from '../../apps/server/src/cli/jobs.ts'
// Loads the same modules as a worker process.
import '../../apps/server/src/cli/product.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { statementJobs } from '../../apps/server/src/modules/files/statements/statements.worker.ts'
import { createServices } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'

// Runs a worker of the built product under plain Node, with only the background work of statements. Requests
// one file and prints the duration in seconds, the memory of the whole process in MB (before, and peak) and
// the size in bytes as JSON.
const POOL_SIZE = 12
const LOOK_MS = 20
const [url = '', memberId = '', kind = 'account', format = 'csv', from = '', to = ''] = process.argv.slice(2)
const database = createDatabase({ url, max: POOL_SIZE, applicationName: 'bench-statements' })
const { db } = database
const nodes = createNodes({ rpcUrls: [], chainId: 42161 })
const nowhere = `0x${'1'.repeat(40)}`
const { statements } = createServices({
  db,
  now: () => new Date(),
  log: createLogger({ level: 'error' }),
  chain: {
    client: nodes.client,
    nodes,
    chainId: 42161,
    contracts: { bank: nowhere, transfer: nowhere, usdt: nowhere, amc: nowhere },
    decimals: { USDT: 6, AMC: 18 },
  },
  settings: {
    publicUrl: 'http://127.0.0.1:8080',
    version: 'bench',
    browserRpcUrl: '',
    explorerUrl: null,
    confirmations: 1,
    demoWallets: null,
    signer: NO_SIGNER,
  },
})
const memory = (name) => {
  const [, kilobytes] = readFileSync('/proc/self/status', 'utf8').match(new RegExp(`${name}:\\s+(\\d+)`))
  return Number(kilobytes) / 1_024
}
const owner = { memberId: BigInt(memberId) }
const jobs = runJobs(statementJobs({ db, statements }), createLogger({ level: 'error' }))
await statements.list(db, owner)
const idleMb = memory('VmRSS')
const begun = performance.now()
const { statement_id } = await statements.request(db, owner, { kind, format, from, to, locale: 'ja' })
let made
do {
  await sleep(LOOK_MS)
  made = await statements.get(db, owner, BigInt(statement_id))
} while (made.step === 'waiting' || made.step === 'running')
const seconds = (performance.now() - begun) / 1_000
if (made.file === null) throw new Error(`the file is ${made.step}: ${made.failure}`)
const { file, entries } = made
console.log(JSON.stringify({ seconds, idleMb, memoryMb: memory('VmHWM'), bytes: file.size, entries }))
await statements.remove(db, owner, BigInt(statement_id))
await jobs.stop()
await database.close()
process.exit(0)
