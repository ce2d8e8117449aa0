import { LOCALES, type OperatedAnnouncement } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatCount, useTranslation } from '../../../lib/index.ts'
import { EmptyState, Pill, Section, TableList, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

export const ANNOUNCEMENT_TONES = {
  live: 'good',
  expired: 'neutral',
  withdrawn: 'bad',
} as const satisfies Record<OperatedAnnouncement['state'], Tone>

/** Every announcement that was published, the newest first. */
export function Announcements({ onOpen }: { onOpen: (announcement: OperatedAnnouncement) => void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('operatedAnnouncements', { query: {} }))
  const state = (announcement: OperatedAnnouncement) => (
    <Pill tone={ANNOUNCEMENT_TONES[announcement.state]}>
      {t(`adminAnnouncements.is.${announcement.state}`)}
    </Pill>
  )
  const languages = ({ texts }: OperatedAnnouncement) =>
    LOCALES.filter((locale) => texts[locale] !== undefined).join(', ')
  return (
    <Section title={t('adminAnnouncements.list')}>
      <TableList<OperatedAnnouncement>
        query={query}
        keyOf={({ announcement_id: id }) => id}
        label={t('adminAnnouncements.list')}
        empty={
          <EmptyState
            icon="bell"
            title={t('adminAnnouncements.none')}
            hint={t('adminAnnouncements.noneHint')}
          />
        }
        columns={[
          { name: t('adminAnnouncements.published'), cell: ({ published_at: at }) => utcText(at) },
          {
            name: t('adminAnnouncements.title'),
            width: '2fr',
            cell: ({ texts }) => <span className="font-medium">{texts.en.title}</span>,
          },
          { name: t('adminAnnouncements.languages'), cell: languages },
          { name: t('adminAnnouncements.state'), cell: state },
          {
            name: t('adminAnnouncements.members'),
            end: true,
            cell: ({ sent }) => formatCount(sent.members),
          },
          { name: t('adminAnnouncements.mails'), end: true, cell: ({ sent }) => formatCount(sent.mails) },
          { name: t('adminAnnouncements.pushes'), end: true, cell: ({ sent }) => formatCount(sent.pushes) },
        ]}
        line={(announcement, look, cells) => (
          <button type="button" className={look} onClick={() => onOpen(announcement)}>
            {cells}
          </button>
        )}
        render={(announcement) => (
          <button
            type="button"
            className="flex w-full items-start justify-between gap-3 py-3 text-left text-14"
            onClick={() => onOpen(announcement)}
          >
            <span className="flex min-w-0 flex-col">
              <span className="wrap-anywhere font-semibold">{announcement.texts.en.title}</span>
              <span className="text-12 text-muted">
                {utcText(announcement.published_at)} · {languages(announcement)}
              </span>
              <span className="text-12 text-muted">
                {t('adminAnnouncements.sums', {
                  mails: announcement.sent.mails,
                  pushes: announcement.sent.pushes,
                })}
              </span>
            </span>
            {state(announcement)}
          </button>
        )}
      />
    </Section>
  )
}
