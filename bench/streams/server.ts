import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../apps/server/src/app.ts'
import { EVERYBODY, noteChange } from '../../apps/server/src/db/changes.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { openLive } from '../../apps/server/src/modules/access/live/live.service.ts'
import { servicesOn } from '../kit/services.ts'

/** The requests of the benchmark to a server, and the responses. */
export type Order = 'tell' | 'figures'
export type Answer = { readonly port: number } | { readonly rssBytes: number; readonly cpuMs: number }

const POOL_SIZE = 20
const LOTS = 1e9
const FRAME = Buffer.from('data: {"kinds":["pauses"]}\n\n')

// `server.mjs product <database>` or `server.mjs bare`: holds streams, and follows the commands of its parent
// process.
const [mode, url = ''] = process.argv.slice(2)
const { port, tell } = mode === 'product' ? await openProduct() : await openBare()
process.on('message', (order: Order) => {
  if (order === 'tell') tell()
  else {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    answer({ rssBytes: process.memoryUsage().rss, cpuMs: (user + system) / 1_000 })
  }
})
answer({ port })

function answer(message: Answer): void {
  process.send?.(message)
}

async function openProduct() {
  const database = createDatabase({ url, max: POOL_SIZE, applicationName: 'rif-bench', hasPools: true })
  const services = servicesOn(database)
  const log = createLogger({ level: 'silent' })
  const limits = { perWallet: LOTS, perSource: LOTS, perProcess: LOTS }
  const live = openLive({ ...services, log }, { databaseUrl: url, limits })
  const rateLimits = { perIp: LOTS, perMember: LOTS, signInPerIp: LOTS }
  const app = await createApp(services, { live, log, rateLimits })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { port, tell: () => noteChange(database.db, EVERYBODY, 'pauses') }
}

/** The minimum work of any server: holds the responses, and writes to all of them. */
async function openBare() {
  const open = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(FRAME)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const tell = () => {
    for (const response of open) response.write(FRAME)
  }
  return { port: (server.address() as AddressInfo).port, tell }
}
