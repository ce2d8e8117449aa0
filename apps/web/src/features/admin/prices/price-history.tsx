import type { RouteData } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatPrice, useTranslation } from '../../../lib/index.ts'
import { EmptyState, priceSourceText, TableList } from '../../../ui/index.ts'
import { UtcTime } from '../components/utc-time.tsx'

type Item = RouteData<'priceHistory'>['items'][number]

/** Every published price of an asset with its source, the newest first. */
export function PriceHistory({ asset }: { asset: 'AMC' | 'RIF' }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('priceHistory', { query: { asset, limit: 20 } }))
  return (
    <TableList<Item>
      query={query}
      keyOf={({ price_id }) => price_id}
      label={t('price.title', { asset })}
      empty={<EmptyState title={t('admin.prices.none')} />}
      columns={[
        { name: t('admin.prices.validFrom'), cell: ({ valid_from: at }) => <UtcTime value={at} /> },
        { name: t('admin.prices.from'), width: '2fr', cell: ({ source }) => priceSourceText(t, source) },
        { name: 'USDT', end: true, cell: ({ price }) => <Price price={price} /> },
      ]}
      render={({ price, valid_from: at, source }) => (
        <div className="flex items-start justify-between gap-3 py-3 text-14">
          <span className="flex min-w-0 flex-col">
            <UtcTime value={at} />
            <span className="wrap-anywhere text-12 text-muted">{priceSourceText(t, source)}</span>
          </span>
          <span className="whitespace-nowrap">
            <Price price={price} /> USDT
          </span>
        </div>
      )}
    />
  )
}

const Price = ({ price }: { price: string }) => (
  <span className="font-semibold tabular-nums">{formatPrice(price)}</span>
)
