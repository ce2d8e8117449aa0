import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  formatAmount,
  formatExact,
  LONG_TOAST_MS,
  showModal,
  showToast,
  useApiMutation,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, Card, Countdown, Money, Notice, Pill, ReceiptButtons, Section } from '../../../ui/index.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { useClaim } from '../../../wallet/use-tx-flow.ts'
import { WithdrawalFacts } from '../components/withdrawal-facts.tsx'
import { WithdrawalFrame } from '../components/withdrawal-frame.tsx'
import { WithdrawalTimeline } from '../components/withdrawal-timeline.tsx'
import { withdrawalReceipt } from '../withdrawal-receipt.ts'
import { claimState, isOpen, WITHDRAWAL_TONES } from '../withdrawal-view.ts'

/** One withdrawal: where it stands, its claim, every labelled field. */
export default function WithdrawalDetailPage() {
  const { t } = useTranslation()
  const { withdraw_id } = useSearch({ from: '/pages/withdrawal/detail' })
  return (
    <WithdrawalFrame title={t('withdrawals.detail.title')} withdrawId={withdraw_id}>
      {(withdrawal) => <Detail withdrawal={withdrawal} />}
    </WithdrawalFrame>
  )
}

function Detail({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status, amount, receives, asset } = withdrawal
  const isReturned = status === 'Rejected' || status === 'Cancelled'
  return (
    <>
      <Card>
        <div className="flex items-center justify-between gap-3">
          <p className="text-14 text-muted">
            {t(isReturned ? 'withdrawals.detail.returned' : 'withdrawals.detail.receives')}
          </p>
          <span role="status">
            <Pill tone={WITHDRAWAL_TONES[status]}>{t(`withdrawals.status.${status}`)}</Pill>
          </span>
        </div>
        <Money amount={isReturned ? amount : receives} unit={asset} className="text-28 font-semibold" />
      </Card>
      <Remarks withdrawal={withdrawal} />
      <ClaimPanel withdrawal={withdrawal} />
      <Section title={t('withdrawals.detail.progress')}>
        <Card>
          <WithdrawalTimeline withdrawal={withdrawal} />
        </Card>
      </Section>
      <Section title={t('withdrawals.detail.facts')}>
        <Card>
          <WithdrawalFacts withdrawal={withdrawal} />
        </Card>
      </Section>
      {status === 'Success' && (
        <ReceiptButtons title={t('withdrawals.detail.title')} lines={withdrawalReceipt(withdrawal, t)} />
      )}
      <CancelWithdrawal withdrawal={withdrawal} />
    </>
  )
}

/** Why it was rejected, or why it is reviewed. */
function Remarks({ withdrawal: { status, reasons, reject_reason } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const above = useAppConfig()?.withdraw.audit_above_usdt
  if (status === 'Rejected') {
    return (
      <Notice tone="bad" title={t('withdrawals.detail.rejected')}>
        <p>{reject_reason ?? t('withdrawals.detail.noReason')}</p>
        <p>{t('withdrawals.detail.rejectedBack')}</p>
      </Notice>
    )
  }
  if (status !== 'Auditing' || above === undefined) return null
  return (
    <Notice tone="warn" title={t('withdrawals.detail.reasons')}>
      {reasons.map((reason) => (
        <p key={reason}>
          {t(`withdrawals.reason.${reason}`, { above: formatAmount(above, { min: 0, max: 2 }) })}
        </p>
      ))}
    </Notice>
  )
}

/** Claiming an approved withdrawal through the wallet; a claim that ended unused can be asked for again. Rules, section 7. */
export function ClaimPanel({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const flow = useClaim(withdrawal)
  const claim = claimState(withdrawal, Date.now())
  // Once the chain has shown the claim, the timeline tells the rest.
  if (claim === 'none' || (claim === 'seen' && !flow.isRunning)) return null
  const { asset } = withdrawal
  return (
    <Section title={t('withdrawals.claim.title')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {t('withdrawals.claim.hint', { receives: formatExact(withdrawal.receives), asset })}
        </p>
        {claim === 'expired' && !flow.isRunning && (
          <Notice tone="warn">{t('withdrawals.claim.expired')}</Notice>
        )}
        <FlowSteps flow={flow} startLabel={t('withdrawals.claim.start')} />
      </Card>
    </Section>
  )
}

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
