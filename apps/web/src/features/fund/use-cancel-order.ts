import { LONG_TOAST_MS, showModal, showToast, useApiMutation, useTranslation } from '../../lib/index.ts'

/** Cancelling an unpaid purchase, after a question that warns of a payment already sent. */
export function useCancelOrder() {
  const { t } = useTranslation()
  const cancel = useApiMutation('fundCancel', { refresh: ['fundOrder', 'fundOrders', 'fundRecords'] })
  return {
    isPending: cancel.isPending,
    async ask(orderId: string) {
      const confirmed = await showModal({
        title: t('fund.pay.cancelTitle'),
        content: t('fund.pay.cancelText'),
        confirmText: t('fund.pay.cancelConfirm'),
        cancelText: t('fund.pay.cancelKeep'),
      })
      if (!confirmed) return
      cancel.mutate(
        { body: { order_id: orderId } },
        {
          onSuccess: () => showToast(t('fund.pay.cancelled'), { durationMs: LONG_TOAST_MS, tone: 'good' }),
        },
      )
    },
  }
}
