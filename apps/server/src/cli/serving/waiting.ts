import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { withChecksums } from '../../chain/banks.ts'
import { lineOf } from '../../chain/nodes/nodes.ts'
import { browserChainOf, type Config } from '../../config.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { MESSAGES } from '../../messages.ts'
import { bankFactsOf, useBankFacts } from '../../plugins/bank-facts.ts'
import { sendRefusal, useErrors } from '../../plugins/errors.ts'
import { useSecurityHeaders } from '../../plugins/security.ts'
import { useWebApp } from '../../plugins/web-app.ts'
import { databasePlaceOf, serverVersion } from '../database.ts'
import { refuseWrongAddress } from '../explain.ts'
import { listen } from './listening.ts'

const PAUSE_MS = 1_000

/**
 * Waits until the database answers. Meanwhile a process that serves listens: it answers the pages of the app, and 503 to calls.
 * Throws StartError for a login or a database that the server refuses. Returns early when `stopped` aborts.
 */
export async function awaitDatabase(
  config: Config,
  {
    databaseUrl,
    webRoot,
    log,
    stopped,
  }: { databaseUrl: string; webRoot: string | undefined; log: Logger; stopped: AbortSignal },
): Promise<void> {
  let app: FastifyInstance | undefined
  try {
    while (!stopped.aborted) {
      const reason = await problemOf(databaseUrl)
      if (reason === undefined) return
      if (app === undefined) {
        log.error({ reason }, 'the database does not answer: this process waits for it, and moves no money')
        app = await openWaiting(config, webRoot)
      }
      await sleep(PAUSE_MS, undefined, { signal: stopped }).catch(() => undefined)
    }
  } finally {
    await app?.close()
    if (app && !stopped.aborted) log.warn('the database answers again')
  }
}

/** Returns why the database cannot serve now; undefined if it can. Throws StartError for what waiting does not mend. */
async function problemOf(databaseUrl: string): Promise<string | undefined> {
  try {
    await serverVersion(databaseUrl)
    return undefined
  } catch (error) {
    refuseWrongAddress(error, 'DATABASE_URL')
    if (!isDatabaseUnavailable(error)) throw error
    return `${databasePlaceOf(databaseUrl)}: ${lineOf(error)}`
  }
}

/** Serves what needs no database. Without a folder of the app the process serves nothing, and only the wait is left. */
async function openWaiting(config: Config, webRoot: string | undefined): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  if (webRoot === undefined) return app
  useErrors(app, MESSAGES)
  const browserChain = browserChainOf(config)
  useSecurityHeaders(app, { publicUrl: config.publicUrl, ...browserChain })
  if (config.remoteChain)
    useBankFacts(app, bankFactsOf(browserChain, withChecksums(config.remoteChain.contracts)))
  const database = { ok: false, problem: 'does not answer' }
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => reply.code(503).send({ ready: false, checks: { database } }))
  app.get('/status', async () => ({ ok: false, parts: { database } }))
  app.all('/api/*', (request, reply) => sendRefusal(request, reply, new AppError('UNAVAILABLE')))
  await useWebApp(app, webRoot, { onUnmatched: async () => undefined, methodsAt: () => [] })
  await listen(app, config)
  return app
}
