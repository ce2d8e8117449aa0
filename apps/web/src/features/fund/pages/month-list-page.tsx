import type { FundBillSummary } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, formatAmount, formatMonth, useTranslation } from '../../../lib/index.ts'
import { Card, EmptyState, InfiniteList, LinkRow, Page } from '../../../ui/index.ts'
import { signed } from '../components/lists.tsx'

/** The monthly bills, newest first. */
export default function MonthListPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundBills', { query: {} }))
  return (
    <Page title={t('fund.bills.title')}>
      <InfiniteList
        query={query}
        label={t('fund.bills.title')}
        keyOf={(bill) => bill.month}
        groupOf={(bill) => bill.month.slice(0, YEAR_LENGTH)}
        render={(bill) => <BillRow bill={bill} />}
        empty={
          <EmptyState
            icon="doc"
            title={t('fund.bills.empty')}
            hint={t('fund.bills.emptyHint')}
            next={{ to: '/pages/found/home', label: t('fund.my.toProducts') }}
          />
        }
      />
    </Page>
  )
}

const YEAR_LENGTH = 4

function BillRow({ bill }: { bill: FundBillSummary }) {
  const { t } = useTranslation()
  return (
    <Card className="py-2">
      <LinkRow
        to="/pages/found/month_detail"
        search={{ month: bill.month }}
        title={formatMonth(bill.month)}
        detail={t('fund.bills.closing', { amount: formatAmount(bill.closing_value) })}
        end={<span className="font-medium">{signed(bill.profit)} USDT</span>}
      />
    </Card>
  )
}
