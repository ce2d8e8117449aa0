import { LOCALES, type ProposalPayload } from '@rif/api-schema'
import { change, type Kind, says } from '../../proposal-kind.ts'
import type { Announcements } from './announcements.service.ts'

/** Returns the name of a language in that language. */
const nameOf = (locale: string) => new Intl.DisplayNames([locale], { type: 'language' }).of(locale)!

/** An announcement, visible to members from its approval on. */
export function announcementKind({
  announcements,
}: {
  announcements: Announcements
}): Kind<ProposalPayload<'announcement'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(_db, { texts, expires_at }) {
      announcements.check({ texts, expires_at })
      const { title } = texts.en
      const languages = LOCALES.filter((locale) => texts[locale] !== undefined)
      const others = LOCALES.filter((locale) => texts[locale] === undefined)
      return {
        subject: `announcement/${title}`,
        summary: `Announce "${title}" in ${languages.join(', ')}${expires_at === null ? '' : `, until ${expires_at}`}`,
        headline: says('announcement', { name: title }),
        difference: [
          ...languages.flatMap((locale) => [
            change('title', null, texts[locale]!.title, nameOf(locale)),
            change('text', null, texts[locale]!.text, nameOf(locale)),
          ]),
          ...(expires_at === null ? [] : [change('expires_at', null, expires_at)]),
        ],
        effects: [
          ...(others.length === 0
            ? []
            : [{ name: 'announced_in_english', values: { languages: others.map(nameOf).join(', ') } }]),
        ],
      }
    },
    async apply(dbTx, draft, { proposalId, preparedBy, decidedBy }) {
      const announcementId = await announcements.publish(dbTx, draft, {
        proposalId: proposalId ?? 0n,
        proposedBy: preparedBy,
        approvedBy: decidedBy,
      })
      return { announcement_id: `${announcementId}` }
    },
  }
}
