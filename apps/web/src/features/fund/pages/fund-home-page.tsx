import { useTranslation } from 'react-i18next'
import { Page } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/states.tsx'

/** The fund's home. There is no product yet, and the page says just that. */
export default function FundHomePage() {
  const { t } = useTranslation()
  return (
    <Page title={t('fund.title')} back={false}>
      <EmptyState icon="fund" title={t('fund.empty')} hint={t('fund.emptyHint')} />
    </Page>
  )
}
