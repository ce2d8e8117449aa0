import type { FundHolding, RedemptionPreview } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useDraft } from '../../lib/draft.ts'
import { redirectTo } from '../../lib/navigation.ts'
import { useApiMutation } from '../../lib/queries.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { judgeRedemption } from './units-draft.ts'

/** The form of a redemption: units, what they bring as the server figures it, then the one confirmation. */
export function useRedemptionForm(holding: FundHolding, units: string) {
  const { product_id } = holding
  const { draft, change, clear } = useDraft(`fund-redeem-${product_id}`, { units })
  const [asked, setAsked] = useState(false)
  const [confirming, setConfirming] = useState<RedemptionPreview | null>(null)
  const redeem = useApiMutation('fundRedeem', {
    refresh: ['fundHoldings', 'fundOrders', 'fundOrder', 'fundRedemptions', 'fundRecords'],
  })
  const judged = judgeRedemption(draft.units, holding)
  const settled = useSettled(judged.ok ? judged.units : '')
  const query = { product_id, units: settled }
  const preview = useQuery({
    queryKey: ['fundRedemptionPreview', { query }],
    queryFn: ({ signal }) => call('fundRedemptionPreview', { query }, { signal }),
    enabled: settled !== '',
  })
  const current = judged.ok && settled === judged.units ? preview.data : undefined
  return {
    units: draft.units,
    problem: asked && !judged.ok ? judged.problem : null,
    /** Of the units that stand in the field; undefined while it is figured out, or cannot be. */
    preview: current,
    isFiguring: judged.ok && current === undefined && !preview.isError,
    hasFailed: preview.isError,
    retry: () => void preview.refetch(),
    confirming,
    isRedeeming: redeem.isPending,
    setUnits: (next: string) => change({ units: next }),
    goOn: () => {
      setAsked(true)
      if (judged.ok && current !== undefined) setConfirming(current)
    },
    close: () => setConfirming(null),
    confirm: ({ units: count }: RedemptionPreview) =>
      redeem.mutate(
        { body: { product_id, units: count } },
        {
          onSuccess: ({ redemption_id }) => {
            clear()
            redirectTo('/pages/found/redemption_success', { redemption_id })
          },
          onError: () => setConfirming(null),
        },
      ),
  }
}
