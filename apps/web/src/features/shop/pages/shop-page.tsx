import type { AppConfig, HashRatePercent, Order, Product, ProfitCoverage } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { Fragment, lazy, Suspense, useState } from 'react'
import {
  apiQuery,
  configQuery,
  formatAmount,
  formatPpm,
  formatPrice,
  formatSince,
  isZero,
  PageLink,
  TWO_DECIMALS,
  useAppConfig,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  Later,
  NavLink,
  Notice,
  NoticeLink,
  Page,
  Skeleton,
  Switch,
  Term,
} from '../../../ui/index.ts'
import { useHasEnded } from '../../../wallet/use-has-ended.ts'
import type { OrderSubject } from '../components/order-sheet.tsx'
import { PackageCard } from '../components/package-card.tsx'
import { isPayable, openOrderFor } from '../order-view.ts'

const OrderSheet = lazy(() => import('../components/order-sheet.tsx'))

/** The newest unpaid orders: those that can be continued. */
const unpaidOrders = apiQuery('orders', { query: { status: 'UnPaid' } })

/** The number of packages that a phone's first screen may show. */
const SEEN_AT_ONCE = 2

/** The shop: the risk, what was actually paid, the packages, and the sheet with a price. */
export default function ShopPage() {
  const { t } = useTranslation()
  const products = useQuery(apiQuery('products'))
  const orders = useQuery(unpaidOrders)
  const me = useQuery(apiQuery('me'))
  const discounts = useQuery(apiQuery('hashRatePercent'))
  const coverage = useQuery(apiQuery('profitCoverage'))
  const config = useQuery(configQuery)
  const unpaid = orders.data?.items ?? []
  const rif = me.data?.balances.RIF?.available ?? '0.000000'
  const [shown, setShown] = useState<OrderSubject | null>(null)
  const [wantsDiscount, setWantsDiscount] = useState(true)
  const useHashRate = wantsDiscount && /[1-9]/.test(rif)

  const resume = (order: Order) => setShown({ order, isNew: false })
  const see = (product: Product) => {
    const open = openOrderFor(unpaid, product.product_id, Date.now())
    if (open === null) setShown({ product })
    else resume(open)
  }
  const unfinished = unpaid.find((item) => isPayable(item, Date.now()))
  // Rendered completely, because content that arrived later would move the packages under the finger.
  const isWide = useIsWide()
  const isPending = [products, orders, me, discounts, config, coverage].some((query) => query.isPending)

  const risk = (
    <Notice tone="warn" title={t('shop.risk.title')}>
      <p>
        {t('shop.risk.text')} <NoticeLink to="/pages/rewardList/coverage">{t('shop.risk.link')}</NoticeLink>
      </p>
    </Notice>
  )
  const before = (
    <>
      {unfinished !== undefined && (
        <UnfinishedOrder order={unfinished} onContinue={() => resume(unfinished)} />
      )}
      {coverage.data !== undefined && <ActuallyPaid coverage={coverage.data} />}
      <DiscountSwitch rif={rif} checked={useHashRate} onChange={setWantsDiscount} />
    </>
  )
  const packages = (
    <Products
      query={products}
      coverage={config.data?.coverage_30d}
      discounts={useHashRate ? discounts.data?.packages : undefined}
      onSee={see}
    />
  )
  return (
    <Page
      wide
      title={t('shop.title')}
      back={false}
      actions={<NavLink to="/pages/shop/orderList">{t('shop.orders')}</NavLink>}
    >
      {isWide ? (
        <Columns
          side={
            <>
              {risk}
              {!isPending && before}
              {!isPending && <Origin />}
            </>
          }
        >
          {isPending ? <PackagesSkeleton /> : packages}
        </Columns>
      ) : (
        <>
          {risk}
          {isPending ? (
            <PackagesSkeleton />
          ) : (
            <>
              {before}
              {packages}
              <Origin />
            </>
          )}
        </>
      )}
      <Suspense>
        {shown !== null && (
          <OrderSheet subject={shown} useHashRate={useHashRate} onClose={() => setShown(null)} />
        )}
      </Suspense>
    </Page>
  )
}

function PackagesSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="@container">
      <div className="grid gap-4 @min-[44rem]:grid-cols-2">
        <Skeleton className="h-34 rounded-16 lg:hidden" />
        <Skeleton className="h-80 rounded-16" />
        <Skeleton className="h-80 rounded-16" />
      </div>
    </div>
  )
}

