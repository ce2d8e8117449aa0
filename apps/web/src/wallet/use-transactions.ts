import type { Transaction } from '@rif/api-schema'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'
import { useStore } from '../lib/store.ts'
import { reportUnreported, sentStore } from './tx-flow/report.ts'

/** Whether a transaction can still change. */
export const isUnderWay = ({ state }: Pick<Transaction, 'state'>) =>
  state === 'pending' || state === 'confirming'

const FOLLOW_MS = 3000

/** Quiet: the transactions stand beside every page, which has its own words for a lost connection. */
const transactionsQuery = queryOptions({
  queryKey: ['transactions', {}],
  queryFn: async ({ signal }) => {
    await reportUnreported()
    return call('transactions', {}, { signal, quiet: true })
  },
  refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? FOLLOW_MS : false),
})

/** What a transaction changes when it is done. */
const CHANGED = [
  ...['me', 'order', 'orders', 'withdrawal', 'withdrawals', 'withdrawLimit', 'allowances'],
  ...['fundOrder', 'fundOrders', 'fundHoldings'],
]

/** The member's transactions of the last day, from every device, followed as long as one is under way. */
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
