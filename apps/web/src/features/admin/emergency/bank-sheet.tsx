import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAppConfig } from '../../../lib/app-config.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { showModal, showToast } from '../../../lib/overlays.ts'
import { useSession } from '../../../lib/session.ts'
import { Address } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import type { BankSwitch } from '../../../wallet/bank-call.ts'
import { FlowError, walletProblem } from '../../../wallet/errors.ts'
import { problemText } from '../../../wallet/problem-text.ts'

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
      const { callBank } = await import('../../../wallet/bank-call.ts')
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
