import type { AppConfig, Withdrawal } from '@rif/api-schema'
import { formatMicros, fromChainUnits, parseMicros } from '@rif/rules'
import type { Hex } from 'viem'
import { kept } from '../../lib/index.ts'
import { FlowError, type FlowProblem, sameAddress } from '../provider.ts'

type Contract = keyof AppConfig['contracts']

/** An amount on the wire and its asset. */
export interface Sum {
  amount: string
  unit: 'USDT' | 'AMC'
}

/** The effect of one signature, from the checked calldata; shown while the wallet is open, for comparison. */
export interface Preview {
  /** The sums that leave the wallet. */
  leaves: readonly Sum[]
  /** The sums that `to` may take from the wallet afterwards; they replace earlier allowances. */
  allows: readonly Sum[]
  /** The sums that the wallet at `to` receives. */
  arrives: readonly Sum[]
  buys: string | null
  /** The receiver or spender. */
  to: string
  /** The contract that is called; its address is the config's. */
  contract: { name: Contract; address: string }
  /** A signature alone costs nothing; a transaction costs the network's fee. */
  isTransaction: boolean
}

const NOTHING = { leaves: [], allows: [], arrives: [], buys: null, isTransaction: true } as const

/**
 * Returns the config of a flow with a bank: the one in its order or voucher, which must be among the
 * product's banks. Throws `mismatch`.
 */
export function withBank(config: AppConfig, bank: string): AppConfig {
  const isListed = config.banks.some(({ address }) => sameAddress(address, bank))
  if (!isListed) throw new FlowError('mismatch', 'bank')
  return { ...config, contracts: { ...config.contracts, bank } }
}

/** A contract that could take a member's tokens; a bank that has handed over keeps earlier allowances. */
export type Spender = 'bank' | 'formerBank' | 'transfer'

/** Returns every contract of the product that could take tokens: the newest bank, the transfer contract, then the other banks. */
export function spendersOf({ contracts, banks }: Pick<AppConfig, 'contracts' | 'banks'>) {
  const others = banks.filter(({ address }) => !sameAddress(address, contracts.bank))
  return [
    { spender: 'bank' as Spender, spenderAddress: contracts.bank },
    { spender: 'transfer' as Spender, spenderAddress: contracts.transfer },
    ...others.map(({ address, state }) => ({
      // An open one takes orders until it hands over.
      spender: (state === 'handed_over' ? 'formerBank' : 'bank') as Spender,
      spenderAddress: address,
    })),
  ]
}

/** A token's amount in the contract's units as it is shown. */
export function sumOf(value: bigint, unit: 'USDT' | 'AMC', config: AppConfig): Sum {
  return { amount: formatMicros(fromChainUnits(value, config.decimals[unit]).micros), unit }
}

/** An approval: `spender` may take exactly `value` of the token, by a transaction or, for AMC, by a signature. */
export function approvalPreview(
  config: AppConfig,
  token: 'usdt' | 'amc',
  spender: string,
  value: bigint,
  isTransaction = true,
): Preview {
  const unit = token === 'usdt' ? 'USDT' : 'AMC'
  const contract = { name: token, address: config.contracts[token] }
  return { ...NOTHING, allows: [sumOf(value, unit, config)], to: spender, contract, isTransaction }
}

/** A payment to the bank. */
export function paymentPreview(
  config: AppConfig,
  { usdt, amc, buys }: { usdt: bigint; amc: bigint; buys: string },
): Preview {
  const leaves = [sumOf(usdt, 'USDT', config), ...(amc > 0n ? [sumOf(amc, 'AMC', config)] : [])]
  const { bank } = config.contracts
  return { ...NOTHING, leaves, buys, to: bank, contract: { name: 'bank', address: bank } }
}

/** Returns the previews of claims: the bank's total payment to each receiver. */
export function claimPreviews(
  config: AppConfig,
  claims: readonly Pick<Withdrawal, 'address' | 'asset' | 'receives'>[],
): Preview[] {
  const contract = { name: 'bank', address: config.contracts.bank } as const
  const receivers = [...new Set(claims.map(({ address }) => address))]
  return receivers.map((to) => {
    const own = claims.filter(({ address }) => address === to)
    return { ...NOTHING, arrives: sumsOf(own), to, contract }
  })
}

/** Adds up the payouts of withdrawals, by asset. */
export function sumsOf(claims: readonly Pick<Withdrawal, 'asset' | 'receives'>[]): Sum[] {
  const units = [...new Set(claims.map(({ asset }) => asset))]
  return units.map((unit) => {
    const of = claims.filter(({ asset }) => asset === unit)
    return { amount: formatMicros(of.reduce((sum, claim) => sum + parseMicros(claim.receives), 0n)), unit }
  })
}

