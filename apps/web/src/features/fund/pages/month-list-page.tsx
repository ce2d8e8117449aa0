import type { FundBillSummary } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiList, formatAmount, formatMonth, PageLink, useTranslation } from '../../../lib/index.ts'
import { EmptyState, LinkRow, type ListColumn, Page, TableList } from '../../../ui/index.ts'
import { AmountEnd, signed } from '../components/rows.tsx'

/** The monthly bills, newest first. */
export default function MonthListPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundBills', { query: {} }))
  return (
    <Page wide title={t('fund.bills.title')}>
      <TableList
        query={query}
        label={t('fund.bills.title')}
        keyOf={(bill) => bill.month}
        columns={useColumns()}
        line={billLine}
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

const billLine = ({ month }: FundBillSummary, look: string, cells: ReactNode) => (
  <PageLink to="/pages/found/month_detail" search={{ month }} className={look}>
    {cells}
  </PageLink>
)

function useColumns(): ListColumn<FundBillSummary>[] {
  const { t } = useTranslation()
  return [
    {
      name: t('fund.bills.month'),
      width: '1.6fr',
      cell: ({ month }) => <span className="font-medium">{formatMonth(month)}</span>,
    },
    {
      name: t('fund.bills.closingUsdt'),
      end: true,
      cell: ({ closing_value }) => formatAmount(closing_value),
    },
    {
      name: t('fund.bills.profitUsdt'),
      end: true,
      cell: ({ profit }) => <span className="font-medium">{signed(profit)}</span>,
    },
  ]
}

function BillRow({ bill }: { bill: FundBillSummary }) {
  const { t } = useTranslation()
  return (
    <LinkRow
      to="/pages/found/month_detail"
      search={{ month: bill.month }}
      icon="doc"
      wordy
      title={formatMonth(bill.month)}
      detail={t('fund.bills.closing', { amount: formatAmount(bill.closing_value) })}
      end={<AmountEnd amount={signed(bill.profit)} />}
    />
  )
}
