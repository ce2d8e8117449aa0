import { useTranslation } from '../../../lib/i18n.ts'
import { LanguageList } from '../../../ui/language-list.tsx'
import { Page } from '../../../ui/page.tsx'

/** My language: twelve options, the current one marked; a tap takes effect at once. */
export default function LanguagePage() {
  const { t } = useTranslation()
  return (
    <Page title={t('language.title')}>
      <LanguageList />
    </Page>
  )
}
