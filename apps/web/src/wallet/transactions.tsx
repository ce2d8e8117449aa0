import type { Transaction, TransactionState } from '@rif/api-schema'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { call, lookEvery, PageLink, useSession, useTranslation } from '../lib/index.ts'
import { Pill, Time, type Tone } from '../ui/index.ts'
import { TxHash } from './contract-facts.tsx'
import { reportUnreported, sentStore } from './tx-flow/report.ts'

/** Reports whether a transaction can still change. */
export const isUnderWay = ({ state }: Pick<Transaction, 'state'>) =>
  state === 'pending' || state === 'confirming'

const FOLLOW_MS = 3000

/**
 * Transactions that emit an event of the product's own contracts, which the stream of changes reports. The
 * server looks up the others on request.
 */
const TOLD: ReadonlySet<Transaction['kind']> = new Set(['pay', 'payFund', 'claim', 'send'])

/** Quiet: the transactions stand beside every page, which has its own words for a lost connection. */
const transactionsQuery = queryOptions({
  queryKey: ['transactions', {}],
  queryFn: async ({ signal }) => {
    await reportUnreported()
    return call('transactions', {}, { signal, quiet: true, patient: true })
  },
  refetchInterval: ({ state }) => {
    const open = state.data?.items.filter(isUnderWay) ?? []
    if (open.length === 0) return false
    return open.every(({ kind }) => TOLD.has(kind)) ? lookEvery(FOLLOW_MS) : FOLLOW_MS
  },
})

/** The queries that a finished transaction changes. */
const CHANGED = [
  'me',
  'order',
  'orders',
  'withdrawal',
  'withdrawals',
  'withdrawLimit',
  'allowances',
  'fundOrder',
  'fundOrders',
  'fundHoldings',
]

/** The member's transactions of the last day, from every device, refreshed while one is pending. */
export function useTransactions() {
  const client = useQueryClient()
  const { token, member } = useSession()
  const sent = useStore(sentStore)
  const query = useQuery({ ...transactionsQuery, enabled: token !== '' && member })
  useEffect(() => {
    if (sent > 0) void client.invalidateQueries({ queryKey: transactionsQuery.queryKey })
  }, [sent, client])
  const underWay = query.data?.items.filter(isUnderWay).length ?? 0
  const before = useRef(0)
  useEffect(() => {
    if (underWay < before.current)
      for (const name of CHANGED) void client.invalidateQueries({ queryKey: [name] })
    before.current = underWay
  }, [underWay, client])
  return query
}

const TONES: Record<TransactionState, Tone> = {
  pending: 'warn',
  confirming: 'info',
  done: 'good',
  failed: 'bad',
  replaced: 'neutral',
}

/** Transactions with their purpose, state and hash, and a link to their order or withdrawal. */
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
