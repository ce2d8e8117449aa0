import type { FundProductOperated } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../lib/queries.ts'
import { EmptyState, ErrorState, ListSkeleton } from '../../../ui/states.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { NavSheet } from '../fund/nav-sheet.tsx'
import { ProductCard } from '../fund/product-card.tsx'
import { PrepareSheet, type Wanted } from '../proposals/prepare-sheet.tsx'
import { ProposalSheet } from '../proposals/proposal-sheet.tsx'

/** The fund's products: net values with what backs them, and whether they are on sale; two people change either. */
export default function UpdateFoundPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('adminFundProducts'))
  const [valued, setValued] = useState<FundProductOperated | null>(null)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  return (
    <AdminPage title={t('admin.area.updateFound')}>
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <ListSkeleton rows={3} />}
      {data?.items.length === 0 && (
        <EmptyState icon="fund" title={t('admin.fund.none')} hint={t('admin.fund.noneHint')} />
      )}
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {data?.items.map((product) => (
          <ProductCard
            key={product.product_id}
            product={product}
            onNav={() => setValued(product)}
            onState={(state) =>
              setWanted({ kind: 'fund_product_state', payload: { product_id: product.product_id, state } })
            }
            onProposal={setShown}
          />
        ))}
      </div>
      {valued !== null && (
        <NavSheet
          product={valued}
          onSubmit={(nav) => {
            setValued(null)
            setWanted(nav)
          }}
          onClose={() => setValued(null)}
        />
      )}
      {wanted !== null && (
        <PrepareSheet
          title={t(`admin.kind.${wanted.kind}`)}
          wanted={wanted}
          onClose={() => setWanted(null)}
          onDone={() => void refetch()}
        />
      )}
      {shown !== null && <ProposalSheet proposalId={shown} onClose={() => setShown(null)} />}
    </AdminPage>
  )
}
