import { useTranslation } from '../../../lib/index.ts'
import { LanguageList, Page } from '../../../ui/index.ts'

/** My language: twelve options, the current one marked; a tap takes effect at once. */
export default function LanguagePage() {
  const { t } = useTranslation()
  return (
    <Page title={t('language.title')}>
      <LanguageList />
    </Page>
  )
}
