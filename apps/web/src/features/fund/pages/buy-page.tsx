import type { FundProductDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, EmptyState, FormSkeleton, Loaded, Notice, Page } from '../../../ui/index.ts'
import { BuyForm } from '../components/buy-form.tsx'
import { DealingNotice } from '../components/dealing-notice.tsx'
import { useProduct } from '../components/parts.tsx'
import { isFundOrderPayable } from '../fund-view.ts'

/** A purchase: units, current value and fee, the way of payment, and a single confirmation. */
export default function BuyPage() {
  const { t } = useTranslation()
  const { product_id, units } = useSearch({ from: '/pages/found/buy' })
  const query = useProduct(product_id)
  const me = useQuery(apiQuery('me'))
  const skeleton = <FormSkeleton />
  return (
    <Page wide title={t('fund.buy.title')}>
      <Loaded query={query} skeleton={skeleton}>
        {(product) => (
          <Loaded query={me} skeleton={skeleton}>
            {({ balances }) => (
              <Buy product={product} available={balances.USDT.available} units={units ?? ''} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface BuyProps {
  product: FundProductDetail
  available: string
  units: string
}

function Buy({ product, available, units }: BuyProps) {
  const { t } = useTranslation()
  const { product_id } = product
  if (product.nav_stale || product.state === 'closed') {
    return (
      <>
        <DealingNotice product={product} />
        <EmptyState
          icon="clock"
          title={t('fund.buy.closed')}
          action={
            <PageLink
              to="/pages/found/productDetail"
              search={{ product_id }}
              className={buttonClass('secondary')}
            >
              {t('fund.my.toProduct')}
            </PageLink>
          }
        />
      </>
    )
  }
  return (
    <>
      <Unfinished productId={product_id} />
      <BuyForm product={product} available={available} units={units} />
    </>
  )
}

/** An open quote for the wallet, which can be resumed instead of creating a second one by mistake. */
function Unfinished({ productId }: { productId: string }) {
  const { t } = useTranslation()
  const orders = useQuery(apiQuery('fundOrders', { query: { tab: 'Pending' } })).data?.items ?? []
  const open = orders.find((order) => order.product_id === productId && isFundOrderPayable(order, Date.now()))
  if (open === undefined) return null
  return (
    <Notice
      title={t('fund.buy.unfinished')}
      action={
        <PageLink
          to="/pages/found/pay"
          search={{ order_id: open.order_id }}
          className={buttonClass('secondary')}
        >
          {t('fund.buy.goOn')}
        </PageLink>
      }
    >
      {t('fund.buy.unfinishedText')}
    </Notice>
  )
}
