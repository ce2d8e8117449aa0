import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ErrorState, ListSkeleton, RiskNotice } from '../../../ui/index.ts'
import { ProductCard } from './product-card.tsx'

/** Which products there are: open to visitors. */
export function HomePanel() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundProducts'))
  if (query.isPending) return <ListSkeleton rows={3} />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const { items } = query.data
  if (items.length === 0) return <EmptyState icon="fund" title={t('fund.empty')} hint={t('fund.emptyHint')} />
  return (
    <>
      <RiskNotice title={t('fund.risk.title')} text={t('fund.risk.text')} />
      <section aria-label={t('fund.products')} className="flex flex-col gap-4">
        {items.map((product) => (
          <ProductCard key={product.product_id} product={product} />
        ))}
      </section>
    </>
  )
}
