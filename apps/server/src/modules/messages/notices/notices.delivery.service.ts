import { createHash } from 'node:crypto'
import { NOTICE_KINDS } from '@rif/api-schema'
import pLimit from 'p-limit'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import { OutgoingRefused } from '../../../lib/outgoing.ts'
import { failureOf, isRefusedForEver, type Mailer } from './mail.ts'
import { deletePushes, notePush } from './notices.contacts.repository.ts'
import { stopToken } from './notices.contacts.service.ts'
import type { Delivery } from './notices.repository.ts'
import * as repository from './notices.repository.ts'
import type { Pusher, PushOutcome } from './push.ts'
import type { Sealing } from './sealing.ts'
import { noticeText } from './texts.ts'
import { TOPICS } from './topics.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly mailer: Mailer | undefined
  readonly pusher: Pusher | undefined
  readonly sealing: Sealing | undefined
}

export type NoticeDelivery = ReturnType<typeof createNoticeDelivery>

const DAY_MS = 86_400_000
/** The first pause is longer than a send may take, so that no other process retries one in progress. */
const PAUSES = { firstMs: 45_000, maxMs: 3_600_000 }
const AT_ONCE = { limit: 40 }
const PARALLEL = 8
/** The age at which an undelivered notice is given up. */
const GIVEN_UP_MS = 3 * DAY_MS
/**
 * The maximum number of characters of a push: a message has at most 4096 bytes (RFC 8291), and a phone shows
 * a few lines.
 */
const PUSH_CHARACTERS = 240
const KEPT = { noticesMs: 90 * DAY_MS, emailsMs: DAY_MS, limit: 500 }

/**
 * Creates the delivery of notices: at least once, with growing pauses, for three days. A duplicate replaces
 * the first one, by its topic at the push service, its tag in the browser and its Message-ID in the mailbox.
 */
export function createNoticeDelivery({ db, now, log, mailer, pusher, sealing }: Deps) {
  async function byMail(delivery: Delivery, email: NonNullable<Delivery['email']>): Promise<PushOutcome> {
    const to = sealing?.open('address', email.sealed)
    if (sealing === undefined || mailer === undefined) return 'later'
    // Encrypted under a key that the operator has replaced.
    if (to == null) return 'refused'
    const { topic, facts, locale, noticeId, createdAt } = delivery
    const { kind } = TOPICS[topic]
    const token = stopToken(sealing, { emailId: email.emailId, kind, at: createdAt })
    const isAll = kind === null || NOTICE_KINDS[kind].locked
    try {
      const key = `${noticeId}-${email.emailId}`
      await mailer.send({ to, key, topic, facts, locale, stop: { token, isAll } })
      return 'taken'
    } catch (error) {
      if (isRefusedForEver(error)) return 'refused'
      throw error
    }
  }

  async function byPush(delivery: Delivery, push: NonNullable<Delivery['push']>): Promise<PushOutcome> {
    if (pusher === undefined) return 'later'
    const { memberId, event, topic, facts, locale } = delivery
    const { kind, path } = TOPICS[topic]
    const tag = createHash('sha256').update(`${memberId}/${event}`).digest('base64url').slice(0, 32)
    const { title, body } = noticeText(locale, topic, facts)
    const content = { title, body: shortened(body), path: path(facts), tag, lang: locale }
    const isUrgent = kind !== null && NOTICE_KINDS[kind].locked
    try {
      const outcome = await pusher.send({ ...push, topic: tag, isUrgent, content })
      if (outcome === 'taken') await notePush(db, push.pushId, now())
      return outcome
    } catch (error) {
      if (error instanceof OutgoingRefused) return 'gone'
      throw error
    }
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { deliveryId, email, push, attempts, endsAt } = delivery
    if (endsAt !== null && endsAt <= now()) return repository.endDelivery(db, deliveryId, false)
    const channel = push === null ? 'mail' : 'push'
    const fail = (reason: string) =>
      // Without the address and the endpoint, which a library's message may contain.
      log.warn({ channel, topic: delivery.topic, attempts, reason }, 'a notice was not delivered')
    let outcome: PushOutcome = 'later'
    try {
      outcome = push !== null ? await byPush(delivery, push) : await byMail(delivery, email!)
      if (outcome !== 'taken') fail(outcome)
    } catch (error) {
      fail(failureOf(error))
    }
    const isGivenUp = now().getTime() - delivery.createdAt.getTime() > GIVEN_UP_MS
    if (outcome !== 'later' || isGivenUp) await repository.endDelivery(db, deliveryId, outcome === 'taken')
    // Its other deliveries are deleted with it.
    if (outcome === 'gone') await deletePushes(db, { pushId: push!.pushId })
  }

  return {
    /** Sends due notices. A notice is sent again if the process ends before its sending is recorded. */
    async sendDue(): Promise<void> {
      const limit = pLimit(PARALLEL)
      for (;;) {
        const due = await repository.takeDeliveries(db, now(), { ...PAUSES, ...AT_ONCE })
        await Promise.all(due.map((delivery) => limit(() => deliver(delivery))))
        if (due.length < AT_ONCE.limit) return
      }
    },

    /** Deletes rows that are no longer needed. */
    clear: (): Promise<void> =>
      repository.deleteOld(db, {
        notices: new Date(now().getTime() - KEPT.noticesMs),
        emails: new Date(now().getTime() - KEPT.emailsMs),
        limit: KEPT.limit,
      }),
  }
}

/** Returns the start of a text, cut between visible characters. */
function shortened(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  if (characters.length <= PUSH_CHARACTERS) return text
  return `${characters
    .slice(0, PUSH_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`
}
