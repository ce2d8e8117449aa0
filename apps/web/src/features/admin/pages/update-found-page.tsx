import type { FundProductOperated } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { Button, EmptyState, ErrorState, ListSkeleton, Section } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { NavSheet } from '../fund/nav-sheet.tsx'
import { ProductCard } from '../fund/product-card.tsx'
import { ProductForm } from '../fund/product-form.tsx'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'

/** The fund's products: new ones, net values with what backs them, and whether they are on sale; two people change each. */
export default function UpdateFoundPage() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, isError, refetch } = useQuery(apiQuery('adminFundProducts'))
  const [valued, setValued] = useState<FundProductOperated | null>(null)
  const [isOpening, setOpening] = useState(false)
  const { want, show, sheets } = useProposals()
  return (
    <AdminPage
      title={t('admin.area.updateFound')}
      actions={
        may('operator') && (
          <Button variant="secondary" icon="plus" onClick={() => setOpening(true)}>
            {t('admin.product.title')}
          </Button>
        )
      }
    >
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
              want({ kind: 'fund_product_state', payload: { product_id: product.product_id, state } })
            }
            onProposal={show}
          />
        ))}
      </div>
      <Section title={t('admin.product.proposed')}>
        <ProposalList show="all" kind="fund_product" onOpen={show} />
      </Section>
      {isOpening && (
        <ProductForm
          onSubmit={(wanted, onDone) => {
            setOpening(false)
            want(wanted, onDone)
          }}
          onClose={() => setOpening(false)}
        />
      )}
      {valued !== null && (
        <NavSheet
          product={valued}
          onSubmit={(nav) => {
            setValued(null)
            want(nav)
          }}
          onClose={() => setValued(null)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}
