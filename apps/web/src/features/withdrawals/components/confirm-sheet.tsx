import { useState } from 'react'
import {
  formatAmount,
  formatExact,
  formatPpm,
  isZero,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  Fact,
  Facts,
  LongFact,
  Money,
  MoneyFact,
  Notice,
  PriceNote,
  Sheet,
  SheetDock,
  Stepper,
  Switch,
} from '../../../ui/index.ts'
import { useNetworkFee } from '../../../wallet/network-fee.ts'
import { LookAlikeWarning, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { reviewTimeText } from '../../../wallet/usual-wait.ts'
import { type JudgedRequest, judgeAmount, type WithdrawDraft, type WithdrawLimit } from '../withdraw-draft.ts'

interface ConfirmSheetProps {
  judged: JudgedRequest
  ownAddress: string
  limit: WithdrawLimit
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/**
 * Shows amount, fee, net amount, receiver and time as checked by the server; then the one confirmation, which
 * a look-alike address delays.
 */
export function ConfirmWithdrawal({
  judged,
  ownAddress,
  limit,
  isBusy,
  onConfirm,
  onClose,
}: ConfirmSheetProps) {
  const { t } = useTranslation()
  const { check } = judged
  const isOwn = check.to.toLowerCase() === ownAddress.toLowerCase()
  const isAudited = check.status === 'Auditing'
  const receiver = useReceiver(isOwn ? '' : check.to)
  const isLikeAnother = receiver.is === 'known' && receiver.receiver.looks_like !== null
  const [compared, setCompared] = useState(false)
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t('withdrawals.confirm.title')}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <MoneyFact label={t('withdrawals.confirm.amount')} amount={check.amount} unit={check.asset} exact />
          {!isZero(check.refund) && (
            <MoneyFact label={t('withdrawals.form.refund')} amount={check.refund} unit={check.asset} exact />
          )}
          <MoneyFact label={t('withdrawals.form.fee')} amount={check.fee} unit={check.asset} exact />
          <Fact label={t('withdrawals.form.receives')} sum>
            <Money amount={check.receives} unit={check.asset} exact className="text-20 font-semibold" />
          </Fact>
          <LongFact label={t('withdrawals.confirm.to')}>
            {isOwn && <span className="block text-muted">{t('addresses.own')}</span>}
            {!isOwn && receiver.is === 'known' && receiver.receiver.label !== null && (
              <span className="block font-semibold">{receiver.receiver.label}</span>
            )}
            <Address value={check.to} form="full" copy={false} />
          </LongFact>
          <LongFact label={t('withdrawals.form.expected')}>
            <ExpectedTime isAudited={isAudited} limit={limit} />
          </LongFact>
          <MoneyFact label={t('withdrawals.confirm.after')} amount={check.remaining_after} unit="USDT" />
        </Facts>
        {check.asset === 'AMC' && <PriceNote named asset="AMC" className="self-start" />}
        {isAudited && (
          <Notice tone="warn" title={t('withdrawals.confirm.audit')}>
            {check.reasons.map((reason) => (
              <p key={reason}>
                {t(`withdrawals.reason.${reason}`, {
                  above: formatAmount(limit.audit_above_usdt, { min: 0, max: 2 }),
                })}
              </p>
            ))}
          </Notice>
        )}
        {check.needs_signature && <p className="text-14 text-muted">{t('wallet.signHint')}</p>}
        {isLikeAnother && (
          <>
            <LookAlikeWarning receiver={receiver.receiver} />
            <Switch label={t('receiver.compared')} checked={compared} onChange={setCompared} />
          </>
        )}
        <SheetDock>
          <Button
            moves="withdrawals"
            block
            busy={isBusy}
            disabled={receiver.is === 'checking' || (isLikeAnother && !compared)}
            onClick={onConfirm}
          >
            {t('withdrawals.form.submit', { amount: `${formatExact(check.amount)} ${check.asset}` })}
          </Button>
        </SheetDock>
      </div>
    </Sheet>
  )
}

/** Shows what leaves, what of it is free as a refund, the fee and what arrives for the typed amount. */
export function WithdrawPreview({ draft, limit }: { draft: WithdrawDraft; limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const amount = judgeAmount(draft, limit)
  const isPartFree = amount.ok && !isZero(amount.refund)
  const fee = t(isPartFree ? 'withdrawals.form.feeRest' : 'withdrawals.form.feeHint', {
    percent: formatPpm(limit.fee_ppm),
    minimum: formatAmount(limit.minimum_fee_usdt, { min: 2, max: 6 }),
  })
  const unit = draft.asset
  return (
    <Card>
      {amount.ok ? (
        <Facts>
          <MoneyFact label={t('withdrawals.form.leaves')} amount={amount.amount} unit={unit} exact />
          {isPartFree && (
            <MoneyFact label={t('withdrawals.form.refund')} amount={amount.refund} unit={unit} exact />
          )}
          <MoneyFact
            label={fee}
            amount={isZero(amount.fee) ? amount.fee : `-${amount.fee}`}
            unit={unit}
            exact
          />
          <Fact label={t('withdrawals.form.receives')} sum>
            <Money amount={amount.receives} unit={unit} exact className="text-16 font-semibold" />
          </Fact>
        </Facts>
      ) : (
        <div className="text-14 text-muted">
          <p>{fee}</p>
          <p>{t('withdrawals.form.soon')}</p>
        </div>
      )}
    </Card>
  )
}

/** The time of arrival: after a review, or at once. */
function ExpectedTime({ isAudited, limit }: { isAudited: boolean; limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const count = useAppConfig()?.chain.confirmations
  if (isAudited)
    return `${t('withdrawals.form.expectedAudit')} ${reviewTimeText(t, limit.usual_review_seconds)}`
  return count === undefined ? null : t('withdrawals.form.expectedClaim', { count })
}

/** The steps until the money is in the wallet, for the typed amount; `isAudited` is null while there is none. */
export function WhenCard({ limit, isAudited }: { limit: WithdrawLimit; isAudited: boolean | null }) {
  const { t } = useTranslation()
  const fee = useNetworkFee('claim')
  const above = formatAmount(limit.audit_above_usdt, { min: 0, max: 2 })
  const claim =
    fee === undefined
      ? t('withdrawals.when.claimText')
      : `${t('withdrawals.when.claimText')} ${t('pay.networkFee', { fee: formatExact(fee) })}.`
  const now = isAudited === null ? ('waiting' as const) : ('active' as const)
  const first = isAudited
    ? {
        id: 'review',
        title: t('withdrawals.when.review'),
        detail: `${t('withdrawals.when.reviewText', { above })} ${reviewTimeText(t, limit.usual_review_seconds)}`,
      }
    : {
        id: 'ready',
        title: t('withdrawals.when.ready'),
        time: t('withdrawals.when.atOnce'),
        detail: t('withdrawals.when.readyText', { above }),
      }
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">{t('withdrawals.form.expected')}</h2>
      <Stepper
        label={t('withdrawals.form.expected')}
        steps={[
          { ...first, state: now, isYours: true },
          {
            id: 'claim',
            title: t('withdrawals.when.claim'),
            time: t('withdrawals.when.aMinute'),
            detail: claim,
            state: 'waiting',
          },
        ]}
      />
    </Card>
  )
}
