import { useTranslation } from '../../../lib/index.ts'
import { Page } from '../../../ui/index.ts'
import { IncomeList } from '../components/lists.tsx'

/** Every share of a management fee, by month, newest first. */
export default function IncomeListPage() {
  const { t } = useTranslation()
  return (
    <Page wide title={t('fund.income.listTitle')}>
      <IncomeList label={t('fund.income.listTitle')} />
    </Page>
  )
}
