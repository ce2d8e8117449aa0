import type { BankCall, BankCallBody } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showModal, showToast, useAppConfig, useSession, useTranslation } from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts, Icon, Sheet } from '../../../ui/index.ts'
import { FlowError, problemText, walletProblem } from '../../../wallet/provider.ts'

interface BankSheetProps {
  what: BankCallBody
  onClose: () => void
}

/** The key of the texts about a call: those of the queue are the same for all that waits there. */
function textOf(call: BankCall) {
  switch (call) {
    case 'pauseOrders':
    case 'unpauseOrders':
    case 'dismissClaimSigner':
    case 'queueClaimSigner':
      return call
    default:
      return call.startsWith('execute') ? 'execute' : 'cancel'
  }
}

/** Explains the transaction, then opens the wallet. */
export function BankSheet({ what, onClose }: BankSheetProps) {
  const { t } = useTranslation()
  const config = useAppConfig()
  const client = useQueryClient()
  const { tokenAddress } = useSession()
  const [busy, setBusy] = useState(false)
  const text = textOf(what.call)
  const send = async () => {
    if (config === undefined) return
    setBusy(true)
    try {
      const { callBank } = await import('../../../wallet/admin-calls.ts')
      const isDone = await callBank(config, what)
      showToast(t(isDone ? 'admin.emergency.inBlock' : 'admin.emergency.sent'), { tone: 'good' })
      onClose()
    } catch (error) {
      const content = problemText(error instanceof FlowError ? error.problem : walletProblem(error))
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: ['emergency'] })
    }
  }
  return (
    <Sheet open onClose={onClose} title={t(`admin.emergency.call.${text}`)}>
      <div className="flex flex-col gap-4">
        <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
          <h3 className="text-14 font-semibold">{t('preview.title')}</h3>
          <p className="text-14">{t(`admin.emergency.does.${text}`)}</p>
          <Facts>
            <Fact label={t('preview.leaves')}>{t('preview.nothing')}</Fact>
            <AddressFact label={t('admin.emergency.from')} value={tokenAddress} copy={false} />
            {what.subject !== 'bank' && (
              <AddressFact label={t('admin.emergency.queue.subject')} value={what.subject} copy={false} />
            )}
            <Fact label={t('preview.contract')}>
              <span className="flex flex-col items-end">
                <span className="inline-flex items-center gap-1 font-medium text-good">
                  <Icon name="check" size={16} />
                  {t('preview.contract_bank')}
                </span>
                <Address value={what.bank} copy={false} />
              </span>
            </Fact>
            <Fact label={t('preview.cost')}>{t('preview.networkFee')}</Fact>
          </Facts>
          <p className="text-12 text-muted">{t('preview.compare')}</p>
        </section>
        <Button busy={busy} disabled={config === undefined} onClick={() => void send()}>
          {t('admin.emergency.send')}
        </Button>
      </div>
    </Sheet>
  )
}
