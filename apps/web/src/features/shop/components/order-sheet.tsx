import type { Order, OrderPreview as Preview, Product } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  ApiError,
  apiQuery,
  formatClock,
  formatExact,
  isZero,
  navigateTo,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { Notice, Sheet, SheetDock } from '../../../ui/index.ts'
import { CancelOrder, FlowButton, FlowProgress } from '../../../wallet/flow-steps.tsx'
import { useHasEnded } from '../../../wallet/use-has-ended.ts'
import { usePayment, useStartOnArrival } from '../../../wallet/use-tx-flow.ts'
import { useCancelOrder } from './order-parts.tsx'
import { OrderPreview, usePreview } from './order-preview.tsx'
import { PayCard, paidText, WorkedOutQuote } from './order-quote.tsx'

/** The subject of a sheet: a package to look at, or an order that waits for its payment. */
export type OrderSubject = { product: Product } | { order: Order; isNew: boolean }

interface OrderSheetProps {
  subject: OrderSubject
  useHashRate: boolean
  onClose: () => void
}

/**
 * Shows a package's price, the maximum return and the possible loss, and the one confirmation, which alone
 * places the order; then the progress of its payment. A waiting order is continued. Leads to the success
 * page.
 */
export default function OrderSheet({ subject, useHashRate, onClose }: OrderSheetProps) {
  const [shown, setShown] = useState(subject)
  const [isRunning, setRunning] = useState(false)
  const client = useQueryClient()
  const create = useApiMutation('createOrder', {
    refresh: ['products', 'orders', 'me', 'hashRatePercent', 'orderPreview'],
  })

  /** An order unknown to this device is offered for continuation; otherwise the price is read again. */
  const refused = async (error: Error) => {
    void client.invalidateQueries({ queryKey: ['orderPreview'] })
    void client.invalidateQueries({ queryKey: ['products'] })
    if (!(error instanceof ApiError && error.error === 'ORDER_OPEN')) return
    const order_id = String(error.details.order_id)
    const open = await client.fetchQuery(apiQuery('order', { params: { order_id } })).catch(() => null)
    if (open !== null) setShown({ order: open, isNew: false })
  }
  const place = (product_id: string, { usdt, amc, rif }: Order['quote']) =>
    create.mutate(
      { body: { product_id, useHashRate, expected: { usdt, amc, rif } } },
      {
        onSuccess: (order) => setShown({ order, isNew: true }),
        onError: (error) => void refused(error),
      },
    )

  const preview = usePreview('product' in shown ? shown.product : null, useHashRate)
  const name = 'order' in shown ? shown.order.product_name : shown.product.name
  return (
    <Sheet
      open
      onClose={onClose}
      dismissible={!isRunning && !create.isPending}
      title={name}
      description={'order' in shown ? <KeptUntil {...shown.order} /> : <Keeps preview={preview.data} />}
    >
      <div className="flex flex-col gap-4 pt-2">
        {'order' in shown ? (
          <OrderPayment {...shown} onRunning={setRunning} onClose={onClose} />
        ) : (
          <OrderPreview
            query={preview}
            isBusy={create.isPending}
            onConfirm={(quote) => place(shown.product.product_id, quote)}
          />
        )}
      </div>
    </Sheet>
  )
}

const MINUTE_MS = 60_000

/** The price that an order placed now would keep. */
function Keeps({ preview }: { preview: Preview | undefined }) {
  const { t } = useTranslation()
  if (preview === undefined) return t('common.loading')
  const { amc_price, valid_ms } = preview
  return t('shop.sheet.keeps', { price: formatExact(amc_price), minutes: valid_ms / MINUTE_MS })
}

/** The price that an order keeps, and until when. */
function KeptUntil({ amc_price, expires_at }: Order) {
  const { t } = useTranslation()
  return t('shop.sheet.keptUntil', { price: formatExact(amc_price), time: formatClock(expires_at) })
}

interface OrderPaymentProps {
  order: Order
  /** True if this sheet's confirmation placed it, so that its payment begins at once. */
  isNew: boolean
  onRunning: (isRunning: boolean) => void
  onClose: () => void
}

/** The payment of an order as it goes. */
function OrderPayment({ order, isNew, onRunning, onClose }: OrderPaymentProps) {
  const { t } = useTranslation()
  const flow = usePayment(order)
  const cancel = useCancelOrder(onClose)
  const { order_id } = order
  const { phase, steps } = flow.state
  const hasEnded = useHasEnded(order.expires_at)
  useEffect(() => onRunning(flow.isRunning), [flow.isRunning, onRunning])
  useEffect(() => {
    if (phase === 'done') navigateTo('/pages/shop/paySuccess', { order_id })
  }, [phase, order_id])
  useStartOnArrival(flow, () => isNew)

  const hasBegun = steps.length > 0 || flow.isRunning
  if (hasEnded && !hasBegun) return <Notice tone="warn">{t('shop.sheet.expired')}</Notice>
  return (
    <>
      {!hasBegun && !isNew && <Notice>{t('shop.sheet.resumed')}</Notice>}
      <PayCard due={order.quote.due} quote={order.quote} payer={order.payer} pricedAt={order.created_at}>
        <WorkedOutQuote {...order} />
      </PayCard>
      <FlowProgress flow={flow} />
      <SheetDock>
        <FlowButton flow={flow} startLabel={t('shop.sheet.pay', { amounts: paidText(order.quote) })} />
        {!flow.isRunning && (
          <>
            <CancelOrder flow={flow} label={t('shop.sheet.cancel')} cancel={cancel} orderId={order_id} />
            <p className="text-center text-12 text-muted">
              {isZero(order.quote.rif)
                ? t('shop.sheet.kept')
                : t('shop.sheet.keptWithRif', { rif: formatExact(order.quote.rif) })}
            </p>
          </>
        )}
      </SheetDock>
    </>
  )
}
