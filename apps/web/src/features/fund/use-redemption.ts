import type { FundHolding, RedemptionPreview } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, redirectTo, useApiMutation, useSettled, useTranslation } from '../../lib/index.ts'
import { checkOf, useDraftForm } from '../../ui/index.ts'
import { judgeRedemption } from './units-draft.ts'

/** The form of a redemption: units, what they bring as the server figures it, then the one confirmation. */
export function useRedemptionForm(holding: FundHolding, units: string) {
  const { product_id } = holding
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `fund-redeem-${product_id}`,
    initial: { units },
    check: (values) => checkOf('units', judgeRedemption(values.units, holding)),
    text: (problem) => t(`fund.problem.${problem}`),
    recheck: true,
  })
  const [confirming, setConfirming] = useState<RedemptionPreview | null>(null)
  const redeem = useApiMutation('fundRedeem', {
    refresh: ['fundHoldings', 'fundOrders', 'fundOrder', 'fundRedemptions', 'fundRecords'],
  })
  const judged = form.checked
  const settled = useSettled(judged.ok ? judged.units : '')
  const query = { product_id, units: settled }
  const preview = useQuery({
    queryKey: ['fundRedemptionPreview', { query }],
    queryFn: ({ signal }) => call('fundRedemptionPreview', { query }, { signal }),
    enabled: settled !== '',
  })
  const current = judged.ok && settled === judged.units ? preview.data : undefined
  return {
    form,
    /** For the units in the field; undefined while it is computed, or cannot be. */
    preview: current,
    isFiguring: judged.ok && current === undefined && !preview.isError,
    hasFailed: preview.isError,
    retry: () => void preview.refetch(),
    confirming,
    isRedeeming: redeem.isPending,
    onSubmit: form.submit(() => current !== undefined && setConfirming(current)),
    close: () => setConfirming(null),
    confirm: ({ units: count }: RedemptionPreview) =>
      redeem.mutate(
        { body: { product_id, units: count } },
        {
          onSuccess: ({ redemption_id }) => {
            form.clear()
            redirectTo('/pages/found/redemption_success', { redemption_id })
          },
          onError: () => setConfirming(null),
        },
      ),
  }
}
