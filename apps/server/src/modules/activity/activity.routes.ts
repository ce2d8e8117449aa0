import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { ActivityService } from './activity.service.ts'

/** `me/activity`, `me/notifications` and `me/balances`. */
export function activityRoutes(
  app: FastifyInstance,
  { db, activity }: { db: Db; activity: ActivityService },
): void {
  register(app, 'activity', ({ session, query }) => activity.list(db, session.memberId, query))
  register(app, 'notifications', ({ session }) => activity.notifications(db, session.memberId))
  register(app, 'seeNotifications', ({ session, body }) =>
    activity.see(db, session.memberId, BigInt(body.activity_id)),
  )
  register(app, 'balanceDays', async ({ session, query }) => ({
    items: await activity.balanceDays(db, session.memberId, query.days),
  }))
}
