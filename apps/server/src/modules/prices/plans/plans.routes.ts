import { dayOf, serialisePlan } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { register } from '../../../plugins/route.ts'
import type { PlansService } from './plans.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: PlansService
}

/** `plan`. */
export function planRoutes(app: FastifyInstance, { db, now, plans }: Deps): void {
  register(app, 'plan', async () => {
    const { version, effectiveDay, plan } = await plans.versionAt(db, dayOf(now().getTime()))
    return { version: `${version}`, effective_day: effectiveDay, figures: serialisePlan(plan) }
  })
}
