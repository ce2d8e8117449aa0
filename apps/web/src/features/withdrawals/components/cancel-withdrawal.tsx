import type { Withdrawal } from '@rif/api-schema'
import { useState } from 'react'
import { LONG_TOAST_MS, showModal, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Countdown } from '../../../ui/index.ts'
import { claimState, isOpen } from '../withdrawal-view.ts'

/** Cancelling a withdrawal, as long as no claim of it is valid. Rules, section 7. */
export function CancelWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const cancel = useApiMutation('cancelWithdrawal', {
    refresh: ['withdrawal', 'withdrawals', 'withdrawLimit', 'me'],
  })
  // Redrawn when the claim's deadline passes.
  const [, setEnded] = useState<string | null>(null)
  const claim = claimState(withdrawal, Date.now())
  const { withdraw_id, claim_expires_at } = withdrawal
  if (!isOpen(withdrawal) || claim === 'seen') return null
  if (claim === 'out' && claim_expires_at !== null) {
    return (
      <p className="px-1 text-center text-12 text-muted">
        {t('withdrawals.detail.cancelLater')}{' '}
        <Countdown until={claim_expires_at} onEnd={() => setEnded(claim_expires_at)} />
      </p>
    )
  }
  const ask = async () => {
    const confirmed = await showModal({
      title: t('withdrawals.detail.cancelTitle'),
      content: t('withdrawals.detail.cancelText'),
      confirmText: t('withdrawals.detail.cancelConfirm'),
      cancelText: t('withdrawals.detail.cancelKeep'),
    })
    if (!confirmed) return
    cancel.mutate(
      { params: { id: withdraw_id } },
      {
        onSuccess: () =>
          showToast(t('withdrawals.detail.cancelled'), { durationMs: LONG_TOAST_MS, tone: 'good' }),
      },
    )
  }
  return (
    <Button variant="danger" block busy={cancel.isPending} onClick={() => void ask()}>
      {t('withdrawals.detail.cancel')}
    </Button>
  )
}
