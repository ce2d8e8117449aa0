import type { FundRecord } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { apiList, formatAmount, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { EmptyState, LinkRow, type ListColumn, Page, TableList, TokenMark } from '../../../ui/index.ts'
import { useUnits } from '../components/parts.tsx'
import { AmountEnd, DetailLines, FundName, FundStatus } from '../components/rows.tsx'

/** Purchases and redemptions in one list, newest first; of one product if the address names it. */
export default function RecordListPage() {
  const { t } = useTranslation()
  const { product_id } = useSearch({ from: '/pages/found/recordList' })
  const query = useInfiniteQuery(
    apiList('fundRecords', { query: product_id === undefined ? {} : { product_id } }),
  )
  return (
    <Page wide title={t('fund.records.title')}>
      <TableList
        query={query}
        label={t('fund.records.title')}
        keyOf={(record) => `${record.kind} ${record.id}`}
        columns={useColumns()}
        line={recordLine}
        render={(record) => <RecordRow record={record} />}
        empty={
          <EmptyState
            icon="list"
            title={t('fund.records.empty')}
            hint={t('fund.records.emptyHint')}
            next={{ to: '/pages/found/home', label: t('fund.my.toProducts') }}
          />
        }
      />
    </Page>
  )
}

function recordLine({ kind, id }: FundRecord, look: string, cells: ReactNode) {
  return kind === 'purchase' ? (
    <PageLink to="/pages/found/order_detail" search={{ order_id: id }} className={look}>
      {cells}
    </PageLink>
  ) : (
    <PageLink to="/pages/found/redemption_success" search={{ redemption_id: id }} className={look}>
      {cells}
    </PageLink>
  )
}

function useColumns(): ListColumn<FundRecord>[] {
  const { t } = useTranslation()
  const units = useUnits()
  return [
    {
      name: t('fund.order.product'),
      width: '1.8fr',
      cell: ({ product_name }) => <FundName>{product_name}</FundName>,
    },
    { name: t('fund.records.kind'), cell: ({ kind }) => t(`fund.records.kindOf.${kind}`) },
    { name: t('fund.records.at'), width: '1.1fr', cell: ({ at }) => formatTime(at) },
    { name: t('fund.order.units'), end: true, cell: (record) => units(record.units) },
    {
      name: t('fund.records.valueUsdt'),
      end: true,
      cell: ({ value }) => <span className="font-medium">{value === null ? '–' : formatAmount(value)}</span>,
    },
    { name: t('fund.order.status'), cell: ({ status }) => <FundStatus status={status} /> },
  ]
}

function RecordRow({ record }: { record: FundRecord }) {
  const { t } = useTranslation()
  const units = useUnits()
  const content = {
    mark: <TokenMark token="fund" />,
    wordy: true,
    title: t(`fund.records.kindOf.${record.kind}`),
    detail: (
      <DetailLines before={units(record.units)} at={record.at}>
        {record.product_name}
      </DetailLines>
    ),
    end: (
      <AmountEnd amount={record.value === null ? null : formatAmount(record.value)}>
        <FundStatus status={record.status} />
      </AmountEnd>
    ),
  }
  return record.kind === 'purchase' ? (
    <LinkRow to="/pages/found/order_detail" search={{ order_id: record.id }} {...content} />
  ) : (
    <LinkRow to="/pages/found/redemption_success" search={{ redemption_id: record.id }} {...content} />
  )
}
