import type { FundProduct, FundProductDetail } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { formatPpm, PageLink, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  buttonClass,
  Card,
  CardSection,
  ErrorState,
  Fact,
  Facts,
  LinkRow,
  ListSkeleton,
  LongFact,
  Money,
  Notice,
  Page,
  Section,
} from '../../../ui/index.ts'
import { Books } from '../components/books.tsx'
import { DealingNotice } from '../components/dealing-notice.tsx'
import { NavChart } from '../components/nav-chart.tsx'
import { Papers } from '../components/papers.tsx'
import { ProductState, Returns, RiskPill, useProduct, useUnits } from '../components/parts.tsx'

/** A product: its introduction, performance, terms and backing. */
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
      <DealingNotice product={product} />
      <Card className="flex flex-col gap-4">
        <Returns product={product} />
        <p className="text-12 text-muted">{t('fund.product.estimateNote')}</p>
        <NavChart productId={product_id} />
      </Card>
      <CardSection title={t('fund.product.introduction')}>
        <p className="whitespace-pre-line text-14">{product.introduction}</p>
      </CardSection>
      <Books product={product} />
      <CardSection title={t('fund.product.termsTitle')}>
        <TermFacts product={product} />
      </CardSection>
      {product.documents.length > 0 && (
        <Section title={t('fund.document.title')}>
          <Papers product={product} />
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

/** A product's terms: minimum, increments, lock-up, redeemable days, fees. */
function TermFacts({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const units = useUnits()
  const config = useAppConfig()
  return (
    <Facts>
      <Fact label={t('fund.product.minimum')}>
        <Money amount={product.minimum_usd} unit="USD" />
        {product.minimum_units !== null && (
          <span className="block text-12 text-muted">
            {t('fund.product.minimumUnits', { units: units(product.minimum_units) })}
          </span>
        )}
      </Fact>
      {config !== undefined && (
        <LongFact label={t('fund.product.paidOn')}>
          {t('fund.product.paidOnText', { network: config.chain.name })}{' '}
          <Address value={config.contracts.bank} />
        </LongFact>
      )}
      <Fact label={t('fund.product.increment')}>{t('fund.product.wholeUnits')}</Fact>
      <Fact label={t('fund.product.lock')}>{t('fund.days', { days: product.lock_days })}</Fact>
      <Fact label={t('fund.product.redeemableDays')}>
        <Weekdays days={product.redeemable_weekdays} />
      </Fact>
      <Fact label={t('fund.product.nextRedeemable')}>{product.next_redeemable_day}</Fact>
      <Fact label={t('fund.product.subscriptionFee')}>{formatPpm(product.subscription_fee_ppm)}</Fact>
      <Fact label={t('fund.product.redemptionFee')}>{formatPpm(product.redemption_fee_ppm)}</Fact>
      <Fact label={t('fund.product.managementFee')}>
        {t('fund.product.ofProfit', { rate: formatPpm(product.management_fee_ppm) })}
      </Fact>
    </Facts>
  )
}

const ALL_DAYS = 7

function Weekdays({ days }: { days: readonly number[] }) {
  const { t } = useTranslation()
  if (days.length === ALL_DAYS) return t('fund.product.everyDay')
  return days.map((day) => t(`fund.weekday.${day as 1 | 2 | 3 | 4 | 5 | 6 | 7}`)).join(', ')
}
