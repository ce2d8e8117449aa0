import type { FundHolding, FundProduct, FundProductDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  apiQuery,
  formatDay,
  formatPpm,
  formatPrice,
  PageLink,
  useAppConfig,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  buttonClass,
  Card,
  CardSection,
  Columns,
  ErrorState,
  Fact,
  Facts,
  LongFact,
  Money,
  Notice,
  Page,
  Section,
  Skeleton,
  Stat,
  Term,
  TokenMark,
} from '../../../ui/index.ts'
import { Books, Queue } from '../components/books.tsx'
import { DealingNotice } from '../components/dealing-notice.tsx'
import { NavChart } from '../components/nav-chart.tsx'
import { Papers } from '../components/papers.tsx'
import {
  Gain,
  ProductState,
  RedeemableFacts,
  Returns,
  RiskPill,
  useIsMember,
  useProduct,
  useUnits,
} from '../components/parts.tsx'

/** A product: its introduction, performance, terms and backing. */
export default function ProductDetailPage() {
  const { t } = useTranslation()
  const { product_id } = useSearch({ from: '/pages/found/productDetail' })
  const query = useProduct(product_id)
  const product = query.data
  const isWide = useIsWide()
  return (
    <Page
      wide
      title={product?.name ?? t('fund.product.title')}
      footer={product === undefined || isWide ? undefined : <Actions product={product} />}
    >
      {query.isPending ? (
        <ProductSkeleton />
      ) : product === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Detail product={product} />
      )}
    </Page>
  )
}

function ProductSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')}>
      <Columns side={<Skeleton className="h-56 rounded-16" />}>
        <Skeleton className="h-20 rounded-16" />
        <Skeleton className="h-72 rounded-16" />
        <Skeleton className="h-40 rounded-16" />
      </Columns>
    </div>
  )
}

/** The member's units of a product; undefined for a visitor, and while they load. */
function useHolding(productId: string): FundHolding | undefined {
  const holdings = useQuery({ ...apiQuery('fundHoldings'), enabled: useIsMember() })
  return holdings.data?.items.find(({ product_id }) => product_id === productId)
}

/** The buttons for redeeming and buying, as far as they are possible. */
function Actions({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { product_id } = product
  const holding = useHolding(product_id)
  const canBuy = product.state === 'open' && !product.nav_stale
  if (!canBuy && holding === undefined) return null
  return (
    <div className="flex gap-3">
      {holding !== undefined && (
        <PageLink
          to="/pages/found/redemption"
          search={{ product_id }}
          className={buttonClass('secondary', true)}
        >
          {t('fund.redeem.button')}
        </PageLink>
      )}
      {canBuy && (
        <PageLink to="/pages/found/buy" search={{ product_id }} className={buttonClass('primary', true)}>
          {t('fund.buy.button')}
        </PageLink>
      )}
    </div>
  )
}

function Detail({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { product_id, nav } = product
  const isWide = useIsWide()
  const holding = <Holding productId={product_id} />
  const queue = <Queue books={product.books} />
  return (
    <Columns
      side={
        <>
          {isWide && (
            <>
              <Actions product={product} />
              {holding}
              {queue}
            </>
          )}
          <CardSection title={t('fund.product.termsTitle')}>
            <TermFacts product={product} />
          </CardSection>
          {product.documents.length > 0 && (
            <Section title={t('fund.document.title')}>
              <Papers product={product} />
            </Section>
          )}
          <Notice tone="warn" title={t('fund.risk.title')}>
            {t('fund.risk.text')}
          </Notice>
        </>
      }
    >
      <DealingNotice product={product} />
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-3">
          <TokenMark token="fund" />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-display text-36 font-semibold max-[359px]:text-28">
                {nav === null ? '–' : formatPrice(nav)}
              </span>
              <span className="text-14 text-muted">
                <Term name="nav">{t('fund.product.aUnit')}</Term>
              </span>
            </p>
          </div>
          <span className="flex flex-col items-end gap-1">
            <RiskPill level={product.risk_level} />
            <ProductState product={product} />
          </span>
        </div>
        <Returns product={product} asCards />
      </div>
      <Card className="flex flex-col gap-4">
        <NavChart productId={product_id} />
        <p className="text-12 text-muted">{t('fund.product.estimateNote')}</p>
      </Card>
      {!isWide && holding}
      <Books product={product}>{!isWide && queue}</Books>
      <CardSection title={t('fund.product.introduction')}>
        <p className="whitespace-pre-line text-14">{product.introduction}</p>
      </CardSection>
    </Columns>
  )
}

/** Shows the member's holding of the product: worth, gain, redeemable units, and a link to the records. */
function Holding({ productId }: { productId: string }) {
  const { t } = useTranslation()
  const units = useUnits()
  const holding = useHolding(productId)
  if (holding === undefined) return null
  return (
    <Section
      title={t('fund.my.holding')}
      aside={
        <PageLink to="/pages/found/recordList" search={{ product_id: productId }}>
          {t('fund.records.ofProduct')}
        </PageLink>
      }
    >
      <Card className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Stat
            label={t('fund.my.marketValue')}
            value={<Money amount={holding.market_value} unit="USDT" />}
            hint={units(holding.units)}
          />
          <Stat label={t('fund.my.profit')} value={<Gain amount={holding.profit} />} />
        </div>
        <Facts>
          <RedeemableFacts holding={holding} />
        </Facts>
      </Card>
    </Section>
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
      <Fact label={t('fund.product.nextRedeemable')}>{formatDay(product.next_redeemable_day)}</Fact>
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
