import type { ChangeKind, RouteName } from '@rif/api-schema'
import type { Query, QueryClient } from '@tanstack/react-query'
import { loadedRoutes } from './api-routes.ts'
import { MAX_REREAD_PAGES } from './queries.ts'

/**
 * The longest random delay of a read after a change that concerns all members, so that tabs do not read at
 * the same moment.
 */
const SPREAD_MS = 8_000
/** Further changes of a kind within this time of a read are combined into one read at its end. */
const TOGETHER_MS = 1_000

const ORDERS = [
  'order',
  'orders',
  'fundOrder',
  'fundOrders',
  'fundHoldings',
  'fundRedemption',
  'fundRedemptions',
]
const WITHDRAWALS = ['withdrawal', 'withdrawals', 'withdrawLimit']

/** The routes whose responses a change of each kind may concern. */
const ROUTES: Readonly<Record<Exclude<ChangeKind, 'refresh' | 'queue'>, readonly string[]>> = {
  order: [...ORDERS, 'transactions'],
  withdrawal: [...WITHDRAWALS, 'transactions'],
  transfer: ['transfers'],
  balance: [
    'me',
    'notifications',
    'activity',
    'savings',
    'fundIncome',
    'exchange',
    ...ORDERS,
    ...WITHDRAWALS,
  ],
  send: ['walletSend', 'walletHistory', 'transactions'],
  statement: ['statements', 'adminStatements'],
  notice: ['notifications', 'announcements'],
  settlement: ['me', 'notifications', 'activity', 'profitAll', 'profitType', 'profitDay', 'savings'],
  final: ['order', 'fundOrder', 'withdrawal'],
  pauses: ['pauses'],
  job: ['dryRun', 'planComparison', 'settlementRerun', 'settlementDay', 'auditRun'],
}
const FOR_ALL: readonly ChangeKind[] = ['settlement', 'pauses', 'notice']

type Which = (query: Query) => boolean

const isOf = (names: readonly string[]): Which => {
  const set = new Set<unknown>(names)
  return ({ queryKey: [name] }) => set.has(name)
}

/** Matches the queries whose change an open page waits for. */
export const isAwaited = isOf([...ROUTES.order, ...ROUTES.withdrawal, ...ROUTES.send, ...ROUTES.statement])
const isAny = isOf(Object.values(ROUTES).flat())

/** The operators' lists and figures that their pages refresh by themselves. */
const isQueue: Which = ({ queryKey: [name, list], observers }) =>
  (list === 'list' || observers.some(({ options }) => typeof options.refetchInterval === 'number')) &&
  loadedRoutes[name as RouteName]?.path.startsWith('admin/') === true

const isLong: Which = ({ state }) =>
  ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > MAX_REREAD_PAGES

function whichOf(kind: ChangeKind): Which {
  if (kind === 'refresh') return isAny
  if (kind === 'queue') return isQueue
  return isOf(ROUTES[kind] ?? [])
}

/** Creates the reader of changed data: open pages read it again at once, others when they are opened. */
export function createRereads(client: QueryClient) {
  const planned = new Map<ChangeKind, { timer: ReturnType<typeof setTimeout>; isNamed: boolean }>()

  /** Reads some responses again now, except long lists, which are refreshed when they are pulled down. */
  function read(which: Which): void {
    void client.invalidateQueries({ predicate: (query) => which(query) && !isLong(query) })
  }

  return {
    read,

    /**
     * Reads the data that a change of a kind concerns: immediately, at most once a second; data of all
     * members at a random moment soon.
     */
    take(kind: ChangeKind): void {
      const before = planned.get(kind)
      if (before !== undefined) {
        before.isNamed = true
        return
      }
      const isForAll = kind === 'refresh' || FOR_ALL.includes(kind)
      if (!isForAll) read(whichOf(kind))
      const end = () => {
        const { isNamed } = planned.get(kind)!
        planned.delete(kind)
        if (isForAll) read(whichOf(kind))
        else if (isNamed) this.take(kind)
      }
      const timer = setTimeout(end, isForAll ? Math.random() * SPREAD_MS : TOGETHER_MS)
      planned.set(kind, { timer, isNamed: false })
    },

    /** Cancels the planned reads, because another member signs in. */
    clear(): void {
      for (const { timer } of planned.values()) clearTimeout(timer)
      planned.clear()
    },
  }
}
