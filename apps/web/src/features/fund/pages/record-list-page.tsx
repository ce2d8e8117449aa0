import type { FundRecord } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, formatAmount, formatTime, useTranslation } from '../../../lib/index.ts'
import { Card, EmptyState, InfiniteList, LinkRow, Page, Pill } from '../../../ui/index.ts'
import { useUnits } from '../components/parts.tsx'
import { STATUS_TONES } from '../fund-view.ts'

/** Purchases and redemptions in one list, newest first; of one product where the address names it. */
export default function RecordListPage() {
  const { t } = useTranslation()
  const { product_id } = useSearch({ from: '/pages/found/recordList' })
  const query = useInfiniteQuery(
    apiList('fundRecords', { query: product_id === undefined ? {} : { product_id } }),
  )
  return (
    <Page title={t('fund.records.title')}>
      <InfiniteList
        query={query}
        label={t('fund.records.title')}
        keyOf={(record) => `${record.kind} ${record.id}`}
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

function RecordRow({ record }: { record: FundRecord }) {
  const { t } = useTranslation()
  const units = useUnits()
  const content = {
    title: t(`fund.records.${record.kind}`, { name: record.product_name }),
    detail: (
      <span className="flex flex-col items-start gap-1">
        <span>{units(record.units)}</span>
        <span className="text-12">{formatTime(record.at)}</span>
      </span>
    ),
    end: (
      <span className="flex flex-col items-end gap-1">
        {record.value !== null && <span className="font-medium">{formatAmount(record.value)} USDT</span>}
        <Pill tone={STATUS_TONES[record.status]}>{t(`fund.status.${record.status}`)}</Pill>
      </span>
    ),
  }
  return (
    <Card className="py-2">
      {record.kind === 'purchase' ? (
        <LinkRow to="/pages/found/order_detail" search={{ order_id: record.id }} {...content} />
      ) : (
        <LinkRow to="/pages/found/redemption_success" search={{ redemption_id: record.id }} {...content} />
      )}
    </Card>
  )
}
