import * as announcements from '../announcements.ts'
import { get, post, type Routes } from '../route.ts'

/**
 * The routes with which members read announcements. The home page gets the current one from `notifications`.
 */
export const announcementsRoutes = {
  announcements: get('me/announcements', 'member', 'Announcements by the operators, newest first', {
    query: announcements.announcementsQuery,
    data: announcements.announcementsData,
  }),
  dismissAnnouncement: post(
    'me/announcements/:announcement_id/dismiss',
    'member',
    'Close an announcement on home, on every device',
    { params: announcements.announcementParams, data: announcements.dismissData },
  ),
} satisfies Routes

/** The routes with which operators list and withdraw announcements. New ones are proposals. */
export const announcementsAdminRoutes = {
  operatedAnnouncements: get(
    'admin/announcements',
    'viewer',
    'Announcements with what was sent, newest first',
    {
      query: announcements.announcementsQuery,
      data: announcements.operatedAnnouncementsData,
    },
  ),
  withdrawAnnouncement: post(
    'admin/announcements/:announcement_id/withdraw',
    'operator',
    'Withdraw an announcement: it is no longer shown, and nothing more is sent',
    {
      params: announcements.announcementParams,
      body: announcements.withdrawAnnouncementBody,
      data: announcements.withdrawAnnouncementData,
    },
  ),
} satisfies Routes
