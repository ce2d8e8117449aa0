import type { Receiver } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Fact, Facts, Icon, Money, Sheet, Switch } from '../../../ui/index.ts'
import { LookAlikeWarning } from '../../../wallet/receiver/receiver-field.tsx'
import type { TransferRequest } from '../transfer-draft.ts'

export interface ConfirmSheetProps {
  request: TransferRequest
  receiver: Receiver
  ownAddress: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Both ends in full, amount, fee and what arrives; then the one confirmation. */
export function ConfirmSheet({
  request,
  receiver,
  ownAddress,
  isBusy,
  onConfirm,
  onClose,
}: ConfirmSheetProps) {
  const { t } = useTranslation()
  const [compared, setCompared] = useState(receiver.looks_like === null)
  const { amount, asset } = request
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
          <Fact label={t('transfers.confirm.amount')}>
            <Money amount={amount} unit={asset} exact />
          </Fact>
          <Fact label={t('transfers.confirm.fee')}>{t('transfers.confirm.noFee')}</Fact>
          <Fact label={t('transfers.confirm.arrives')}>
            <Money amount={amount} unit={asset} exact className="text-20 font-semibold" />
          </Fact>
          <Fact label={t('transfers.confirm.when')}>{t('transfers.confirm.atOnce')}</Fact>
        </Facts>
        {receiver.looks_like !== null && (
          <>
            <LookAlikeWarning receiver={receiver} />
            <Switch label={t('receiver.compared')} checked={compared} onChange={setCompared} />
          </>
        )}
        <p className="text-12 text-muted">{t('transfers.confirm.final')}</p>
        <Button block busy={isBusy} disabled={!compared} onClick={onConfirm}>
          {t('transfers.confirm.submit')}
        </Button>
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
