import type { Transaction, TransactionState } from '@rif/api-schema'
import { useTranslation } from '../lib/i18n.ts'
import { PageLink } from '../lib/page-link.tsx'
import { Pill, type Tone } from '../ui/pill.tsx'
import { Time } from '../ui/time.tsx'
import { TxHash } from './tx-hash.tsx'

const TONES: Record<TransactionState, Tone> = {
  pending: 'warn',
  confirming: 'info',
  done: 'good',
  failed: 'bad',
  replaced: 'neutral',
}

/** Transactions with what each is for, where it stands, its hash, and the way to its order or withdrawal. */
export function TransactionList({ items }: { items: readonly Transaction[] }) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('transactions.title')} className="flex flex-col divide-y divide-line">
      {items.map((item) => (
        <li key={item.tx_hash} className="flex flex-col gap-1 py-3 first:pt-0">
          <div className="flex items-start justify-between gap-3">
            <span className="text-16 font-medium">{t(`transactions.kind.${item.kind}`)}</span>
            <Pill tone={TONES[item.state]}>{t(`transactions.state.${item.state}`)}</Pill>
          </div>
          <span className="flex flex-wrap justify-between gap-x-3 text-14 text-muted">
            <Time value={item.sent_at} />
            {item.state === 'confirming' &&
              t('transactions.confirmations', {
                count: Math.min(item.confirmations, item.confirmations_needed),
                needed: item.confirmations_needed,
              })}
          </span>
          <span className="text-14">
            <TxHash value={item.tx_hash} />
          </span>
          <Subject item={item} />
        </li>
      ))}
    </ul>
  )
}

const linkClass = 'inline-flex min-h-11 items-center self-start text-14 font-semibold text-accent'

function Subject({ item: { kind, subject_id, tx_hash } }: { item: Transaction }) {
  const { t } = useTranslation()
  if (kind === 'send') {
    return (
      <PageLink to="/pages/localWallet/result" search={{ tx_hash }} className={linkClass}>
        {t('transactions.toSend')}
      </PageLink>
    )
  }
  if (subject_id === null) return null
  if (kind === 'claim') {
    return (
      <PageLink to="/pages/withdrawal/detail" search={{ withdraw_id: subject_id }} className={linkClass}>
        {t('transactions.toWithdrawal')}
      </PageLink>
    )
  }
  if (kind === 'payFund' || kind === 'approveFund') {
    return (
      <PageLink to="/pages/found/newOrderDetail" search={{ order_id: subject_id }} className={linkClass}>
        {t('transactions.toOrder')}
      </PageLink>
    )
  }
  return (
    <PageLink to="/pages/shop/shopOrderDetail" search={{ order_id: subject_id }} className={linkClass}>
      {t('transactions.toOrder')}
    </PageLink>
  )
}
