import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { registerCsv } from '../../plugins/csv.ts'
import { register } from '../../plugins/route.ts'
import { ACTIVITY_COLUMNS } from './activity.csv.ts'
import type { ActivityService } from './activity.service.ts'

/** `me/activity`, `me/sent`, `me/packages` and `me/notifications`. */
export function activityRoutes(
  app: FastifyInstance,
  { db, activity }: { db: Db; activity: ActivityService },
): void {
  register(app, 'activity', ({ session, query }) => activity.list(db, session.memberId, query))
  registerCsv(app, 'activity', ACTIVITY_COLUMNS, ({ memberId }, query) => activity.list(db, memberId, query))
  register(app, 'activityDetail', ({ session, params }) =>
    activity.detail(db, session.memberId, BigInt(params.activity_id)),
  )
  register(app, 'sentTo', ({ session, query }) => activity.sentTo(db, session.memberId, query.address))
  register(app, 'packages', ({ session }) => activity.packages(db, session.memberId))
  register(app, 'notifications', ({ session }) => activity.notifications(db, session.memberId))
  register(app, 'seeNotifications', ({ session, body }) =>
    activity.see(db, session.memberId, BigInt(body.activity_id)),
  )
}
