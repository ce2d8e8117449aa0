import { useState } from 'react'
import { formatAmount, formatPpm, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Fact,
  Facts,
  LongFact,
  Money,
  MoneyFact,
  Notice,
  Sheet,
  Switch,
  Time,
} from '../../../ui/index.ts'
import { LookAlikeWarning, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { type JudgedRequest, judgeAmount, type WithdrawDraft, type WithdrawLimit } from '../withdraw-draft.ts'

interface ConfirmSheetProps {
  judged: JudgedRequest
  ownAddress: string
  limit: WithdrawLimit
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Amount, fee, what arrives, to whom and when, as the server judged them; then the one confirmation, which an address that looks like a known one holds back. */
export function ConfirmSheet({ judged, ownAddress, limit, isBusy, onConfirm, onClose }: ConfirmSheetProps) {
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
          <MoneyFact label={t('withdrawals.form.fee')} amount={check.fee} unit={check.asset} exact />
          <MoneyFact
            label={t('withdrawals.form.receives')}
            amount={check.receives}
            unit={check.asset}
            exact
            className="text-20 font-semibold"
          />
          <LongFact label={t('withdrawals.confirm.to')}>
            {isOwn && <span className="block text-muted">{t('withdrawals.confirm.own')}</span>}
            <Address value={check.to} form="full" copy={false} />
          </LongFact>
          <Fact label={t('withdrawals.form.expected')}>
            <ExpectedTime isAudited={isAudited} />
          </Fact>
          <MoneyFact label={t('withdrawals.confirm.after')} amount={check.remaining_after} unit="USDT" />
        </Facts>
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
        <Button
          block
          busy={isBusy}
          disabled={receiver.is === 'checking' || (isLikeAnother && !compared)}
          onClick={onConfirm}
        >
          {t('withdrawals.confirm.submit')}
        </Button>
      </div>
    </Sheet>
  )
}

/** The fee, the net amount and the time of arrival for the typed amount. */
export function WithdrawPreview({ draft, limit }: { draft: WithdrawDraft; limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const amount = judgeAmount(draft, limit)
  const dash = <span className="text-muted">–</span>
  return (
    <Facts>
      <Fact label={t('withdrawals.form.fee')}>
        {amount.ok ? <Money amount={amount.fee} unit={draft.asset} exact /> : dash}
        <span className="block text-12 text-muted">
          {t('withdrawals.form.feeHint', {
            percent: formatPpm(limit.fee_ppm),
            minimum: formatAmount(limit.minimum_fee_usdt, { min: 0, max: 6 }),
          })}
        </span>
      </Fact>
      <Fact label={t('withdrawals.form.receives')}>
        {amount.ok ? (
          <Money amount={amount.receives} unit={draft.asset} exact className="text-16 font-semibold" />
        ) : (
          dash
        )}
      </Fact>
      <Fact label={t('withdrawals.form.remains')}>
        {amount.ok ? <Money amount={amount.remains} unit={draft.asset} exact /> : dash}
      </Fact>
      {amount.ok && (
        <Fact label={t('withdrawals.form.expected')}>
          <ExpectedTime isAudited={amount.isAudited} />
        </Fact>
      )}
    </Facts>
  )
}

/** The time of arrival: after a review, or at once. */
function ExpectedTime({ isAudited }: { isAudited: boolean }) {
  const { t } = useTranslation()
  const count = useAppConfig()?.chain.confirmations
  if (isAudited) return t('withdrawals.form.expectedAudit')
  return count === undefined ? null : t('withdrawals.form.expectedClaim', { count })
}

/** The rest of today's limit, and the time at which it restarts. */
export function LimitLine({ limit }: { limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const { level } = limit
  const dayLimit = formatAmount(limit.limit, { min: 0, max: 2 })
  return (
    <div className="text-14">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-muted">{t('withdrawals.form.limit')}</span>
        <Money amount={limit.remaining} unit="USDT" />
      </div>
      <p className="mt-1 text-12 text-muted">
        {t('withdrawals.form.limitHint', { level, limit: dayLimit })} <Time value={limit.resets_at} />
      </p>
    </div>
  )
}
