import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { registerCsv } from '../../../plugins/csv.ts'
import { type Call, register } from '../../../plugins/route.ts'
import type { Announcements } from '../../messages/announcements/announcements.service.ts'
import type { ActivityService } from './activity.service.ts'
import { ACTIVITY_COLUMNS } from './csv.ts'

/** `me/activity`, `me/sent`, `me/packages` and `me/notifications`. */
export function activityRoutes(
  app: FastifyInstance,
  { db, activity, announcements }: { db: Db; activity: ActivityService; announcements: Announcements },
): void {
  register(app, 'activity', ({ session, query }) => activity.list(db, session.memberId, query))
  registerCsv(app, 'activity', ACTIVITY_COLUMNS, ({ memberId }, query) => activity.list(db, memberId, query))
  register(app, 'activityDetail', ({ session, params }) =>
    activity.detail(db, session.memberId, BigInt(params.activity_id)),
  )
  register(app, 'sentTo', ({ session, query }) => activity.sentTo(db, session.memberId, query.address))
  register(app, 'packages', ({ session }) => activity.packages(db, session.memberId))
  const announcedTo = async ({ session, locale }: Pick<Call<'notifications'>, 'session' | 'locale'>) => ({
    announcement: await announcements.current(session.memberId, locale),
  })
  register(app, 'notifications', async (call) => ({
    ...(await activity.notifications(db, call.session.memberId)),
    ...(await announcedTo(call)),
  }))
  register(app, 'seeNotifications', async (call) => ({
    ...(await activity.see(db, call.session.memberId, BigInt(call.body.activity_id))),
    ...(await announcedTo(call)),
  }))
}