/**
 * The requests to the wallet. `permitAmc` is a signature, `batch` combines all steps (EIP-5792), the others
 * are transactions.
 */
export type StepId =
  | 'approveAmc'
  | 'permitAmc'
  | 'approveUsdt'
  | 'pay'
  | 'batch'
  | 'claim'
  | 'revokeUsdt'
  | 'revokeAmc'

/**
 * The state of a payment or claim. idle: not started. checking: reads order and chain. asking: the wallet is
 * open. mining: a transaction is pending. pausing: after an approval. verifying: waits until the server has
 * recorded the event. done: it has. stopped: by `problem`; a restart resumes it.
 */
export type Phase = 'idle' | 'checking' | 'asking' | 'mining' | 'pausing' | 'verifying' | 'done' | 'stopped'

export interface FlowState {
  phase: Phase
  /** The steps of the chosen method, in order. */
  steps: readonly StepId[]
  finished: readonly StepId[]
  current: StepId | null
  hash: string | null
  /** The previews of the open request, one for each call; empty without a request. */
  previews: readonly Preview[]
  problem: FlowProblem | null
  /** Details of the problem: the difference, or the missing asset. */
  detail: string | null
}

export type FlowEvent =
  | { type: 'started' }
  | { type: 'planned'; steps: readonly StepId[]; finished: readonly StepId[] }
  | { type: 'asked'; step: StepId; previews: readonly Preview[] }
  | { type: 'sent'; step: StepId; hash: string | null }
  | { type: 'finished'; step: StepId }
  | { type: 'verifying' }
  | { type: 'done' }
  | { type: 'waits' }
  | { type: 'stopped'; problem: FlowProblem; detail: string | null }

export const idleFlow: FlowState = {
  phase: 'idle',
  steps: [],
  finished: [],
  current: null,
  hash: null,
  previews: [],
  problem: null,
  detail: null,
}

/** Computes the progress of the steps as a pure function of the events. A flow that is done stays done. */
export function flowReducer(state: FlowState, event: FlowEvent): FlowState {
  if (state.phase === 'done') return state
  switch (event.type) {
    case 'started':
      return { ...state, phase: 'checking', problem: null, detail: null }
    case 'planned':
      return {
        ...state,
        phase: 'checking',
        steps: event.steps,
        finished: event.finished,
        current: null,
        hash: null,
      }
    case 'asked':
      return { ...state, phase: 'asking', current: event.step, hash: null, previews: event.previews }
    case 'sent':
      return {
        ...state,
        phase: 'mining',
        current: event.step,
        hash: event.hash,
        steps: withStep(state.steps, event.step),
      }
    case 'finished':
      return { ...state, phase: 'pausing', current: null, finished: withStep(state.finished, event.step) }
    case 'verifying':
      return { ...state, phase: 'verifying', current: null, finished: state.steps }
    case 'done':
      return { ...state, phase: 'done', current: null, finished: state.steps }
    case 'waits':
      return { ...state, phase: 'idle', current: null }
    case 'stopped':
      return { ...state, phase: 'stopped', problem: event.problem, detail: event.detail }
  }
}

const withStep = (steps: readonly StepId[], step: StepId) => (steps.includes(step) ? steps : [...steps, step])

/**
 * A transaction that was sent and whose result this browser has not seen; it is stored, so that a reload
 * tracks it further.
 */
export interface PendingTx {
  step: StepId
  from: Hex
  hash: Hex | null
  /**
   * Distinguishes a replacement from a wait. Assumed at sending, known when the chain has shown the
   * transaction.
   */
  nonce: number
  /** Instead of a hash: the id of a batch (EIP-5792). */
  callsId: string | null
}

/** The owner of a pending transaction. */
export type FlowKey =
  | `order:${string}`
  | `fund:${string}`
  | `withdrawal:${string}`
  | `approval:${string}`
  | 'claims:all'

const storageKey = (key: FlowKey) => `pending_tx:${key}`

/** The pending transaction of an order, a purchase of the fund or a withdrawal, or null. */
export function readPending(key: FlowKey): PendingTx | null {
  try {
    const value = JSON.parse(kept.get(storageKey(key)) ?? 'null')
    return typeof value?.step === 'string' && typeof value.from === 'string' ? value : null
  } catch {
    return null
  }
}

/** Stores a pending transaction; null deletes it. */
export function writePending(key: FlowKey, pending: PendingTx | null) {
  kept.set(storageKey(key), pending === null ? null : JSON.stringify(pending))
}
