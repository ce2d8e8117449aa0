import type { AppConfig, HashRatePercent, Order, Product } from '@rif/api-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import {
  ApiError,
  apiQuery,
  configQuery,
  formatAmount,
  formatPpm,
  isZero,
  useApiMutation,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Countdown,
  EmptyState,
  ErrorState,
  Later,
  ListSkeleton,
  NavLink,
  Notice,
  Page,
  Switch,
} from '../../../ui/index.ts'
import { OrderSheet } from '../components/order-sheet.tsx'
import { PackageCard } from '../components/package-card.tsx'
import { isPayable, openOrderFor } from '../order-view.ts'

/** The newest unpaid orders: those that can be continued. */
const unpaidOrders = apiQuery('orders', { query: { status: 'UnPaid' } })

/** Packages that a phone's first screen may show. */
const SEEN_AT_ONCE = 2

/** The shop: packages, the note on risk, and the order sheet. */
export default function ShopPage() {
  const { t } = useTranslation()
  const products = useQuery(apiQuery('products'))
  const orders = useQuery(unpaidOrders)
  const me = useQuery(apiQuery('me'))
  const discounts = useQuery(apiQuery('hashRatePercent'))
  const config = useQuery(configQuery)
  const unpaid = orders.data?.items ?? []
  const rif = me.data?.balances.RIF?.available ?? '0.000000'
  const create = useApiMutation('createOrder', { refresh: ['products', 'orders', 'me', 'hashRatePercent'] })
  const client = useQueryClient()
  const [shown, setShown] = useState<{ order: Order; isResumed: boolean } | null>(null)
  const [wantsDiscount, setWantsDiscount] = useState(true)
  const useHashRate = wantsDiscount && /[1-9]/.test(rif)

  const buy = (product: Product) => {
    const productId = product.product_id
    const open = openOrderFor(unpaid, productId, Date.now())
    if (open !== null) return resume(open)
    create.mutate(
      { body: { product_id: productId, useHashRate } },
      {
        onSuccess: (order) => setShown({ order, isResumed: false }),
        onError: (error) => void refused(error),
      },
    )
  }
  const resume = (order: Order) => setShown({ order, isResumed: true })
  /** An order that this device did not know of is offered to go on with; else the copies may have changed. */
  const refused = async (error: Error) => {
    if (!(error instanceof ApiError && error.error === 'ORDER_OPEN')) return void products.refetch()
    const order_id = String(error.details.order_id)
    const open = await client.fetchQuery(apiQuery('order', { params: { order_id } })).catch(() => null)
    if (open !== null) resume(open)
  }
  const buying = create.isPending ? (create.variables?.body.product_id ?? null) : null
  const unfinished = unpaid.find((one) => isPayable(one, Date.now()))
  // Drawn whole: what came in later would move the packages away under the finger.
  const isPending = [products, orders, me, discounts, config].some((query) => query.isPending)

  return (
    <Page
      title={t('shop.title')}
      back={false}
      actions={<NavLink to="/pages/shop/orderList">{t('shop.orders')}</NavLink>}
    >
      <Notice tone="warn" title={t('shop.risk.title')}>
        <p>{t('shop.risk.text')}</p>
        <p className="mt-2">{t('shop.risk.static')}</p>
      </Notice>
      {isPending && <ListSkeleton rows={3} />}
      {!isPending && (
        <>
          {unfinished !== undefined && (
            <UnfinishedOrder order={unfinished} onContinue={() => resume(unfinished)} />
          )}
          <DiscountSwitch rif={rif} checked={useHashRate} onChange={setWantsDiscount} />
          <Products
            query={products}
            coverage={config.data?.coverage_30d}
            discounts={useHashRate ? discounts.data?.packages : undefined}
            buying={buying}
            onBuy={buy}
          />
        </>
      )}
      {shown !== null && <OrderSheet key={shown.order.order_id} {...shown} onClose={() => setShown(null)} />}
    </Page>
  )
}

interface ProductsProps {
  query: ReturnType<typeof useQuery<{ items: Product[] }>>
  coverage: AppConfig['coverage_30d'] | undefined
  /** The discounts for RIF by package; undefined when none is used. */
  discounts: HashRatePercent['packages'] | undefined
  /** The package that is being ordered. */
  buying: string | null
  onBuy: (product: Product) => void
}

function Products({ query, coverage, discounts, buying, onBuy }: ProductsProps) {
  const { t } = useTranslation()
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  if (query.data.items.length === 0) {
    return <EmptyState icon="shop" title={t('shop.noProducts')} hint={t('shop.noProductsHint')} />
  }
  return (
    <section aria-label={t('shop.products')} className="flex flex-col gap-4">
      {query.data.items.map((product, index) => {
        const Place = index < SEEN_AT_ONCE ? Fragment : Later
        return (
          <Place key={product.product_id}>
            <PackageCard
              product={product}
              coverage={coverage}
              discount={discounts?.find(({ product_id }) => product_id === product.product_id)}
              isBusy={buying === product.product_id}
              onBuy={() => onBuy(product)}
            />
          </Place>
        )
      })}
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

/** An order that waits for its payment, on top of the shop. */
function UnfinishedOrder({ order, onContinue }: { order: Order; onContinue: () => void }) {
  const { t } = useTranslation()
  const name = order.product_name
  return (
    <Notice
      title={t('shop.unfinished.title')}
      action={
        <Button aria-label={t('shop.product.continueNamed', { name })} onClick={onContinue}>
          {t('shop.unfinished.action')}
        </Button>
      }
    >
      {t('shop.unfinished.text', { name })} <Countdown until={order.expires_at} className="font-semibold" />
    </Notice>
  )
}
