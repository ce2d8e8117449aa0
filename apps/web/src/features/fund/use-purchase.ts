import type { FundProduct, RouteInput } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatAmount, redirectTo, useApiMutation, useTranslation } from '../../lib/index.ts'
import { checkOf, useDraftForm } from '../../ui/index.ts'
import { judgePurchase, type PayWith, type PurchaseJudgement } from './units-draft.ts'

type Judged = Extract<PurchaseJudgement, { ok: true }>

/** What the member has confirmed to see: the figures, and how they are paid. */
export interface Confirming extends Judged {
  payWith: PayWith
}

type PurchaseValues = Pick<RouteInput<'fundBuy'>['body'], 'units' | 'pay_with'>

/** The form of a purchase: units and way of payment, judged as they are typed; then the one confirmation. */
export function usePurchase(
  product: FundProduct & { nav: string },
  { available, units }: { available: string; units: string },
) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { product_id, nav } = product
  const initial: PurchaseValues = { units, pay_with: 'available' }
  const form = useDraftForm({
    name: `fund-buy-${product_id}`,
    initial,
    check: ({ units: count, pay_with }) =>
      checkOf('units', judgePurchase(count, product, { payWith: pay_with, available, nowMs: Date.now() })),
    text: (problem) => t(`fund.problem.${problem}`, { minimum: formatAmount(product.minimum_usd) }),
    recheck: true,
  })
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const buy = useApiMutation('fundBuy', { refresh: ['fundOrders', 'fundHoldings', 'fundRecords', 'me'] })
  const { pay_with: payWith } = form.values
  return {
    form,
    confirming,
    isBuying: buy.isPending,
    onSubmit: form.submit((judged) => setConfirming({ ...judged, payWith })),
    close: () => setConfirming(null),
    /** At the NAV that was shown: another one by now is refused, and shown anew. */
    confirm: ({ units: count, payWith: by }: Confirming) =>
      buy.mutate(
        { body: { product_id, units: count, pay_with: by, nav } },
        {
          onSuccess: ({ order_id }) => {
            form.clear()
            if (by === 'wallet') redirectTo('/pages/found/pay', { order_id })
            else redirectTo('/pages/found/pay_success', { order_id })
          },
          onError: () => {
            setConfirming(null)
            const { queryKey } = apiQuery('fundProduct', { params: { product_id } })
            void client.invalidateQueries({ queryKey })
          },
        },
      ),
  }
}
