import type { FundProductDetail } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  ErrorState,
  LinkRow,
  ListSkeleton,
  Notice,
  Page,
  Section,
} from '../../../ui/index.ts'
import { Documents } from '../components/documents.tsx'
import { NavChart } from '../components/nav-chart.tsx'
import { BackingFacts, TermFacts } from '../components/product-facts.tsx'
import { ProductState, RiskPill } from '../components/product-pills.tsx'
import { Returns } from '../components/returns.tsx'
import { StaleNotice } from '../components/stale-notice.tsx'
import { useProduct } from '../queries.ts'

/** Should I: what the product is, what it really did, what it asks and what stands behind it. */
export default function ProductDetailPage() {
  const { t } = useTranslation()
  const { product_id } = useSearch({ from: '/pages/found/productDetail' })
  const query = useProduct(product_id)
  const product = query.data
  const canBuy = product !== undefined && product.state === 'open' && !product.nav_stale
  return (
    <Page
      title={product?.name ?? t('fund.product.title')}
      footer={
        canBuy ? (
          <PageLink to="/pages/found/buy" search={{ product_id }} className={buttonClass('primary', true)}>
            {t('fund.buy.button')}
          </PageLink>
        ) : undefined
      }
    >
      {query.isPending ? (
        <ListSkeleton />
      ) : product === undefined ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : (
        <Detail product={product} />
      )}
    </Page>
  )
}

function Detail({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { product_id } = product
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <RiskPill level={product.risk_level} />
        <ProductState product={product} />
      </div>
      <StaleNotice product={product} />
      <Card className="flex flex-col gap-4">
        <Returns product={product} />
        <p className="text-12 text-muted">{t('fund.product.estimateNote')}</p>
        <NavChart productId={product_id} />
      </Card>
      <Section title={t('fund.product.introduction')}>
        <Card>
          <p className="whitespace-pre-line text-14">{product.introduction}</p>
        </Card>
      </Section>
      <Section title={t('fund.product.termsTitle')}>
        <Card>
          <TermFacts product={product} />
        </Card>
      </Section>
      <Section title={t('fund.product.backing')}>
        <Card>
          <BackingFacts product={product} />
        </Card>
      </Section>
      {product.documents.length > 0 && (
        <Section title={t('fund.document.title')}>
          <Documents product={product} />
        </Section>
      )}
      <Card className="divide-y divide-line py-1">
        <LinkRow
          to="/pages/found/redemption"
          search={{ product_id }}
          icon="withdraw"
          title={t('fund.redeem.title')}
        />
        <LinkRow
          to="/pages/found/recordList"
          search={{ product_id }}
          icon="list"
          title={t('fund.records.ofProduct')}
        />
      </Card>
      <Notice tone="warn" title={t('fund.risk.title')}>
        {t('fund.risk.text')}
      </Notice>
    </>
  )
}
