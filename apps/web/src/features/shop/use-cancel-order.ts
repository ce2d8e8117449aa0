import { LONG_TOAST_MS, showModal, showToast, useApiMutation, useTranslation } from '../../lib/index.ts'

/** Cancelling an unpaid order, after a question that warns of a payment already sent. `onDone` is called when it is cancelled. */
export function useCancelOrder(onDone?: () => void) {
  const { t } = useTranslation()
  const cancel = useApiMutation('cancelOrder', { refresh: ['order', 'orders', 'products', 'me'] })
  return {
    isPending: cancel.isPending,
    async ask(orderId: string) {
      const confirmed = await showModal({
        title: t('shop.detail.cancelTitle'),
        content: t('shop.detail.cancelText'),
        confirmText: t('shop.detail.cancelConfirm'),
        cancelText: t('shop.detail.cancelKeep'),
      })
      if (!confirmed) return
      cancel.mutate(
        { body: { order_id: orderId } },
        {
          onSuccess: () => {
            showToast(t('shop.detail.cancelled'), { durationMs: LONG_TOAST_MS, tone: 'good' })
            onDone?.()
          },
        },
      )
    },
  }
}
