import type { FundProduct } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../../lib/draft.ts'
import { redirectTo } from '../../lib/navigation.ts'
import { apiQuery, useApiMutation } from '../../lib/queries.ts'
import { judgePurchase, type PayWith, type PurchaseJudgement } from './units-draft.ts'

type Judged = Extract<PurchaseJudgement, { ok: true }>

/** What the member has confirmed to see: the figures, and how they are paid. */
export interface Confirming extends Judged {
  payWith: PayWith
}

/** The form of a purchase: units and way of payment, judged as they are typed; then the one confirmation. */
export function usePurchase(
  product: FundProduct & { nav: string },
  { available, units }: { available: string; units: string },
) {
  const client = useQueryClient()
  const { product_id, nav } = product
  const initial = { units, fromWallet: false }
  const { draft, change, clear } = useDraft(`fund-buy-${product_id}`, initial)
  const [asked, setAsked] = useState(false)
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const buy = useApiMutation('fundBuy', { refresh: ['fundOrders', 'fundHoldings', 'fundRecords', 'me'] })
  const payWith: PayWith = draft.fromWallet ? 'wallet' : 'available'
  const judged = judgePurchase(draft.units, product, { payWith, available, nowMs: Date.now() })
  return {
    units: draft.units,
    payWith,
    judged,
    problem: asked && !judged.ok ? judged.problem : null,
    confirming,
    isBuying: buy.isPending,
    setUnits: (next: string) => change({ ...draft, units: next }),
    setPayWith: (next: PayWith) => change({ ...draft, fromWallet: next === 'wallet' }),
    goOn: () => {
      setAsked(true)
      if (judged.ok) setConfirming({ ...judged, payWith })
    },
    close: () => setConfirming(null),
    /** At the NAV that was shown: another one by now is refused, and shown anew. */
    confirm: ({ units: count, payWith: by }: Confirming) =>
      buy.mutate(
        { body: { product_id, units: count, pay_with: by, nav } },
        {
          onSuccess: ({ order_id }) => {
            clear()
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
