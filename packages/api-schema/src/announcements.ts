import { z } from 'zod'
import { address, id, locale, page, pageOf, shownText, time } from './primitives.ts'

/** The longest title and text of an announcement, in characters: a title fits the heading of a push. */
export const ANNOUNCEMENT_LIMITS = { title: 60, text: 1200 } as const

const words = z.strictObject({
  title: shownText(ANNOUNCEMENT_LIMITS.title),
  text: shownText(ANNOUNCEMENT_LIMITS.text, { lines: true }),
})
export type AnnouncementWords = z.infer<typeof words>

/** Plain texts by language; members of a language without one read the English text. */
const texts = z.strictObject({
  en: words,
  ja: words.optional(),
  ko: words.optional(),
  'zh-Hans': words.optional(),
})
export type AnnouncementTexts = z.infer<typeof texts>

/** An announcement as proposed. From `expires_at` on it is neither shown on home nor sent. */
export const announcementDraft = z.strictObject({ texts, expires_at: time.nullable() })
export type AnnouncementDraft = z.infer<typeof announcementDraft>

const announcement = words.extend({
  announcement_id: id,
  /** The language of title and text: the caller's, or English where that translation is missing. */
  language: locale,
  published_at: time,
  expires_at: time.nullable(),
})
export type Announcement = z.infer<typeof announcement>
/** The newest announcement that the member has not closed; null without one. */
export const currentAnnouncement = announcement.nullable()
export const announcementsQuery = page
export const announcementsData = pageOf(announcement)
export const announcementParams = z.object({ announcement_id: id })
export const dismissData = z.object({ announcement_id: id })

const operated = z.object({
  announcement_id: id,
  texts,
  state: z.enum(['live', 'expired', 'withdrawn']),
  published_at: time,
  expires_at: time.nullable(),
  proposal_id: id,
  proposed_by: address,
  approved_by: address,
  withdrawn: z.object({ by: address, at: time, reason: z.string() }).nullable(),
  /**
   * Notices outside the app; `writing` until every member who chose this kind has one. Kept as long as the
   * announcement.
   */
  sent: z.object({
    writing: z.boolean(),
    members: z.number().int(),
    mails: z.number().int(),
    pushes: z.number().int(),
    given_up: z.number().int(),
  }),
  /** The members who closed it on home. */
  dismissed: z.number().int(),
})
export type OperatedAnnouncement = z.infer<typeof operated>
export const operatedAnnouncementsData = pageOf(operated)
export const withdrawAnnouncementBody = z.object({ reason: shownText(400, { min: 3 }) })
export const withdrawAnnouncementData = z.object({ announcement_id: id })
