import {
  type Announcement,
  type AnnouncementDraft,
  type AnnouncementTexts,
  LOCALES,
  type Locale,
  type OperatedAnnouncement,
  type RouteData,
} from '@rif/api-schema'
import { announcementProblem } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { countsOfMany, endMany, notifyMany, type SpreadCounts } from '../notices/notices.service.ts'
import type { AnnouncementRow } from './announcements.repository.ts'
import * as repository from './announcements.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly adminLog: Pick<AdminLogService, 'record'>
}

/** The time for which home shows an announcement to members who have not closed it. */
const ON_HOME_MS = 30 * 86_400_000

export interface AnnouncementQuery {
  readonly cursor?: string | undefined
  readonly limit: number
}

export type Announcements = ReturnType<typeof createAnnouncements>

/** Creates the service of announcements: published by two persons, shown in the app, and sent to members who chose them. */
export function createAnnouncements({ db, now, adminLog }: Deps) {
  function operated(
    row: AnnouncementRow,
    counts: SpreadCounts | undefined,
    dismissed: number,
  ): OperatedAnnouncement {
    const { withdrawnAt, withdrawnBy, withdrawReason, expiresAt } = row
    const isExpired = expiresAt !== null && expiresAt <= now()
    return {
      announcement_id: `${row.announcementId}`,
      texts: row.texts,
      proposal_id: `${row.proposalId}`,
      state: withdrawnAt !== null ? 'withdrawn' : isExpired ? 'expired' : 'live',
      published_at: row.publishedAt.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      proposed_by: row.proposedBy,
      approved_by: row.approvedBy,
      withdrawn:
        withdrawnAt === null
          ? null
          : { by: withdrawnBy!, at: withdrawnAt.toISOString(), reason: withdrawReason! },
      sent: {
        writing: counts?.isWriting ?? false,
        members: Number(counts?.notices ?? 0),
        mails: Number(counts?.mails ?? 0),
        pushes: Number(counts?.pushes ?? 0),
        given_up: Number(counts?.givenUp ?? 0),
      },
      dismissed,
    }
  }

  return {
    /**
     * Validates an announcement before it is proposed and approved. Throws VALIDATION_FAILED for links and
     * for an end in the past.
     */
    check({ texts, expires_at }: AnnouncementDraft): void {
      for (const locale of LOCALES) {
        for (const [part, words] of Object.entries(texts[locale] ?? {})) {
          const problem = announcementProblem(words)
          const field = `payload.texts.${locale}.${part}`
          if (problem !== null) throw new AppError('VALIDATION_FAILED', { field, problem })
        }
      }
      if (expires_at !== null && new Date(expires_at) <= now())
        throw new AppError('VALIDATION_FAILED', { field: 'payload.expires_at', problem: 'has passed' })
    },

    /**
     * Publishes an announcement that two persons approved, and writes the event that triggers its notices.
     * Throws as `check`.
     */
    async publish(
      dbTx: Db,
      draft: AnnouncementDraft,
      { proposalId, ...admins }: { proposalId: bigint; proposedBy: string; approvedBy: string },
    ): Promise<bigint> {
      this.check(draft)
      const { texts } = draft
      const at = now()
      const expiresAt = draft.expires_at === null ? null : new Date(draft.expires_at)
      const row = { texts, proposalId, ...admins, publishedAt: at, expiresAt }
      const announcementId = await repository.insertAnnouncement(dbTx, row)
      const event = eventOf(announcementId)
      await notifyMany(dbTx, { event, topic: 'announcement', facts: factsOf(texts), at, endsAt: expiresAt })
      await adminLog.record(dbTx, {
        actor: admins.approvedBy,
        action: 'announcement.publish',
        subject: event,
        after: { proposal: `${proposalId}`, texts, expires_at: draft.expires_at },
      })
      return announcementId
    },

    /**
     * Withdraws an announcement at once: home and the list stop showing it, and no more notices are sent.
     * Throws NOT_FOUND.
     */
    async withdraw(actor: string, announcementId: bigint, reason: string): Promise<void> {
      await inTx(db, async (dbTx) => {
        const at = now()
        if (!(await repository.withdraw(dbTx, announcementId, { by: actor.toLowerCase(), at, reason })))
          throw new AppError('NOT_FOUND')
        const subject = eventOf(announcementId)
        await endMany(dbTx, subject, at)
        await adminLog.record(dbTx, { actor, action: 'announcement.withdraw', subject, reason })
      })
    },

    /** Returns the announcement that home shows to a member, or null. */
    async current(memberId: bigint, locale: Locale): Promise<Announcement | null> {
      const at = now()
      const since = new Date(at.getTime() - ON_HOME_MS)
      const row = await repository.findCurrent(db, memberId, { at, since })
      return row === undefined ? null : viewOf(row, locale)
    },

    /** Closes an announcement on home for a member. Throws NOT_FOUND. */
    async dismiss(memberId: bigint, announcementId: bigint): Promise<void> {
      const closed = { announcementId, memberId, at: now() }
      if (!(await repository.insertDismissal(db, closed))) throw new AppError('NOT_FOUND')
    },

    /** Lists announcements that were not withdrawn, newest first. */
    async list({ cursor, limit }: AnnouncementQuery, locale: Locale): Promise<RouteData<'announcements'>> {
      const [before] = decodeCursor(cursor, 1) ?? []
      const page = { before, limit: limit + 1, withWithdrawn: false }
      const rows = await repository.listAnnouncements(db, page)
      return toPage(rows, limit, (row) => viewOf(row, locale), cursorOf)
    },

    /** Lists every announcement with its publishers and the notices sent, newest first. */
    async listOperated({ cursor, limit }: AnnouncementQuery): Promise<RouteData<'operatedAnnouncements'>> {
      const [before] = decodeCursor(cursor, 1) ?? []
      const page = { before, limit: limit + 1, withWithdrawn: true }
      const rows = await repository.listAnnouncements(db, page)
      const ids = rows.map(({ announcementId }) => announcementId)
      const counts = await countsOfMany(db, ids.map(eventOf))
      const dismissals = await repository.dismissalsOf(db, ids)
      const { items, next } = toPage(rows, limit, (row) => row, cursorOf)
      const views = items.map((row) =>
        operated(
          row,
          counts.find(({ event }) => event === eventOf(row.announcementId)),
          dismissals.get(row.announcementId) ?? 0,
        ),
      )
      return { items: views, next }
    },
  }
}

const cursorOf = ({ announcementId }: AnnouncementRow) => encodeCursor(announcementId)

const eventOf = (announcementId: bigint) => `announcement/${announcementId}`

/** Returns the texts as the facts of the event, from which each notice takes the member's language. */
const factsOf = (texts: AnnouncementTexts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([locale, { title, text }]) => [
      [`${locale}.title`, title],
      [`${locale}.text`, text],
    ]),
  )

function viewOf({ texts, ...row }: AnnouncementRow, locale: Locale): Announcement {
  const language = texts[locale] === undefined ? 'en' : locale
  return {
    announcement_id: `${row.announcementId}`,
    language,
    ...(texts[language] ?? texts.en),
    published_at: row.publishedAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
  }
}
