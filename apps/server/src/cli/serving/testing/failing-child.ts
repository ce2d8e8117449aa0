import cluster from 'node:cluster'
import { createLogger } from '../../../lib/logger.ts'
import { type ApiPlace, forkApiProcesses } from '../api-processes.ts'
import { openLink } from '../link.ts'

// A main process whose API processes end while they start, or with REFUSAL refuse to serve. Prints the reason
// why it gave up.
const { isWorker } = cluster
const { REFUSAL } = process.env
if (isWorker && REFUSAL) {
  openLink(process as Required<NodeJS.Process>, { begin: () => Promise.reject(REFUSAL) })
  process.once('SIGTERM', () => process.exit(0))
} else if (isWorker) {
  process.exit(7)
} else {
  const log = createLogger({ level: 'error' })
  const api = forkApiProcesses({ count: 2, log })
  const work = { relay: async () => null, metrics: async () => [] }
  const problem = await api.begin({} as ApiPlace, work).catch((error: Error) => error.message)
  await api.stop()
  process.stderr.write(`${problem}\n`)
}
