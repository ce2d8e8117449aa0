import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { createChildDatabase } from '../../testing/child-database.ts'
import { createJobs } from '../jobs.service.ts'
import { runQueuedJobs } from '../jobs.worker.ts'

// A worker that takes a job and never ends it, to be killed. Reads the database URL from a line, and prints
// `ready` and `running`.
const input = createInterface(process.stdin)
process.stdout.write('ready\n')
const [url] = (await once(input, 'line')) as [string]
input.close()
const log = pino({ level: 'silent' })
const { db } = createChildDatabase({ url, max: 2, applicationName: 'jobs-child', role: 'rif_app' })
const jobs = createJobs<object, null>({ db, now: () => new Date(), log, kind: 'rerun', quietMs: 60_000 })
const handler = jobs.handler(() => {
  process.stdout.write('running\n')
  return new Promise<never>(() => undefined)
})
await runQueuedJobs({ url, handlers: [handler], log })
