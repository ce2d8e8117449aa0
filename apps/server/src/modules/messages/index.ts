import type { Books } from '../books/index.ts'
import { capability, type ServicesOf } from '../capability.ts'
import type { Ground } from '../ground.ts'
import type { Operators } from '../operators/index.ts'
import { announcementRoutes } from './announcements/announcements.routes.ts'
import { createAnnouncements } from './announcements/announcements.service.ts'
import { announcementKind } from './announcements/proposal-kind.ts'
import { NOTICES_MESSAGES } from './notices/messages.ts'
import { noticeRoutes } from './notices/notices.routes.ts'
import { createNoticeSpreads } from './notices/notices.service.ts'
import { createNotices } from './notices/notices.ts'
import { noticeJobs } from './notices/notices.worker.ts'
import { WEBHOOKS_MESSAGES } from './webhooks/messages.ts'
import { webhookKind } from './webhooks/proposal-kind.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'
import { createWebhooks } from './webhooks/webhooks.service.ts'
import { webhookJobs } from './webhooks/webhooks.worker.ts'

export type Messages = ServicesOf<typeof messages>

/** Messages outside of responses: notices by mail and push, announcements, webhooks. */
export const messages = capability({
  create(needs: Ground & Books & Operators) {
    const { publicUrl, notices = {}, webhookKey = null } = needs.settings
    return {
      ...createNotices({ ...needs, publicUrl, notices }),
      noticeSpreads: createNoticeSpreads({ ...needs, audiences: () => needs.declared().audiences }),
      announcements: createAnnouncements(needs),
      webhooks: createWebhooks({ ...needs, webhookKey }),
    }
  },
  async routes(app, services) {
    await noticeRoutes(app, services)
    webhookRoutes(app, services)
    announcementRoutes(app, services)
  },
  jobs: (services) => ({ always: [...noticeJobs(services), ...webhookJobs(services)] }),
  proposalKinds: (services) => ({ announcement: announcementKind(services), webhook: webhookKind(services) }),
  audiences: () => ({
    // The texts are the same for all members.
    announcement: async (_db, memberIds) => memberIds.map((memberId) => ({ memberId, facts: {} })),
  }),
  messages: { ...NOTICES_MESSAGES, ...WEBHOOKS_MESSAGES },
})
