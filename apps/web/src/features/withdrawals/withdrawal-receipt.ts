import type { Withdrawal } from '@rif/api-schema'
import { formatExact, formatTimeExact, type Translate } from '../../lib/index.ts'
import type { ReceiptLine } from '../../ui/index.ts'

/** A withdrawal that has arrived in words, every labelled field of it. Specification section 3. */
export function withdrawalReceipt(withdrawal: Withdrawal, t: Translate): ReceiptLine[] {
  const money = (amount: string) => `${formatExact(amount)} ${withdrawal.asset}`
  const time = (value: string | null) => (value === null ? '–' : (formatTimeExact(value) ?? value))
  return [
    [t('withdrawals.detail.id'), withdrawal.withdraw_id],
    [t('withdrawals.detail.chainId'), withdrawal.chain_withdrawal_id],
    [t('withdrawals.detail.type'), t('withdrawals.detail.typeWallet')],
    [t('withdrawals.detail.status'), t(`withdrawals.status.${withdrawal.status}`)],
    [t('withdrawals.detail.address'), withdrawal.address],
    [t('withdrawals.detail.amount'), money(withdrawal.amount)],
    [t('withdrawals.detail.fee'), money(withdrawal.fee)],
    [t('withdrawals.detail.receives'), money(withdrawal.receives)],
    [t('withdrawals.detail.created'), time(withdrawal.created_at)],
    [t('withdrawals.detail.completed'), time(withdrawal.completed_at)],
    [t('withdrawals.detail.hash'), withdrawal.tx_hash ?? '–'],
  ]
}
