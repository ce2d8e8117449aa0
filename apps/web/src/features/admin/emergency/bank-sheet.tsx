import type { BankCall, BankCallBody } from '@rif/api-schema'
import { useAppConfig, useTranslation } from '../../../lib/index.ts'
import { AddressFact, MoneyFact } from '../../../ui/index.ts'
import { sameAddress } from '../../../wallet/provider.ts'
import { CallSheet } from './send-sheet.tsx'

/** A transaction that an operator is about to send, and what happens as soon as it is sent. */
export interface BankRequest {
  what: BankCallBody
  onSent?: (() => void) | undefined
}

export type OnAsk = (what: BankCallBody, onSent?: () => void) => void

export interface BankSheetProps extends BankRequest {
  onClose: () => void
}

/** The key of the texts about a call; those of the queue are shared by all pending changes. */
export function bankCallText(call: BankCall) {
  switch (call) {
    case 'pauseOrders':
    case 'unpauseOrders':
    case 'dismissClaimSigner':
    case 'queueClaimSigner':
    case 'queueCapRaise':
    case 'queueDestination':
    case 'removeDestination':
      return call
    default:
      return call.startsWith('execute') ? 'execute' : 'cancel'
  }
}

/** Explains the transaction, then opens the wallet. */
export function BankSheet({ what, onSent, onClose }: BankSheetProps) {
  const { t } = useTranslation()
  const text = bankCallText(what.call)
  const config = useAppConfig()
  const asset = config && (sameAddress(what.subject, config.contracts.usdt) ? 'USDT' : 'AMC')
  return (
    <CallSheet
      title={t(`admin.emergency.call.${text}`)}
      does={t(`admin.emergency.does.${text}`)}
      bank={what.bank}
      refresh={['emergency', 'exitDestinations']}
      onClose={onClose}
      onSent={onSent}
      send={async (config) => {
        const { callBank } = await import('../../../wallet/admin-calls.ts')
        return callBank(config, what)
      }}
    >
      {what.subject !== 'bank' && (
        <AddressFact label={t('admin.emergency.queue.subject')} value={what.subject} copy={false} />
      )}
      {what.cap !== undefined && asset !== undefined && (
        <MoneyFact label={t('admin.emergency.queue.cap')} amount={what.cap} unit={asset} />
      )}
    </CallSheet>
  )
}
