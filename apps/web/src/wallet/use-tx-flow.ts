import type { AppConfig, FundOrder, Order, Withdrawal } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { readConfig } from '../lib/index.ts'
import { activeProvider } from './connection.ts'
import { FlowError } from './provider.ts'
import type { Allowance } from './tx-flow/allowances.ts'
import {
  type FlowKey,
  type FlowState,
  flowReducer,
  idleFlow,
  readPending,
  writePending,
} from './tx-flow/flow-state.ts'
import { fundPayable, shopPayable } from './tx-flow/payment-plan.ts'
import type { FlowDeps } from './tx-flow/send.ts'

export interface TxFlow {
  state: FlowState
  /** Starts or resumes the flow; the wallet may open. */
  start: () => void
  /** Stops waiting for a missing transaction and reads the chain again, for one that the wallet has lost. */
  forget: () => void
  isRunning: boolean
}

/** Pays an order. `order` is the data on the page: exactly its quote, payer and deadline are accepted. */
export function usePayment(order: Order): TxFlow {
  const run = useCallback(
    async (deps: FlowDeps) => (await import('./tx-flow/payment-run.ts')).runPayment(shopPayable(order), deps),
    [order],
  )
  return useTxFlow(`order:${order.order_id}`, run, ORDER_CHANGED)
}

/** Pays for fund units from the wallet, for an order that has a deadline. */
export function useFundPayment(order: FundOrder & { expires_at: string; bank: string }): TxFlow {
  const run = useCallback(
    async (deps: FlowDeps) => (await import('./tx-flow/payment-run.ts')).runPayment(fundPayable(order), deps),
    [order],
  )
  return useTxFlow(`fund:${order.order_id}`, run, FUND_CHANGED)
}

const ORDER_CHANGED = ['order', 'orders', 'me', 'products'] as const
const FUND_CHANGED = ['fundOrder', 'fundOrders', 'fundHoldings', 'fundRecords'] as const

/** Claims an approved withdrawal. */
export function useClaim(withdrawal: Withdrawal): TxFlow {
  const run = useCallback(
    async (deps: FlowDeps) =>
      (await import('./tx-flow/claim-run.ts')).runClaims(
        `withdrawal:${withdrawal.withdraw_id}`,
        [withdrawal],
        deps,
      ),
    [withdrawal],
  )
  return useTxFlow(`withdrawal:${withdrawal.withdraw_id}`, run, CLAIMED)
}

/** Claims several approved withdrawals in one transaction. */
export function useClaims(withdrawals: readonly Withdrawal[]): TxFlow {
  const run = useCallback(
    async (deps: FlowDeps) =>
      (await import('./tx-flow/claim-run.ts')).runClaims('claims:all', withdrawals, deps),
    [withdrawals],
  )
  return useTxFlow('claims:all', run, CLAIMED)
}

const CLAIMED = ['withdrawal', 'withdrawals', 'me'] as const

/** Revokes a contract's allowance of a token. */
export function useRevoke({ token, spenderAddress }: Pick<Allowance, 'token' | 'spenderAddress'>): TxFlow {
  const run = useCallback(
    async (deps: FlowDeps) =>
      (await import('./tx-flow/allowances.ts')).runRevoke({ token, spenderAddress }, deps),
    [token, spenderAddress],
  )
  return useTxFlow(`approval:${token} ${spenderAddress}`, run, REVOKED)
}

const REVOKED = ['allowances'] as const

/**
 * Starts a flow once its page is shown, if `isWanted` says so then. A timer starts it, because StrictMode ends the effects of a
 * new page once and runs them again, which would abort what the first run started.
 */
export function useStartOnArrival(flow: TxFlow, isWanted: () => boolean) {
  const begin = useEffectEvent(() => {
    if (isWanted() && !flow.isRunning) flow.start()
  })
  useEffect(() => {
    const timer = setTimeout(begin)
    return () => clearTimeout(timer)
  }, [])
}

const RUNNING: readonly FlowState['phase'][] = ['checking', 'asking', 'mining', 'pausing', 'verifying']

function useTxFlow(key: FlowKey, run: (deps: FlowDeps) => Promise<void>, refresh: readonly string[]): TxFlow {
  const client = useQueryClient()
  // Busy from the start when a transaction is tracked, so that a quick tap is not lost.
  const [state, dispatch] = useReducer(flowReducer, idleFlow, (idle) =>
    readPending(key) === null ? idle : { ...idle, phase: 'checking' as const },
  )
  const current = useRef<AbortController | null>(null)
  const latest = useRef(run)
  latest.current = run

  const begin = useCallback(
    async (mayAsk: boolean) => {
      current.current?.abort()
      const controller = new AbortController()
      current.current = controller
      const { signal } = controller
      try {
        const config: AppConfig = await readConfig(client)
        const provider = await activeProvider(config)
        const send: FlowDeps['dispatch'] = (event) => !signal.aborted && dispatch(event)
        await latest.current({ config, provider, signal, mayAsk, dispatch: send })
      } catch (error) {
        if (signal.aborted) return
        const { problem, detail } = error instanceof FlowError ? error : new FlowError('offline')
        dispatch({ type: 'stopped', problem, detail })
      }
      for (const name of refresh) void client.invalidateQueries({ queryKey: [name] })
    },
    [client, refresh],
  )

  const begun = useRef(begin)
  begun.current = begin
  // A transaction that was pending before a reload is tracked; the wallet is not opened for it.
  useEffect(() => {
    if (readPending(key) !== null) void begun.current(false)
    return () => current.current?.abort()
  }, [key])

  return {
    state,
    start: () => void begin(true),
    forget: () => {
      writePending(key, null)
      void begin(false)
    },
    isRunning: RUNNING.includes(state.phase),
  }
}
