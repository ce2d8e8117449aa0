import { useState } from 'react'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Fact, Facts, Money, Notice, Sheet, Switch } from '../../../ui/index.ts'
import { LookAlikeWarning, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import type { JudgedRequest } from '../use-withdraw-form.ts'
import type { WithdrawLimit } from '../withdraw-draft.ts'
import { ExpectedTime } from './withdraw-preview.tsx'

export interface ConfirmSheetProps {
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
          <Fact label={t('withdrawals.confirm.amount')}>
            <Money amount={check.amount} unit={check.asset} exact />
          </Fact>
          <Fact label={t('withdrawals.form.fee')}>
            <Money amount={check.fee} unit={check.asset} exact />
          </Fact>
          <Fact label={t('withdrawals.form.receives')}>
            <Money amount={check.receives} unit={check.asset} exact className="text-20 font-semibold" />
          </Fact>
          <Fact label={t('withdrawals.confirm.to')}>
            {isOwn && <span className="block text-muted">{t('withdrawals.confirm.own')}</span>}
            <Address value={check.to} form="full" copy={false} />
          </Fact>
          <Fact label={t('withdrawals.form.expected')}>
            <ExpectedTime isAudited={isAudited} />
          </Fact>
          <Fact label={t('withdrawals.confirm.after')}>
            <Money amount={check.remaining_after} unit="USDT" />
          </Fact>
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
