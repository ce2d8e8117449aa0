import { RPC } from './eip1193.ts'

/** Why a wallet or the chain did not do what was asked. */
export type WalletProblem =
  | 'rejected'
  | 'requestPending'
  | 'notEnoughTokens'
  | 'notEnoughForFee'
  | 'transferFailed'
  | 'unknownChain'
  | 'unsupported'
  | 'locked'
  /** -32603 without a word on its cause: the caller looks at the balances to tell. */
  | 'internal'
  | 'failed'

interface Findings {
  codes: number[]
  texts: string[]
}

/** Collects codes and texts of an error and of all the errors that wallets wrap inside one another. */
function gather(error: unknown, found: Findings = { codes: [], texts: [] }, depth = 0): Findings {
  if (typeof error === 'string') found.texts.push(error)
  if (typeof error !== 'object' || error === null || depth > 6) return found
  const {
    code,
    message,
    data,
    cause,
    error: inner,
    originalError,
    details,
    shortMessage,
  } = error as Record<string, unknown>
  if (typeof code === 'number') found.codes.push(code)
  for (const text of [code, message, details, shortMessage])
    if (typeof text === 'string') found.texts.push(text)
  for (const nested of [data, cause, inner, originalError]) gather(nested, found, depth + 1)
  return found
}

/** The first four bytes of `ERC20InsufficientBalance(address,uint256,uint256)` (ERC-6093). */
const INSUFFICIENT_BALANCE_SELECTOR = '0xe450d38c'

const has = (found: Findings, pattern: RegExp) => found.texts.some((text) => pattern.test(text))

/**
 * Tells why a wallet's call failed. -32603 covers everything in wallets, so its cause is looked for in what it wraps:
 * refused by the member, too few tokens, or a transfer that the contract reverts.
 */
export function walletProblem(error: unknown): WalletProblem {
  const found = gather(error)
  const code = (...codes: number[]) => codes.some((one) => found.codes.includes(one))
  if (
    code(RPC.userRejected) ||
    has(
      found,
      /ACTION_REJECTED|user (rejected|denied|cancell?ed)|rejected (by|the) (the )?user|request rejected/i,
    )
  ) {
    return 'rejected'
  }
  if (code(RPC.requestPending)) return 'requestPending'
  if (
    has(found, new RegExp(INSUFFICIENT_BALANCE_SELECTOR)) ||
    has(found, /ERC20InsufficientBalance|exceeds (the )?(account )?balance|insufficient (token )?balance/i)
  ) {
    return 'notEnoughTokens'
  }
  if (has(found, /insufficient funds|gas required exceeds allowance/i)) return 'notEnoughForFee'
  if (code(RPC.unknownChain) || has(found, /unrecognized chain|chain .*not (been )?added/i))
    return 'unknownChain'
  if (
    code(RPC.unsupportedMethod, RPC.methodNotFound, RPC.methodNotSupported) ||
    has(found, /method.*(not (supported|found|available|exist)|unsupported)/i)
  ) {
    return 'unsupported'
  }
  if (code(RPC.unauthorized)) return 'locked'
  if (code(3) || has(found, /revert|transfer failed|transaction failed/i)) return 'transferFailed'
  return code(RPC.internal) ? 'internal' : 'failed'
}

/** A problem that the transaction flow stops with, already told. */
export class FlowError extends Error {
  readonly problem: FlowProblem

  constructor(problem: FlowProblem, detail = problem as string) {
    super(detail)
    this.name = 'FlowError'
    this.problem = problem
  }
}

export type FlowProblem =
  | WalletProblem
  | 'mismatch'
  | 'wrongChain'
  | 'wrongAccount'
  | 'noWallet'
  | 'expired'
  | 'closed'
  | 'replaced'
  | 'checkLater'
  | 'offline'
