import type { FundTransaction } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiList, formatAmount, formatTime, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  EmptyState,
  IconCircle,
  type IconName,
  LinkRow,
  type ListColumn,
  Page,
  TableList,
} from '../../../ui/index.ts'
import { AmountEnd, DetailLines, signed } from '../components/rows.tsx'

/** The fund's entries in the member's books, newest first. */
export default function FundTransactionsPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('fundTransactions', { query: {} }))
  return (
    <Page wide title={t('fund.transactions.title')}>
      <TableList
        query={query}
        label={t('fund.transactions.title')}
        keyOf={(item) => item.transaction_id}
        columns={useColumns()}
        line={transactionLine}
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

const ICONS: Record<FundTransaction['kind'], IconName> = {
  fund_purchase: 'fund',
  fund_redemption: 'withdraw',
  fund_income: 'invite',
  fund_income_transfer: 'transfer',
}

function transactionLine({ kind, cause_id }: FundTransaction, look: string, cells: ReactNode) {
  if (kind === 'fund_purchase' && cause_id !== null)
    return (
      <PageLink to="/pages/found/order_detail" search={{ order_id: cause_id }} className={look}>
        {cells}
      </PageLink>
    )
  if (kind === 'fund_redemption' && cause_id !== null)
    return (
      <PageLink to="/pages/found/redemption_success" search={{ redemption_id: cause_id }} className={look}>
        {cells}
      </PageLink>
    )
  return (
    <PageLink to="/pages/found/foundIncome/incomeList" className={look}>
      {cells}
    </PageLink>
  )
}

function useColumns(): ListColumn<FundTransaction>[] {
  const { t } = useTranslation()
  return [
    {
      name: t('fund.records.kind'),
      width: '1.6fr',
      cell: ({ kind }) => (
        <span className="flex items-center gap-3 font-medium">
          <IconCircle icon={ICONS[kind]} />
          {t(`fund.transactions.kind.${kind}`)}
        </span>
      ),
    },
    { name: t('fund.order.product'), width: '1.4fr', cell: ({ product_name }) => product_name ?? '–' },
    { name: t('fund.records.at'), width: '1.2fr', cell: ({ at }) => formatTime(at) },
    {
      name: t('fund.transactions.feeUsdt'),
      end: true,
      cell: ({ fee }) => (isZero(fee) ? '–' : formatAmount(fee)),
    },
    {
      name: t('fund.transactions.amountUsdt'),
      end: true,
      cell: ({ amount }) => <span className="font-medium">{signed(amount)}</span>,
    },
  ]
}

function TransactionRow({ item }: { item: FundTransaction }) {
  const { t } = useTranslation()
  const { kind, cause_id, fee, product_name } = item
  const content = {
    icon: ICONS[kind],
    wordy: true,
    title: t(`fund.transactions.kind.${kind}`),
    detail:
      product_name === null ? formatTime(item.at) : <DetailLines at={item.at}>{product_name}</DetailLines>,
    end: (
      <AmountEnd amount={signed(item.amount)}>
        {!isZero(fee) && (
          <span className="text-12 text-muted">
            {t('fund.transactions.withFee', { fee: formatAmount(fee) })}
          </span>
        )}
      </AmountEnd>
    ),
  }
  if (kind === 'fund_purchase' && cause_id !== null)
    return <LinkRow to="/pages/found/order_detail" search={{ order_id: cause_id }} {...content} />
  if (kind === 'fund_redemption' && cause_id !== null)
    return <LinkRow to="/pages/found/redemption_success" search={{ redemption_id: cause_id }} {...content} />
  return <LinkRow to="/pages/found/foundIncome/incomeList" {...content} />
}
