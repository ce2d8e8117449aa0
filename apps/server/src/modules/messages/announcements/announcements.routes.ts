import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { Announcements } from './announcements.service.ts'

/** `me/announcements` and `admin/announcements`. */
export function announcementRoutes(
  app: FastifyInstance,
  { announcements }: { announcements: Announcements },
): void {
  register(app, 'announcements', ({ query, locale }) => announcements.list(query, locale))
  register(app, 'dismissAnnouncement', async ({ session, params: { announcement_id } }) => {
    await announcements.dismiss(session.memberId, BigInt(announcement_id))
    return { announcement_id }
  })
  register(app, 'operatedAnnouncements', ({ query }) => announcements.listOperated(query))
  register(app, 'withdrawAnnouncement', async ({ admin, params: { announcement_id }, body }) => {
    await announcements.withdraw(admin.address, BigInt(announcement_id), body.reason)
    return { announcement_id }
  })
}
