import type { FundProduct } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, PageLink, useTranslation } from '../../../lib/index.ts'
import { Icon, Skeleton, Sparkline } from '../../../ui/index.ts'
import { ProductState, RiskPill } from './product-pills.tsx'
import { Returns } from './returns.tsx'

const SHOWN_DAYS = 366

/** A product in brief: its risk, what its NAV really did beside the estimate, and the way to all of it. */
export function ProductCard({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const { product_id, nav, minimum_usd, lock_days } = product
  return (
    <article aria-label={product.name} className="rounded-12 bg-card">
      <PageLink
        to="/pages/found/productDetail"
        search={{ product_id }}
        className="flex flex-col gap-4 rounded-12 p-4 hover:opacity-90"
      >
        <span className="flex items-start justify-between gap-3">
          <span className="min-w-0">
            <span className="block text-16 font-semibold">{product.name}</span>
            <span className="mt-2 flex flex-wrap gap-2">
              <RiskPill level={product.risk_level} />
              <ProductState product={product} />
            </span>
          </span>
          <span className="shrink-0 text-right">
            <span className="block text-20 font-semibold">
              {nav === null ? '–' : formatAmount(nav)}
              <span className="ml-1 text-12 font-medium text-muted">USDT</span>
            </span>
            <span className="block text-12 text-muted">{t('fund.product.nav')}</span>
          </span>
        </span>
        <History productId={product_id} />
        <Returns product={product} />
        <span className="flex items-center justify-between gap-3 text-12 text-muted">
          <span>
            {t('fund.product.terms', {
              minimum: formatAmount(minimum_usd, { min: 0, max: 2 }),
              days: lock_days,
            })}
          </span>
          <Icon name="forward" size={16} />
        </span>
      </PageLink>
    </article>
  )
}

function History({ productId }: { productId: string }) {
  const query = useQuery(
    apiQuery('fundNavs', { params: { product_id: productId }, query: { days: SHOWN_DAYS } }),
  )
  if (query.isPending) return <Skeleton className="h-12" />
  // Only how high a point is drawn: money itself is never made a number.
  return <Sparkline values={query.data?.items.map(({ nav }) => Number(nav)) ?? []} />
}
