import type { FundProductOperated } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { apiQuery, formatAmount, formatPpm, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  buttonClass,
  Card,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  ListSkeleton,
  Pill,
  Section,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { ProductForm } from '../fund/product-form.tsx'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

/**
 * The fund's products: links to the desk of each, new ones, and whether they are on sale; two people change
 * each.
 */
export default function UpdateFoundPage() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, isError, refetch } = useQuery(apiQuery('adminFundProducts'))
  const [isOpening, setOpening] = useState(false)
  const { want, show, sheets } = useProposals({ place: 'fund products' })
  return (
    <AdminPage
      title={t('admin.area.updateFound')}
      about={t('admin.about.updateFound')}
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
            onState={(state) =>
              want({ kind: 'fund_product_state', payload: { product_id: product.product_id, state } })
            }
            onProposal={show}
          />
        ))}
      </div>
      <Section title={t('admin.product.proposed')}>
        <ProposalList kind="fund_product" label={t('admin.product.proposed')} />
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
      {sheets}
    </AdminPage>
  )
}

interface ProductCardProps {
  product: FundProductOperated
  onState: (state: 'open' | 'closed') => void
  onProposal: (proposalId: string) => void
}

/** A fund product: its unit value with the reasons, and the actions that change it. */
function ProductCard({ product, onState, onProposal }: ProductCardProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { valuation_proposal_id: aboutValue, state_proposal_id: aboutState } = product
  const usdt = (amount: string) => `${formatAmount(amount)} USDT`
  const proposed = (proposalId: string | null, seen: string, propose: ReactNode) =>
    proposalId === null ? (
      may('operator') && propose
    ) : (
      <Button variant="secondary" onClick={() => onProposal(proposalId)}>
        {seen}
      </Button>
    )
  return (
    <section aria-label={product.name}>
      <Card className="flex h-full flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-16 font-semibold">{product.name}</span>
          <Pill tone={product.state === 'open' ? 'good' : 'neutral'}>{t(`admin.fund.${product.state}`)}</Pill>
          {aboutValue !== null && <Pill tone="info">{t('admin.fund.valuationOpen')}</Pill>}
          {product.stale && <Pill tone="warn">{t('admin.fund.stale')}</Pill>}
        </p>
        <p className="text-28 font-semibold tabular-nums">
          {usdt(product.nav)}
          <span className="block text-12 font-normal text-muted">{t('admin.field.nav')}</span>
        </p>
        <Facts>
          {product.valued_at !== null && (
            <UtcTimeFact label={t('admin.fund.valued')} value={product.valued_at} />
          )}
          <Fact label={t('admin.fund.units')}>{product.units}</Fact>
          <Fact label={t('admin.fund.worth')}>{usdt(product.units_worth)}</Fact>
          <Fact label={t('admin.fund.cash')}>{usdt(product.cash)}</Fact>
          <Fact label={t('admin.field.invested')}>{usdt(product.invested)}</Fact>
          <Fact label={t('admin.fund.terms')}>
            {t('admin.fund.termsLine', {
              risk: product.risk_level,
              days: product.lock_days,
              minimum: formatAmount(product.minimum_usd),
            })}
          </Fact>
          <Fact label={t('admin.fund.fees')}>
            {t('admin.fund.feesLine', {
              buy: formatPpm(product.subscription_ppm),
              redeem: formatPpm(product.redemption_ppm),
              profit: formatPpm(product.management_ppm),
            })}
          </Fact>
        </Facts>
        <div className="mt-auto flex flex-wrap gap-2">
          <PageLink
            to="/pages/admin/fundDesk"
            search={{ product_id: product.product_id }}
            className={buttonClass('primary')}
          >
            {t('admin.desk.open')}
          </PageLink>
          {proposed(
            aboutState,
            t('admin.fund.stateWaits'),
            <Button variant="secondary" onClick={() => onState(product.state === 'open' ? 'closed' : 'open')}>
              {t(product.state === 'open' ? 'admin.fund.stop' : 'admin.fund.resume')}
            </Button>,
          )}
        </div>
      </Card>
    </section>
  )
}
