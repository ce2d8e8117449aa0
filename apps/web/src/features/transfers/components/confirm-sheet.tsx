import type { Receiver, RouteData } from '@rif/api-schema'
import { useState } from 'react'
import { formatExact, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  Fact,
  Facts,
  Icon,
  MoneyFact,
  Notice,
  PriceNote,
  Sheet,
  SheetDock,
  Switch,
} from '../../../ui/index.ts'
import { LookAlikeWarning } from '../../../wallet/receiver/receiver-field.tsx'
import type { TransferRequest } from '../transfer-draft.ts'

/** A transfer that the server has checked. */
export interface Judged {
  request: TransferRequest
  receiver: Receiver
  check: RouteData<'transferCheck'>
}

interface ConfirmSheetProps extends Judged {
  ownAddress: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Both ends in full, amount, fee and what arrives; then the one confirmation. */
export function ConfirmTransfer(props: ConfirmSheetProps) {
  const { receiver, check, ownAddress, isBusy, onConfirm, onClose } = props
  const { t } = useTranslation()
  const [compared, setCompared] = useState(receiver.looks_like === null)
  const { amount, asset } = check
  const isHeld = check.status === 'Auditing'
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t('transfers.confirm.title')}>
      <div className="flex flex-col gap-4 pt-2">
        <div className="flex flex-col">
          <End title={t('transfers.confirm.from')} name={t('transfers.confirm.you')} address={ownAddress} />
          <span className="-my-2 z-10 grid size-8 place-items-center self-center rounded-full bg-card text-muted">
            <Icon name="down" size={16} />
          </span>
          <End title={t('transfers.confirm.to')} name={receiver.label} address={receiver.address} />
        </div>
        <Facts>
          <MoneyFact label={t('transfers.confirm.amount')} amount={amount} unit={asset} exact />
          <Fact label={t('transfers.confirm.fee')}>{t('transfers.confirm.noFee')}</Fact>
          <MoneyFact
            label={t('transfers.confirm.arrives')}
            amount={amount}
            unit={asset}
            exact
            className="text-20 font-semibold"
          />
          <Fact label={t('transfers.confirm.when')}>
            {t(isHeld ? 'transfers.confirm.afterReview' : 'transfers.confirm.atOnce')}
          </Fact>
          <MoneyFact label={t('transfers.confirm.after')} amount={check.remaining_after} unit="USDT" />
        </Facts>
        {asset === 'AMC' && <PriceNote named asset="AMC" className="self-start" />}
        {isHeld && (
          <Notice tone="warn" title={t('transfers.confirm.audit')}>
            {check.reasons.map((reason) => (
              <p key={reason}>{t(`transfers.reason.${reason}`)}</p>
            ))}
          </Notice>
        )}
        {check.needs_signature && <p className="text-14 text-muted">{t('wallet.signHint')}</p>}
        {receiver.looks_like !== null && (
          <>
            <LookAlikeWarning receiver={receiver} />
            <Switch label={t('receiver.compared')} checked={compared} onChange={setCompared} />
          </>
        )}
        <p className="text-12 text-muted">{t('transfers.confirm.final')}</p>
        <SheetDock>
          <Button moves="transfers" block busy={isBusy} disabled={!compared} onClick={onConfirm}>
            {t('transfers.submitAmount', { amount: `${formatExact(amount)} ${asset}` })}
          </Button>
        </SheetDock>
      </div>
    </Sheet>
  )
}

function End({ title, name, address }: { title: string; name: string | null; address: string }) {
  return (
    <Card className="bg-sunken">
      <p className="text-12 text-muted">{title}</p>
      {name !== null && <p className="text-16 font-semibold">{name}</p>}
      <Address value={address} form="full" copy={false} className="text-14" />
    </Card>
  )
}
