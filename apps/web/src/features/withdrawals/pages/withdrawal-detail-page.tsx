import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { formatAmount, useAppConfig, useTranslation } from '../../../lib/index.ts'
import { Card, Money, Notice, Pill, ReceiptButtons, Section } from '../../../ui/index.ts'
import { CancelWithdrawal } from '../components/cancel-withdrawal.tsx'
import { ClaimPanel } from '../components/claim-panel.tsx'
import { WithdrawalFacts } from '../components/withdrawal-facts.tsx'
import { WithdrawalFrame } from '../components/withdrawal-frame.tsx'
import { WithdrawalTimeline } from '../components/withdrawal-timeline.tsx'
import { withdrawalReceipt } from '../withdrawal-receipt.ts'
import { WITHDRAWAL_TONES } from '../withdrawal-view.ts'

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
