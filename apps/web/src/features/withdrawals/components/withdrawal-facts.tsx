import type { Withdrawal } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Fact, Facts, Money, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'

/** Every labelled field of a withdrawal. Specification section 3. */
export function WithdrawalFacts({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { asset } = withdrawal
  const orNone = (content: ReactNode) =>
    content ?? <span className="text-muted">{t('withdrawals.detail.none')}</span>
  const time = (value: string | null) => orNone(value !== null ? <Time value={value} /> : null)
  return (
    <Facts>
      <Fact label={t('withdrawals.detail.id')}>
        <Address value={withdrawal.withdraw_id} form="full" />
      </Fact>
      <Fact label={t('withdrawals.detail.chainId')}>
        <Address value={withdrawal.chain_withdrawal_id} />
      </Fact>
      <Fact label={t('withdrawals.detail.type')}>{t('withdrawals.detail.typeWallet')}</Fact>
      <Fact label={t('withdrawals.detail.status')}>{t(`withdrawals.status.${withdrawal.status}`)}</Fact>
      <Fact label={t('withdrawals.detail.address')}>
        <Address value={withdrawal.address} />
      </Fact>
      <Fact label={t('withdrawals.detail.amount')}>
        <Money amount={withdrawal.amount} unit={asset} exact />
      </Fact>
      <Fact label={t('withdrawals.detail.fee')}>
        <Money amount={withdrawal.fee} unit={asset} exact />
      </Fact>
      <Fact label={t('withdrawals.detail.receives')}>
        <Money amount={withdrawal.receives} unit={asset} exact />
      </Fact>
      <Fact label={t('withdrawals.detail.worth')}>
        <Money amount={withdrawal.worth_usdt} unit="USDT" exact />
      </Fact>
      <Fact label={t('withdrawals.detail.created')}>{time(withdrawal.created_at)}</Fact>
      {withdrawal.reasons.length > 0 && (
        <Fact label={t('withdrawals.detail.reviewed')}>{time(withdrawal.reviewed_at)}</Fact>
      )}
      <Fact label={t('withdrawals.detail.completed')}>{time(withdrawal.completed_at)}</Fact>
      <Fact label={t('withdrawals.detail.hash')}>
        {orNone(withdrawal.tx_hash !== null ? <TxHash value={withdrawal.tx_hash} /> : null)}
      </Fact>
    </Facts>
  )
}
