import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatExact, isZero, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Card,
  CardSection,
  Columns,
  Countdown,
  HelpLink,
  Money,
  Notice,
  Pill,
  ReceiptButtons,
  TokenMark,
} from '../../../ui/index.ts'
import {
  FieldFacts,
  fieldKinds,
  type OrderFields,
  onScreen,
  receiptOf,
  useCancel,
} from '../../../wallet/order-frame.tsx'
import { useNames } from '../../../wallet/receiver/names.tsx'
import { ClaimStep } from '../components/claim-step.tsx'
import { WithdrawalPage, WithdrawalTimeline } from '../components/withdrawal-parts.tsx'
import { claimState, isReturned, isWithdrawalOpen, WITHDRAWAL_TONES } from '../withdrawal-view.ts'

/** One withdrawal: its state, its claim, every labelled field. */
export default function WithdrawalDetailPage() {
  const { t } = useTranslation()
  const { withdraw_id } = useSearch({ from: '/pages/withdrawal/detail' })
  return (
    <WithdrawalPage title={t('withdrawals.detail.title')} withdrawId={withdraw_id} wide>
      {(withdrawal) => <Detail withdrawal={withdrawal} />}
    </WithdrawalPage>
  )
}

function Detail({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status } = withdrawal
  const fields = useWithdrawalFields(withdrawal)
  return (
    <Columns
      side={
        <>
          <CardSection title={t('withdrawals.detail.facts')}>
            <FieldFacts fields={fields} />
          </CardSection>
          {status === 'Success' && (
            <ReceiptButtons title={t('withdrawals.detail.title')} lines={receiptOf(fields)} />
          )}
        </>
      }
    >
      <Head withdrawal={withdrawal} />
      {status === 'Rejected' && <Rejection withdrawal={withdrawal} />}
      <Card>
        <WithdrawalTimeline withdrawal={withdrawal} claim={<ClaimStep withdrawal={withdrawal} />} />
      </Card>
      <CancelWithdrawal withdrawal={withdrawal} />
    </Columns>
  )
}

/** Shows the net amount, or the returned amount, and the state. */
function Head({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status, amount, fee, receives, asset } = withdrawal
  const isBack = isReturned(withdrawal)
  return (
    <div className="flex flex-col items-center gap-1 py-2 text-center">
      <TokenMark token={asset} />
      <Money
        amount={isBack ? amount : receives}
        unit={asset}
        className="font-display text-36 font-semibold max-[359px]:text-28"
      />
      <p className="text-14 text-muted">
        {isBack
          ? t('withdrawals.detail.returned')
          : t('withdrawals.detail.arrivesOf', { amount: formatExact(amount), fee: formatExact(fee) })}
      </p>
      <span role="status">
        <Pill tone={WITHDRAWAL_TONES[status]}>{t(`withdrawals.status.${status}`)}</Pill>
      </span>
    </div>
  )
}

function Rejection({ withdrawal: { reject_reason } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  return (
    <Notice
      tone="bad"
      title={t('withdrawals.detail.rejected')}
      action={<HelpLink about="withdrawal.rejected" />}
    >
      <p>{reject_reason ?? t('withdrawals.detail.noReason')}</p>
      <p>{t('withdrawals.detail.rejectedBack')}</p>
    </Notice>
  )
}

/** The button that cancels a withdrawal while no claim of it is valid. Rules, section 7. */
function CancelWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const cancelWithdrawal = useApiMutation('cancelWithdrawal', {
    refresh: ['withdrawal', 'withdrawals', 'withdrawLimit', 'me'],
  })
  const cancel = useCancel('withdrawals.detail', cancelWithdrawal)
  // Rendered again when the claim's deadline passes.
  const [, setEnded] = useState<string | null>(null)
  const claim = claimState(withdrawal, Date.now())
  const { withdraw_id, claim_expires_at } = withdrawal
  if (!isWithdrawalOpen(withdrawal) || claim === 'seen') return null
  if (claim === 'out' && claim_expires_at !== null) {
    return (
      <p className="px-1 text-center text-12 text-muted">
        {t('withdrawals.detail.cancelLater')}{' '}
        <Countdown until={claim_expires_at} onEnd={() => setEnded(claim_expires_at)} />
      </p>
    )
  }
  return (
    <Button
      variant="quiet"
      moves="agreed"
      block
      busy={cancel.isPending}
      onClick={() => void cancel.ask({ params: { id: withdraw_id } })}
    >
      {t('withdrawals.detail.cancel', { amount: formatExact(withdrawal.amount) })}
    </Button>
  )
}

/** Returns every labelled field of a withdrawal. Specification section 3. */
function useWithdrawalFields(withdrawal: Withdrawal): OrderFields {
  const { t } = useTranslation()
  const { text, id, money, time, hash } = fieldKinds(t('withdrawals.detail.none'))
  const { name, note } = useNames()(withdrawal.address)
  const { asset, reasons, reviewed_at } = withdrawal
  // A fully returned withdrawal paid no fee, and nothing of it arrives.
  const taken = (amount: string) => money(isReturned(withdrawal) ? null : amount, asset)
  return [
    [t('withdrawals.detail.id'), id(withdrawal.withdraw_id, 'full')],
    [t('withdrawals.detail.chainId'), id(withdrawal.chain_withdrawal_id)],
    [t('withdrawals.detail.type'), text(t('withdrawals.detail.typeWallet'))],
    [t('withdrawals.detail.status'), text(t(`withdrawals.status.${withdrawal.status}`))],
    [t('withdrawals.detail.address'), id(withdrawal.address)],
    ...(name === null ? [] : [[t('receiver.nameLabel'), onScreen(text(name))] as const]),
    ...(note === null ? [] : [[t('note.label'), onScreen(text(note))] as const]),
    [t('withdrawals.detail.amount'), money(withdrawal.amount, asset)],
    ...(isZero(withdrawal.refund) || isReturned(withdrawal)
      ? []
      : [[t('withdrawals.detail.refund'), money(withdrawal.refund, asset)] as const]),
    [t('withdrawals.detail.fee'), taken(withdrawal.fee)],
    [t('withdrawals.detail.receives'), taken(withdrawal.receives)],
    [t('withdrawals.detail.worth'), onScreen(money(withdrawal.worth_usdt, 'USDT'))],
    [t('withdrawals.detail.created'), time(withdrawal.created_at)],
    ...(reasons.length > 0 ? [[t('withdrawals.detail.reviewed'), onScreen(time(reviewed_at))] as const] : []),
    [t('withdrawals.detail.completed'), time(withdrawal.completed_at)],
    [t('withdrawals.detail.hash'), hash(withdrawal.tx_hash)],
  ]
}
