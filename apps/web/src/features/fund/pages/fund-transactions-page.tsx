import type { FundTransaction } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, formatAmount, formatTime, isZero, useTranslation } from '../../../lib/index.ts'
import { Card, EmptyState, InfiniteList, LinkRow, Page } from '../../../ui/index.ts'
import { signed } from '../components/lists.tsx'

/** The fund's entries in the member's books, newest first. */
export default function FundTransactionsPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundTransactions', { query: {} }))
  return (
    <Page title={t('fund.transactions.title')}>
      <InfiniteList
        query={query}
        label={t('fund.transactions.title')}
        keyOf={(item) => item.transaction_id}
        render={(item) => <TransactionRow item={item} />}
        empty={
          <EmptyState
            icon="transfer"
            title={t('fund.transactions.empty')}
            hint={t('fund.transactions.emptyHint')}
            next={{ to: '/pages/found/home', label: t('fund.my.toProducts') }}
          />
        }
      />
    </Page>
  )
}

function TransactionRow({ item }: { item: FundTransaction }) {
  const { t } = useTranslation()
  const { kind, cause_id, fee } = item
  const content = {
    title: t(`fund.transactions.kind.${kind}`),
    detail: (
      <span className="flex flex-col items-start gap-1">
        {!isZero(fee) && <span>{t('fund.transactions.withFee', { fee: formatAmount(fee) })}</span>}
        <span className="text-12">{formatTime(item.at)}</span>
      </span>
    ),
    end: <span className="font-medium">{signed(item.amount)} USDT</span>,
  }
  return (
    <Card className="py-2">
      {kind === 'fund_purchase' && cause_id !== null ? (
        <LinkRow to="/pages/found/order_detail" search={{ order_id: cause_id }} {...content} />
      ) : kind === 'fund_redemption' && cause_id !== null ? (
        <LinkRow to="/pages/found/redemption_success" search={{ redemption_id: cause_id }} {...content} />
      ) : (
        <LinkRow to="/pages/found/foundIncome/incomeList" {...content} />
      )}
    </Card>
  )
}
