import { createHash, createPublicKey, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import {
  CODE_DIGITS,
  type Locale,
  NOTICE_KINDS,
  type NoticeChannel,
  type NoticeKind,
  type NoticeSettings,
  noticeKind,
} from '@rif/api-schema'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { type Outgoing, OutgoingRefused } from '../../../lib/outgoing.ts'
import { failureOf, isRefusedForEver, type Mailer } from './mail.ts'
import * as repository from './notices.contacts.repository.ts'
import { writeNotices } from './notices.repository.ts'
import { notify } from './notices.service.ts'
import type { Pusher } from './push.ts'
import type { Sealing } from './sealing.ts'
import type { Topic } from './topics.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly outgoing: Pick<Outgoing, 'check'>
  /** Undefined while the operator has not configured the channel. */
  readonly mailer: Mailer | undefined
  readonly pusher: Pusher | undefined
  readonly sealing: Sealing | undefined
}

/** The member and the device of a request about notices. */
export interface NoticeCaller {
  readonly memberId: bigint
  readonly sessionHash: Buffer
  readonly device: string | null
  readonly locale: Locale
}

export interface PushRegistration {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const CODE_VALIDITY_MS = 30 * MINUTE_MS
const CODE_TRIES = 5
/** The maximum number of codes in 24 hours: for one member, and to one address for all members. */
const CODES_PER_DAY = { byMember: 5, toAddress: 3 }
const MAX_BROWSERS = 10
const TESTS_PER_HOUR = 5
/** The header of a P-256 key in DER, before its 65 bytes. */
const P256_SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')

const KINDS = noticeKind.options
const DEFAULTS: repository.NoticeMember = { mail: defaultsOf('mail'), push: defaultsOf('push') }

export type NoticeContacts = ReturnType<typeof createNoticeContacts>

/** Creates the service of members' addresses, browsers and choices for notices. */
export function createNoticeContacts(deps: Deps) {
  const { db, now, log, outgoing, mailer, pusher, sealing } = deps

  const mailParts = () => {
    if (mailer === undefined || sealing === undefined) throw new AppError('NOTICES_NOT_SET_UP')
    return { mailer, sealing }
  }
  const addressOf = (row: repository.EmailRow): string => sealing?.open('address', row.sealed) ?? '-'

  async function settings(read: Db, { memberId, sessionHash }: NoticeCaller): Promise<NoticeSettings> {
    const chosen = (await repository.memberOfContact(read, memberId)) ?? DEFAULTS
    const { confirmed, pending } = await repository.emailsOf(read, memberId)
    const pushes = await repository.pushesOf(read, memberId)
    const waits = pending !== undefined && pending.code_expires_at! > now() && pending.tries < CODE_TRIES
    return {
      mail: {
        available: mailer !== undefined && sealing !== undefined,
        confirmed: confirmed
          ? { address: addressOf(confirmed), confirmed_at: confirmed.confirmed_at!.toISOString() }
          : null,
        pending: waits
          ? { address: addressOf(pending), expires_at: pending.code_expires_at!.toISOString() }
          : null,
      },
      push: {
        available: pusher !== undefined,
        public_key: pusher?.publicKey ?? null,
        browsers: pushes.map((push) => ({
          push_id: `${push.push_id}`,
          device: push.device,
          created_at: push.created_at.toISOString(),
          taken_at: push.taken_at?.toISOString() ?? null,
          current: push.session_hash.equals(sessionHash),
        })),
      },
      kinds: KINDS.map((kind) => {
        const { locked } = NOTICE_KINDS[kind]
        const isOn = (channel: NoticeChannel) => locked || chosen[channel].includes(kind)
        return { kind, locked, push: isOn('push'), mail: isOn('mail') }
      }),
    }
  }

  /** Changes a member's contacts under the lock of the member's row, and returns the settings. */
  function change(caller: NoticeCaller, work: (dbTx: Db, at: Date) => Promise<void>) {
    return inTx(db, async (dbTx) => {
      const at = now()
      const { memberId, locale } = caller
      await repository.lockContactsOf(dbTx, memberId, { locale, at, defaults: DEFAULTS })
      await work(dbTx, at)
      return settings(dbTx, caller)
    })
  }

  /** Notifies the existing addresses and browsers of a change. */
  function changed(dbTx: Db, memberId: bigint, topic: Topic, at: Date, device = '-'): Promise<void> {
    return notify(dbTx, { memberId, event: `${topic}/${randomUUID()}`, topic, facts: { device }, at })
  }

  return {
    /** Returns a member's addresses, browsers and choices. */
    settings: (caller: NoticeCaller): Promise<NoticeSettings> => settings(db, caller),

    /** Switches a kind on or off in a channel. Throws FORBIDDEN for a kind about safety. */
    choose(caller: NoticeCaller, choice: { kind: NoticeKind; channel: NoticeChannel; on: boolean }) {
      if (NOTICE_KINDS[choice.kind].locked) throw new AppError('FORBIDDEN')
      return change(caller, (dbTx) => repository.choose(dbTx, caller.memberId, choice))
    },

    /**
     * Sends a code to an address, which replaces one that is still waiting. The confirmed address remains
     * until the new one is confirmed. Throws NOTICES_NOT_SET_UP, TOO_MANY_NOTICES, VALIDATION_FAILED if the
     * mail server refuses the address, and UNAVAILABLE if it does not accept the mail for another reason.
     */
    async addEmail(caller: NoticeCaller, email: string): Promise<NoticeSettings> {
      const parts = mailParts()
      const { memberId } = caller
      const code = `${randomInt(10 ** CODE_DIGITS)}`.padStart(CODE_DIGITS, '0')
      const addressHash = parts.sealing.hash('address', email.toLowerCase())
      let emailId = 0n
      const after = await change(caller, async (dbTx, at) => {
        const since = new Date(at.getTime() - DAY_MS)
        const sent = await repository.codesSince(dbTx, { memberId, addressHash, since })
        if (sent.byMember >= CODES_PER_DAY.byMember || sent.toAddress >= CODES_PER_DAY.toAddress)
          throw new AppError('TOO_MANY_NOTICES')
        await repository.endEmails(dbTx, memberId, { which: 'pending', at })
        emailId = await repository.insertEmail(dbTx, {
          member_id: memberId,
          sealed: parts.sealing.seal('address', email),
          address_hash: addressHash,
          code_hash: parts.sealing.hash('code', `${memberId}/${code}`),
          code_expires_at: new Date(at.getTime() + CODE_VALIDITY_MS),
          created_at: at,
        })
      })
      const message = { topic: 'confirm_email', facts: { code }, locale: caller.locale } as const
      await parts.mailer
        .send({ to: email, key: `code-${randomUUID()}`, ...message })
        .catch(async (error: unknown) => {
          log.warn({ reason: failureOf(error) }, 'a code was not sent')
          if (isRefusedForEver(error)) {
            await repository.endEmails(db, memberId, { which: 'pending', at: now() })
            throw new AppError('VALIDATION_FAILED', { field: 'email', problem: 'the mail server refuses it' })
          }
          // It does not count, or a failure of the mail server would use up the codes of a day.
          await repository.deleteEmail(db, emailId)
          throw new AppError('UNAVAILABLE')
        })
      return after
    },

    /**
     * Confirms the waiting address with its code. Notices then go to it, and the former address gets a last
     * notice about the change. Throws NOTICE_CODE_WRONG, and NOTICE_CODE_OVER after its time or too many
     * attempts.
     */
    async confirmEmail(caller: NoticeCaller, code: string): Promise<NoticeSettings> {
      const { sealing } = mailParts()
      const { memberId } = caller
      // Committed before the comparison, so that a wrong code counts even if this process dies here.
      const row = await repository.countTry(db, memberId)
      if (row === undefined || row.tries > CODE_TRIES || row.code_expires_at! <= now())
        throw new AppError('NOTICE_CODE_OVER')
      if (!timingSafeEqual(sealing.hash('code', `${memberId}/${code}`), row.code_hash!))
        throw new AppError('NOTICE_CODE_WRONG')
      return change(caller, async (dbTx, at) => {
        await changed(dbTx, memberId, 'email_added', at)
        await repository.endEmails(dbTx, memberId, { which: 'confirmed', at })
        if (!(await repository.confirmEmail(dbTx, row.email_id, at))) throw new AppError('NOTICE_CODE_OVER')
      })
    },

    /** Removes the address, which gets a last notice about that, and a waiting one. */
    removeEmail: (caller: NoticeCaller): Promise<NoticeSettings> =>
      change(caller, async (dbTx, at) => {
        await changed(dbTx, caller.memberId, 'email_ended', at)
        await repository.endEmails(dbTx, caller.memberId, { which: 'all', at })
      }),

    /**
     * Registers the browser of the request. Throws NOTICES_NOT_SET_UP, and VALIDATION_FAILED for an internal
     * endpoint or invalid keys.
     */
    addPush(caller: NoticeCaller, { endpoint, keys }: PushRegistration): Promise<NoticeSettings> {
      if (pusher === undefined) throw new AppError('NOTICES_NOT_SET_UP')
      requireEndpoint(outgoing, endpoint)
      const { memberId, sessionHash, device } = caller
      const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
      requireKeys(p256dh, auth)
      const endpointHash = createHash('sha256').update(endpoint).digest()
      return change(caller, async (dbTx, at) => {
        if (!(await repository.hasPush(dbTx, memberId, endpointHash)))
          await changed(dbTx, memberId, 'push_added', at, device ?? '-')
        const push = { memberId, endpoint, endpointHash, p256dh, auth, device, sessionHash, at }
        await repository.putPush(dbTx, push, MAX_BROWSERS)
      })
    },

    /** Removes a browser of the member. Throws NOT_FOUND. */
    removePush: (caller: NoticeCaller, pushId: bigint): Promise<NoticeSettings> =>
      change(caller, async (dbTx) => {
        const removed = await repository.deletePushes(dbTx, { pushId, memberId: caller.memberId })
        if (removed === 0) throw new AppError('NOT_FOUND')
      }),

    /** Sends a test to a channel. Throws TOO_MANY_NOTICES, and NOT_FOUND for a channel without an address or browser. */
    test: (caller: NoticeCaller, channel: NoticeChannel): Promise<NoticeSettings> =>
      change(caller, async (dbTx, at) => {
        const { memberId } = caller
        const since = new Date(at.getTime() - 60 * MINUTE_MS)
        if ((await repository.testsSince(dbTx, memberId, since)) >= TESTS_PER_HOUR)
          throw new AppError('TOO_MANY_NOTICES')
        const event = `test/${randomUUID()}`
        const notice = { event, topic: 'test', kind: null, channel, at } as const
        const written = await writeNotices(dbTx, notice, [{ memberId, facts: {} }])
        if (written === 0) throw new AppError('NOT_FOUND')
      }),

    /**
     * Unsubscribes with the token of a mail: from its kind, or from everything for a mail about safety.
     * Repeating it changes nothing. Throws NOTICE_LINK_OVER for a token that is invalid or too old, or whose
     * address is no longer in use.
     */
    async stop(token: string): Promise<NoticeKind | 'all'> {
      const link = sealing && readStopToken(sealing, token)
      if (link == null || link.expiresAt <= now()) throw new AppError('NOTICE_LINK_OVER')
      return inTx(db, async (dbTx) => {
        const at = now()
        const row = await repository.findEmail(dbTx, link.emailId)
        if (row === undefined) throw new AppError('NOTICE_LINK_OVER')
        const { member_id: memberId } = row
        if (link.scope !== 'all') {
          await repository.choose(dbTx, memberId, { kind: link.scope, channel: 'mail', on: false })
          return link.scope
        }
        await repository.endEmails(dbTx, memberId, { which: 'confirmed', at })
        await changed(dbTx, memberId, 'email_ended', at)
        return 'all'
      })
    },

    /** Returns the stored data about a member's notices, for an export of personal data. */
    async contactsOf(read: Db, memberId: bigint) {
      const { confirmed, pending } = await repository.emailsOf(read, memberId)
      return {
        emails: [confirmed, pending].flatMap((row) => (row === undefined ? [] : [addressOf(row)])),
        browsers: (await repository.pushesOf(read, memberId)).map(({ device, created_at }) => ({
          device,
          createdAt: created_at,
        })),
        chosen: (await repository.memberOfContact(read, memberId)) ?? null,
      }
    },
  }
}

/** The validity of links in mails. */
const STOP_VALIDITY_MS = 90 * DAY_MS

/**
 * Creates the token of an unsubscribe link: encrypted, so that it reveals nothing and others cannot forge or
 * change it.
 */
export function stopToken(
  sealing: Sealing,
  { emailId, kind, at }: { emailId: bigint; kind: NoticeKind | null; at: Date },
): string {
  const scope = kind === null || NOTICE_KINDS[kind].locked ? 'all' : kind
  const text = `${emailId} ${scope} ${at.getTime() + STOP_VALIDITY_MS}`
  return sealing.seal('unsubscribe', text).toString('base64url')
}

function readStopToken(sealing: Sealing, token: string) {
  const [emailId, scope, expires] =
    sealing.open('unsubscribe', Buffer.from(token, 'base64url'))?.split(' ') ?? []
  if (emailId === undefined || scope === undefined) return null
  return {
    emailId: BigInt(emailId),
    expiresAt: new Date(Number(expires)),
    scope: scope === 'all' ? scope : noticeKind.parse(scope),
  } as const
}

/** Throws VALIDATION_FAILED for an endpoint without a public address. */
function requireEndpoint(outgoing: Pick<Outgoing, 'check'>, endpoint: string): void {
  try {
    outgoing.check(endpoint)
  } catch (error) {
    if (!(error instanceof OutgoingRefused)) throw error
    throw new AppError('VALIDATION_FAILED', { field: 'endpoint', problem: 'is not allowed' })
  }
}

/** Throws VALIDATION_FAILED unless the keys are a point of the curve P-256 and 16 bytes (RFC 8291). */
function requireKeys(p256dh: Buffer, auth: Buffer): void {
  try {
    if (p256dh.length !== 65 || auth.length !== 16) throw new Error('wrong length')
    createPublicKey({ key: Buffer.concat([P256_SPKI, p256dh]), format: 'der', type: 'spki' })
  } catch {
    throw new AppError('VALIDATION_FAILED', { field: 'keys', problem: 'are not valid' })
  }
}

function defaultsOf(channel: NoticeChannel): NoticeKind[] {
  return KINDS.filter((kind) => !NOTICE_KINDS[kind].locked && NOTICE_KINDS[kind][channel])
}
