import { ANNOUNCEMENT_LIMITS, LOCALES, type Locale } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Form, Notice, Sheet, TextArea, TextField, useDraftForm } from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import {
  EMPTY_ANNOUNCEMENT,
  faultyLanguage,
  fieldOf,
  isWritten,
  nameOf,
  readAnnouncement,
  textsOf,
} from './announcement-draft.ts'
import { AnnouncementPreview, Languages } from './announcement-preview.tsx'

interface WriteSheetProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/**
 * Writes an announcement in each language, beside a preview of what its members read; typed text survives a
 * reload.
 */
export function WriteSheet({ onSubmit, onClose }: WriteSheetProps) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<Locale>('en')
  const { values, checked, textField, submit, clear } = useDraftForm({
    name: 'announcement',
    initial: EMPTY_ANNOUNCEMENT,
    check: (typed) => readAnnouncement(typed, Date.now()),
    text: (problem) => t(`adminAnnouncements.problem.${problem}`),
    recheck: true,
  })
  const title = fieldOf(language, 'title')
  const text = fieldOf(language, 'text')
  const inEnglish = LOCALES.filter((locale) => locale !== 'en' && !isWritten(values, locale))
  return (
    <Sheet open onClose={onClose} title={t('adminAnnouncements.write')}>
      <Form
        onSubmit={(event) => {
          const faulty = checked.ok ? undefined : faultyLanguage(checked.problems)
          if (faulty !== undefined) setLanguage(faulty)
          submit(({ payload }) => onSubmit({ kind: 'announcement', payload }, clear))(event)
        }}
      >
        <Languages label={t('adminAnnouncements.language')} value={language} onChange={setLanguage} />
        <TextField
          key={title}
          lang={language}
          label={t('adminAnnouncements.title')}
          aside={`${values[title].length} / ${ANNOUNCEMENT_LIMITS.title}`}
          maxLength={ANNOUNCEMENT_LIMITS.title}
          {...textField(title)}
        />
        <TextArea
          key={text}
          lang={language}
          rows={6}
          label={t('adminAnnouncements.text')}
          hint={t('adminAnnouncements.textHint')}
          aside={`${values[text].length} / ${ANNOUNCEMENT_LIMITS.text}`}
          maxLength={ANNOUNCEMENT_LIMITS.text}
          {...textField(text)}
        />
        <AnnouncementPreview texts={textsOf(values)} language={language} />
        {inEnglish.length > 0 && (
          <Notice>{t('adminAnnouncements.without', { languages: inEnglish.map(nameOf).join(', ') })}</Notice>
        )}
        <TextField
          type="datetime-local"
          label={t('adminAnnouncements.expires')}
          hint={t('adminAnnouncements.expiresHint')}
          {...textField('expires_at')}
        />
        <Button type="submit">{t('adminAnnouncements.next')}</Button>
      </Form>
    </Sheet>
  )
}
