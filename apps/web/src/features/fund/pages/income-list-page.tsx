import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, formatMonth, useTranslation } from '../../../lib/index.ts'
import { InfiniteList, Page } from '../../../ui/index.ts'
import { IncomeRow, NoIncome } from '../components/lists.tsx'

/** Every share of a management fee, by month, newest first. */
export default function IncomeListPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundIncomeList', { query: {} }))
  return (
    <Page title={t('fund.income.listTitle')}>
      <InfiniteList
        query={query}
        label={t('fund.income.listTitle')}
        keyOf={(item) => item.income_id}
        groupOf={(item) => formatMonth(item.at.slice(0, MONTH_LENGTH))}
        render={(item) => <IncomeRow item={item} />}
        empty={<NoIncome />}
      />
    </Page>
  )
}

const MONTH_LENGTH = '2026-01'.length
