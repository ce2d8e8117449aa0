import type { OrderStatus } from '@rif/api-schema'
import type { FlowProblem } from '../errors.ts'
import type { StepId } from './flow-state.ts'

/** How a wallet can pay: all in one batch (EIP-5792), with a signature for AMC (EIP-2612), or step by step. */
export type Method = 'batch' | 'permit' | 'plain'

export interface TokenFacts {
  needed: bigint
  allowance: bigint
  balance: bigint
}

/** What order and chain say, read anew before every step: so a reload or another device goes on where it was. */
export interface PaymentFacts {
  status: OrderStatus
  expired: boolean
  /** The bank has this order's payment already. */
  paidOnChain: boolean
  usdt: TokenFacts
  amc: TokenFacts
  method: Method
  /** A permit signed in this visit and still unused. */
  hasPermit: boolean
  nativeBalance: bigint
}

export type PaymentAction =
  | { do: StepId }
  | { do: 'verify' }
  | { do: 'finish' }
  | { do: 'stop'; problem: FlowProblem; asset?: 'USDT' | 'AMC' }

/** The next thing to do for a payment. Balances are looked at before anything is asked of the wallet. */
export function nextPaymentAction(facts: PaymentFacts): PaymentAction {
  const { status, usdt, amc } = facts
  if (status === 'Paid' || status === 'Processing') return { do: 'finish' }
  if (facts.paidOnChain) return { do: 'verify' }
  if (status === 'Cancelled') return { do: 'stop', problem: 'closed' }
  if (facts.expired) return { do: 'stop', problem: 'expired' }
  if (usdt.balance < usdt.needed) return { do: 'stop', problem: 'notEnoughTokens', asset: 'USDT' }
  if (amc.balance < amc.needed) return { do: 'stop', problem: 'notEnoughTokens', asset: 'AMC' }
  // A smart account that does batches may have its fees paid by somebody else.
  if (facts.nativeBalance === 0n && facts.method !== 'batch')
    return { do: 'stop', problem: 'notEnoughForFee' }
  if (facts.method === 'batch') return { do: 'batch' }
  if (amc.allowance < amc.needed && !facts.hasPermit)
    return { do: facts.method === 'permit' ? 'permitAmc' : 'approveAmc' }
  if (usdt.allowance < usdt.needed) return { do: 'approveUsdt' }
  return { do: 'pay' }
}

/** The steps of the way that the facts choose, and those of them that are behind. */
export function planPayment(facts: PaymentFacts): { steps: StepId[]; finished: StepId[] } {
  if (facts.method === 'batch') return { steps: ['batch'], finished: [] }
  const amcStep: StepId =
    facts.method === 'permit' && (facts.hasPermit || facts.amc.allowance < facts.amc.needed)
      ? 'permitAmc'
      : 'approveAmc'
  const finished: StepId[] = []
  // Fund units are paid in USDT alone.
  if (facts.amc.needed === 0n) {
    if (facts.usdt.allowance >= facts.usdt.needed) finished.push('approveUsdt')
    return { steps: ['approveUsdt', 'pay'], finished }
  }
  if (facts.hasPermit || facts.amc.allowance >= facts.amc.needed) finished.push(amcStep)
  if (facts.usdt.allowance >= facts.usdt.needed) finished.push('approveUsdt')
  return { steps: [amcStep, 'approveUsdt', 'pay'], finished }
}