/** The source of static rewards. */
function Origin() {
  const { t } = useTranslation()
  return (
    <p className="px-1 text-12 text-muted">
      {t('shop.risk.static')}{' '}
      <PageLink to="/pages/rewardList/coverage" className="touch-line inline-block font-medium text-accent">
        <span>{t('shop.risk.documents')}</span>
      </PageLink>
    </p>
  )
}

const PAID_CLASSES = [
  { name: 'commission', label: 'sales' },
  { name: 'static', label: 'static' },
] as const

/** Shows the amounts paid to all members in 30 days, of those due. */
function ActuallyPaid({ coverage: { totals } }: { coverage: ProfitCoverage }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-16 font-semibold">{t('shop.actual.title')}</h2>
        <p className="text-12 text-muted">
          <Term name="coverage">{t('shop.actual.sub')}</Term>
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-4 max-[359px]:grid-cols-1">
        {PAID_CLASSES.map(({ name, label }) => {
          const total = totals.find((total) => total.class === name)
          return (
            <div key={name}>
              <dt className="text-14 text-muted">{t(`shop.actual.${label}`)}</dt>
              <dd className="text-20 font-semibold">
                {total === undefined ? t('shop.actual.none') : formatPpm(total.coverage_ppm)}
                {total !== undefined && (
                  <span className="block text-12 font-normal text-muted">
                    {t('shop.actual.of', {
                      paid: formatAmount(total.paid, TWO_DECIMALS),
                      due: formatAmount(total.value, TWO_DECIMALS),
                    })}
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

interface ProductsProps {
  query: ReturnType<typeof useQuery<{ items: Product[] }>>
  coverage: AppConfig['coverage_30d'] | undefined
  /** The discounts for RIF by package; undefined when none is used. */
  discounts: HashRatePercent['packages'] | undefined
  onSee: (product: Product) => void
}

function Products({ query, coverage, discounts, onSee }: ProductsProps) {
  const { t } = useTranslation()
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  if (query.data.items.length === 0) {
    return (
      <EmptyState
        icon="shop"
        title={t('shop.noProducts')}
        hint={t('shop.noProductsHint')}
        next={{ to: '/pages/found/home', label: t('shop.toFund') }}
      />
    )
  }
  return (
    <section aria-label={t('shop.products')} className="@container">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 @min-[44rem]:grid-cols-2">
        {query.data.items.map((product, index) => {
          const Place = index < SEEN_AT_ONCE ? Fragment : Later
          return (
            <Place key={product.product_id}>
              <PackageCard
                product={product}
                coverage={coverage}
                discount={discounts?.find(({ product_id }) => product_id === product.product_id)}
                onSee={() => onSee(product)}
              />
            </Place>
          )
        })}
      </div>
    </section>
  )
}

interface DiscountSwitchProps {
  /** The member's available RIF. */
  rif: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A switch for paying a part of the price with RIF; hidden from members without RIF. Rules, section 4. */
function DiscountSwitch({ rif, checked, onChange }: DiscountSwitchProps) {
  const { t } = useTranslation()
  const config = useAppConfig()
  if (config === undefined || isZero(rif)) return null
  const hint = t('shop.discount.hint', {
    percent: formatPpm(config.use_hash_rate_percent),
    amount: formatAmount(rif),
  })
  return (
    <Card>
      <Switch label={t('shop.discount.label')} hint={hint} checked={checked} onChange={onChange} />
    </Card>
  )
}

/** An order that waits for its payment, at the top of the shop. */
function UnfinishedOrder({ order, onContinue }: { order: Order; onContinue: () => void }) {
  const { t } = useTranslation()
  const name = order.product_name
  // Renders the page again without it when it has expired.
  if (useHasEnded(order.expires_at)) return null
  return (
    <Notice
      title={t('shop.unfinished.title')}
      action={
        <Button aria-label={t('shop.product.continueNamed', { name })} onClick={onContinue}>
          {t('shop.unfinished.action')}
        </Button>
      }
    >
      {t('shop.unfinished.until', {
        name,
        price: formatPrice(order.amc_price),
        time: formatSince(order.expires_at),
      })}
    </Notice>
  )
}
