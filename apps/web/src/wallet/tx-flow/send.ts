import type { AppConfig } from '@rif/api-schema'
import { type Address, BaseError, type Hex, type PublicClient } from 'viem'
import { getCallsStatus, sendCalls } from 'viem/actions'
import { ApiError, TransportError } from '../../lib/index.ts'
import {
  chainIdHex,
  ensureChain,
  FlowError,
  type FlowProblem,
  firstAccount,
  RPC,
  sameAddress,
  type WalletProvider,
  walletProblem,
  wrongAccount,
} from '../provider.ts'
import { createChainClient } from './chain-reads.ts'
import type { Call } from './decode.ts'
import {
  type FlowEvent,
  type FlowKey,
  type PendingTx,
  type Preview,
  readPending,
  type StepId,
  writePending,
} from './flow-state.ts'
import { followTx, pause, type TxOutcome } from './follow.ts'
import { reportSent } from './report.ts'

const POLL_MS = 1000

/**
 * Passes all calls to the wallet as one atomic batch (EIP-5792) and returns its id. Throws the wallet's own
 * error.
 */
export async function sendBatch({ client, account }: FlowRun, calls: readonly Call[]): Promise<string> {
  try {
    return (await sendCalls(client, { account, calls, forceAtomic: true })).id
  } catch (error) {
    throw error instanceof BaseError ? error.walk() : error
  }
}

/**
 * Reports whether a batch failed only because the wallet does not support batches; the steps are then sent
 * one by one.
 */
export function isBatchUnsupported(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return (
    walletProblem(error) === 'unsupported' ||
    code === RPC.upgradeRejected ||
    (typeof code === 'number' && code >= 5700 && code < 5770)
  )
}

/** Tracks a batch until its end. */
async function followBatch({ client, signal }: FlowRun, id: string): Promise<TxOutcome> {
  for (;;) {
    const { status } = await getCallsStatus(client, { id })
    if (status === 'success') return 'mined'
    if (status === 'failure') return 'reverted'
    await pause(POLL_MS, signal)
  }
}

/** The dependencies of a flow's run. */
export interface FlowDeps {
  config: AppConfig
  provider: WalletProvider
  dispatch: (event: FlowEvent) => void
  signal: AbortSignal
  /**
   * False after a reload: pending transactions are tracked, but the wallet is opened only after the member's
   * action.
   */
  mayAsk: boolean
}

/** A run of a flow: the payer, the wallet, and the key of the pending transaction. */
export interface FlowRun extends FlowDeps {
  key: FlowKey
  client: PublicClient
  account: Address
}

/**
 * Checks and switches wallet and account. Returns null when that requires the wallet and it may not be
 * opened.
 */
export async function beginRun(key: FlowKey, deps: FlowDeps): Promise<FlowRun | null> {
  deps.dispatch({ type: 'started' })
  const { provider, config } = deps
  if (deps.mayAsk) await ensureChain(provider, config.chain)
  else if (Number(await provider.request({ method: 'eth_chainId' })) !== config.chain.id) return null
  const account = await firstAccount(provider, { ask: deps.mayAsk })
  if (account === null) {
    if (deps.mayAsk) throw new FlowError('locked')
    return null
  }
  return { ...deps, key, client: createChainClient(provider, config), account: account as Address }
}

/** A checked call, and its effect in plain words; with several previews for several effects. */
export interface PreparedCall {
  call: Call
  previews: readonly Preview[]
}

/** The time for which a preview is visible before the wallet covers it. */
const READ_MS = 600

/**
 * Shows the next request before the wallet opens. Throws `wrongAccount` when the member has chosen another
 * account in the wallet since the last step, of which not every wallet tells the page.
 */
export async function showPreviews(run: FlowRun, step: StepId, previews: readonly Preview[]) {
  run.dispatch({ type: 'asked', step, previews })
  await pause(READ_MS, run.signal)
  const chosen = await firstAccount(run.provider, { ask: false })
  if (chosen !== null && !sameAddress(chosen, run.account)) throw wrongAccount(run.account, chosen)
}

/**
 * Shows the effect of a call, sends it with the wallet, stores it as pending, reports it to the server, and
 * tracks it until its end.
 */
export async function sendCall(
  run: FlowRun,
  step: StepId,
  { call, previews }: PreparedCall,
): Promise<TxOutcome> {
  await showPreviews(run, step, previews)
  // The member may have changed the chain in the wallet since the last step.
  await ensureChain(run.provider, run.config.chain)
  const nonce = await run.client.getTransactionCount({ address: run.account, blockTag: 'pending' })
  const hash = (await run.provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: run.account, ...call, value: '0x0', chainId: chainIdHex(run.config.chain.id) }],
  })) as Hex
  const pending = { step, from: run.account, hash, nonce, callsId: null }
  writePending(run.key, pending)
  void reportSent(run.key, pending)
  return settle(run, pending)
}

/** Tracks the pending transaction of this run's key until its end, if there is one. */
export async function settlePending(run: FlowRun): Promise<{ step: StepId; outcome: TxOutcome } | null> {
  const pending = readPending(run.key)
  return pending === null ? null : { step: pending.step, outcome: await settle(run, pending) }
}

/** Tracks a pending transaction or batch and deletes it when its result is known. */
export async function settle(run: FlowRun, pending: PendingTx): Promise<TxOutcome> {
  const { step, hash, callsId } = pending
  run.dispatch({ type: 'sent', step, hash })
  const outcome = await outcomeOf(run, pending, hash, callsId)
  writePending(run.key, null)
  return outcome
}

async function outcomeOf(
  run: FlowRun,
  pending: PendingTx,
  hash: Hex | null,
  callsId: string | null,
): Promise<TxOutcome> {
  if (callsId !== null) return followBatch(run, callsId)
  if (hash === null) return 'replaced'
  const onNonce = (nonce: number) => writePending(run.key, { ...pending, nonce })
  return followTx(run.client, { ...pending, hash }, { signal: run.signal, onNonce })
}

/** Simulates a call in the node, so that a revert is reported before the wallet opens. */
export const rehearse = (run: FlowRun, call: Call) =>
  run.client.estimateGas({ account: run.account, to: call.to, data: call.data })

/**
 * Runs a flow and converts any error into one problem. -32603 without a cause becomes not-enough-tokens if
 * the balances show that, or else a failed transfer.
 */
export async function guardFlow(deps: FlowDeps, body: () => Promise<void>, isShort: () => Promise<boolean>) {
  try {
    await body()
  } catch (error) {
    if (deps.signal.aborted) return
    const problem = problemOf(error)
    const shownProblem =
      problem === 'internal'
        ? (await isShort().catch(() => false))
          ? 'notEnoughTokens'
          : 'transferFailed'
        : problem
    deps.dispatch({ type: 'stopped', problem: shownProblem, detail: detailOf(error) })
  }
}

function problemOf(error: unknown): FlowProblem {
  if (error instanceof FlowError) return error.problem
  if (error instanceof TransportError) return 'offline'
  if (error instanceof ApiError) {
    if (error.error === 'ORDER_BANK_CLOSED') return 'bankClosed'
    return error.error === 'ORDER_EXPIRED' ? 'expired' : 'failed'
  }
  return walletProblem(error)
}

function detailOf(error: unknown): string | null {
  if (error instanceof FlowError) return error.detail
  return error instanceof ApiError ? error.message : null
}
