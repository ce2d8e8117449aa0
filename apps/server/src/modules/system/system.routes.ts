import type { FastifyInstance } from 'fastify'
import type { ClockWatch } from '../../db/clock-watch.ts'
import type { Db } from '../../db/database.ts'
import { forAll } from '../../db/lanes.ts'
import { sharedFor } from '../../lib/shared-for.ts'
import { register } from '../../plugins/route.ts'
import type { ReachService } from '../reach/reach.service.ts'
import type { Check, SystemService } from './system.service.ts'

/** Calls within this time share one check. */
const READY_MS = 1_000

/**
 * The checks that leave a process in service: without the signer everything except on-chain purchases and claims works, and
 * without a machine of a cluster everything except calls about its members.
 */
const NOT_NEEDED: ReadonlySet<string> = new Set(['signer', 'machines'])

interface Deps {
  readonly db: Db
  readonly system: SystemService
  readonly reach: Pick<ReachService, 'refusalOf'>
  readonly clock?: Pick<ClockWatch, 'status'> | undefined
}

/** `config`, and for operators of the process: `/health` (it is alive) and `/ready` (it can serve). */
export function systemRoutes(app: FastifyInstance, { db, system, reach, clock }: Deps): void {
  const readiness = sharedFor(READY_MS, () => forAll('health', () => system.readiness(db)))
  register(app, 'config', async ({ country }) => {
    const refused = await reach.refusalOf({ country })
    return { ...(await system.config(db)), refused }
  })

  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const checks = { ...(await readiness()), ...(clock && { clock: clockCheck(clock) }) }
    const ready = Object.entries(checks).every(([name, check]) => check.ok || NOT_NEEDED.has(name))
    return reply.code(ready ? 200 : 503).send({ ready, checks })
  })
}

function clockCheck(clock: Pick<ClockWatch, 'status'>): Check {
  const { isRight, offsetMs } = clock.status()
  return isRight ? { ok: true } : { ok: false, problem: `${Math.round(offsetMs)} ms from the database's` }
}
