import { type AnnouncementTexts, LOCALES, type Locale } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { AnnouncementBanner, AnnouncementEntry } from '../../../ui/announcement.tsx'
import { Icon, Segmented } from '../../../ui/index.ts'
import { announcedIn, nameOf } from './announcement-draft.ts'

interface PreviewProps {
  texts: Partial<AnnouncementTexts>
  language: Locale
}

/**
 * An announcement as seen by members of one language, on home and in the list, with a note if they read the
 * English text.
 */
export function AnnouncementPreview({ texts, language }: PreviewProps) {
  const { t } = useTranslation()
  const announced = announcedIn(texts, language)
  return (
    <section
      aria-label={t('adminAnnouncements.seenIn', { language: nameOf(language) })}
      className="flex flex-col gap-2"
    >
      <h3 className="text-14 font-medium">
        {t('adminAnnouncements.seenIn', { language: nameOf(language) })}
      </h3>
      {announced.language !== language && (
        <p className="flex items-start gap-2 text-14 text-warn">
          <Icon name="warn" size={16} className="mt-0.5" />
          {t('adminAnnouncements.inEnglish', { language: nameOf(language) })}
        </p>
      )}
      <div className="flex flex-col gap-2 rounded-16 border border-line bg-page p-3">
        <AnnouncementBanner
          announced={announced}
          link={(words) => <span className="min-w-0 flex-1">{words}</span>}
          end={
            <span aria-hidden="true" className="grid size-11 place-items-center text-muted">
              <Icon name="close" size={20} />
            </span>
          }
        />
        <AnnouncementEntry announced={announced} at={t('adminAnnouncements.atApproval')} />
      </div>
    </section>
  )
}

/** The same for each language in turn. */
export function AnnouncementPreviews({ texts }: { texts: AnnouncementTexts }) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<Locale>('en')
  return (
    <div className="flex flex-col gap-3">
      <Languages label={t('adminAnnouncements.previewOf')} value={language} onChange={setLanguage} />
      <AnnouncementPreview texts={texts} language={language} />
    </div>
  )
}

interface LanguagesProps {
  label: string
  value: Locale
  onChange: (language: Locale) => void
}

/** The languages of the app, each by its own name. */
export function Languages({ label, value, onChange }: LanguagesProps) {
  const options = LOCALES.map((locale) => ({ value: locale, label: nameOf(locale) }))
  return <Segmented label={label} options={options} value={value} onChange={onChange} />
}
