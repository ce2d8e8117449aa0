import type { FastifyInstance } from 'fastify'
import type { ClockWatch } from '../../../db/clock-watch.ts'
import type { Db } from '../../../db/database.ts'
import { forAll } from '../../../db/lanes.ts'
import type { Logger } from '../../../lib/logger.ts'
import { sharedFor } from '../../../lib/shared-for.ts'
import { register } from '../../../plugins/route.ts'
import type { ReachService } from '../../members/reach/reach.service.ts'
import type { PartCheck, SystemService } from './system.service.ts'

/** Calls within this time share one check. */
const SHARED_MS = 1_000

interface Deps {
  readonly db: Db
  readonly log: Logger
  readonly system: SystemService
  readonly reach: Pick<ReachService, 'refusalOf'>
  readonly clock?: Pick<ClockWatch, 'status'> | undefined
  /** The check of the contracts; undefined if it has passed. */
  readonly contracts?: { isPassed(): boolean } | undefined
}

type Checks = Readonly<Record<string, PartCheck>>

/**
 * `config`, and for operators of the process: `/health` (it is alive), `/ready` (it can serve) and `/status` (the parts that it needs
 * for all of its work).
 */
export function systemRoutes(app: FastifyInstance, { db, log, system, reach, clock, contracts }: Deps): void {
  const logReady = changesIn('this process', log)
  const logStatus = changesIn('the product', log)
  const readiness = sharedFor(SHARED_MS, async () =>
    logReady({
      ...(await forAll('health', () => system.readiness(db))),
      ...(clock && { clock: clockCheck(clock) }),
    }),
  )
  const status = sharedFor(SHARED_MS, async () =>
    logStatus({
      contracts: contractsCheck(contracts),
      ...(await forAll('health', () => system.status(db))),
    }),
  )
  register(app, 'config', async ({ country }) => {
    const refused = await reach.refusalOf({ country })
    return { ...(await system.config(db)), refused }
  })

  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const checks = await readiness()
    const ready = isGood(checks)
    return reply.code(ready ? 200 : 503).send({ ready, checks })
  })

  // Always 200: a proxy that takes a server out of service for it would close the site when a node hesitates.
  app.get('/status', { schema: { hide: true } }, async () => {
    const parts = await status()
    return { ok: isGood(parts), parts }
  })
}

const isGood = (checks: Checks) => Object.values(checks).every(({ ok }) => ok)

/** Returns a function that logs each change of a problem once, and returns what it was given. */
function changesIn(what: string, log: Logger): (checks: Checks) => Checks {
  const last = new Map<string, string>()
  return (checks) => {
    for (const [part, { problem }] of Object.entries(checks)) {
      if (problem === last.get(part)) continue
      if (problem === undefined) log.info({ part }, `${what} works again`)
      else log.warn({ part, problem }, `${what} does not work fully`)
      if (problem === undefined) last.delete(part)
      else last.set(part, problem)
    }
    return checks
  }
}

function contractsCheck(contracts: Deps['contracts']): PartCheck {
  return contracts?.isPassed() === false
    ? { ok: false, problem: 'not checked yet: this process moves no money' }
    : { ok: true }
}

function clockCheck(clock: Pick<ClockWatch, 'status'>): PartCheck {
  const { isRight, offsetMs } = clock.status()
  return isRight ? { ok: true } : { ok: false, problem: `${Math.round(offsetMs)} ms from the database's` }
}
