import type { Transfer } from '@rif/api-schema'
import {
  LONG_TOAST_MS,
  PageLink,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  buttonClass,
  Fact,
  Facts,
  LongFact,
  Money,
  Notice,
  Sheet,
  SheetDock,
  TimeFact,
} from '../../../ui/index.ts'
import { NoteLine } from '../../../wallet/receiver/names.tsx'
import { TransferState } from './transfer-row.tsx'

/** One transfer in full, with a button to send to the same member again. */
export function TransferSheet({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { t } = useTranslation()
  const { direction, counterpart, label, amount, asset, created_at, transfer_id, status } = transfer
  return (
    <Sheet open onClose={onClose} title={t(`transfers.list.${direction}`)}>
      <div className="flex flex-col gap-5 pt-2">
        <Money amount={amount} unit={asset} exact className="text-28 font-semibold" />
        {status === 'Auditing' && (
          <Notice tone="warn" title={t('transfers.status.Auditing')}>
            {t('transfers.heldHint')}
          </Notice>
        )}
        <Facts>
          {status !== 'Success' && (
            <Fact label={t('transfers.list.status')}>
              <TransferState status={status} />
            </Fact>
          )}
          {transfer.reject_reason !== null && (
            <Fact label={t('transfers.list.reason')}>{transfer.reject_reason}</Fact>
          )}
          <LongFact label={direction === 'in' ? t('transfers.confirm.from') : t('transfers.confirm.to')}>
            {label !== null && <span className="block font-semibold">{label}</span>}
            <Address value={counterpart} form="full" />
            <NoteLine whole address={counterpart} />
          </LongFact>
          <TimeFact label={t('transfers.list.time')} value={created_at} />
          <Fact label={t('transfers.list.id')}>{transfer_id}</Fact>
          <Fact label={t('transfers.confirm.fee')}>{t('transfers.confirm.noFee')}</Fact>
        </Facts>
        <SheetDock>
          {status === 'Auditing' && <CancelButton transfer={transfer} onDone={onClose} />}
          <PageLink
            to="/pages/transfer/index"
            search={{ to: counterpart }}
            className={buttonClass('secondary', true)}
          >
            {t('transfers.list.again')}
          </PageLink>
        </SheetDock>
      </div>
    </Sheet>
  )
}

/** Cancels a held transfer. */
function CancelButton({ transfer, onDone }: { transfer: Transfer; onDone: () => void }) {
  const { t } = useTranslation()
  const cancel = useApiMutation('cancelTransfer', { refresh: ['transfers', 'me', 'withdrawLimit'] })
  const ask = async () => {
    const content = t('transfers.cancelAsk')
    if (!(await showModal({ title: t('transfers.cancel'), content, confirmText: t('transfers.cancel') })))
      return
    cancel.mutate(
      { params: { transfer_id: transfer.transfer_id } },
      {
        onSuccess: () => {
          showToast(t('transfers.status.Cancelled'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          onDone()
        },
      },
    )
  }
  return (
    <Button variant="danger" moves="agreed" block busy={cancel.isPending} onClick={() => void ask()}>
      {t('transfers.cancel')}
    </Button>
  )
}
