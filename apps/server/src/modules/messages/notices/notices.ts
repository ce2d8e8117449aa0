import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Outgoing } from '../../../lib/outgoing.ts'
import { createMailer, type MailSettings } from './mail.ts'
import { createNoticeContacts } from './notices.contacts.service.ts'
import { createNoticeDelivery } from './notices.delivery.service.ts'
import { createPusher, type PushSettings } from './push.ts'
import { createSealing } from './sealing.ts'

/** The operator's settings of notices; a channel without them is off. */
export interface NoticeSettings {
  readonly mail?: MailSettings | undefined
  readonly push?: PushSettings | undefined
  /** The key of addresses and of links in mails, 32 bytes; without it there is no mail. */
  readonly key?: Uint8Array | null | undefined
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly outgoing: Outgoing
  readonly publicUrl: string
  readonly notices: NoticeSettings
}

/** Creates the contacts of members and the delivery of notices. */
export function createNotices({ notices, ...deps }: Deps) {
  const { mail, push, key } = notices
  const sealing = key ? createSealing(key) : undefined
  const mailer = mail && sealing && createMailer(mail, deps.publicUrl)
  const pusher = push && createPusher(push, deps.outgoing)
  const parts = { ...deps, sealing, mailer, pusher }
  return { noticeContacts: createNoticeContacts(parts), noticeDelivery: createNoticeDelivery(parts) }
}
