import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showModal, showToast, useAppConfig, useSession, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Fact, Facts, Icon, Sheet } from '../../../ui/index.ts'
import type { BankSwitch } from '../../../wallet/admin-calls.ts'
import { FlowError, problemText, walletProblem } from '../../../wallet/provider.ts'

export interface BankSheetProps {
  what: BankSwitch
  signer: string
  onClose: () => void
}

/** What the transaction will do in plain words, then the wallet. */
export function BankSheet({ what, signer, onClose }: BankSheetProps) {
  const { t } = useTranslation()
  const config = useAppConfig()
  const client = useQueryClient()
  const { tokenAddress } = useSession()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (config === undefined) return
    setBusy(true)
    try {
      const { callBank } = await import('../../../wallet/admin-calls.ts')
      const isDone = await callBank(config, what, signer)
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
    <Sheet open onClose={onClose} title={t(`admin.emergency.call.${what}`)}>
      <div className="flex flex-col gap-4">
        <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
          <h3 className="text-14 font-semibold">{t('preview.title')}</h3>
          <p className="text-14">{t(`admin.emergency.does.${what}`)}</p>
          <Facts>
            <Fact label={t('preview.leaves')}>{t('preview.nothing')}</Fact>
            <Fact label={t('admin.emergency.from')}>
              <Address value={tokenAddress} copy={false} />
            </Fact>
            {(what === 'dismissClaimSigner' || what === 'appointClaimSigner') && (
              <Fact label={t('admin.emergency.signer')}>
                <Address value={signer} copy={false} />
              </Fact>
            )}
            <Fact label={t('preview.contract')}>
              <span className="flex flex-col items-end">
                <span className="inline-flex items-center gap-1 font-medium text-good">
                  <Icon name="check" size={16} />
                  {t('preview.contract_bank')}
                </span>
                {config !== undefined && <Address value={config.contracts.bank} copy={false} />}
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
