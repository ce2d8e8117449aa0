import type { AppConfig } from '@rif/api-schema'
import { shortestAddress, t } from '../lib/index.ts'

/** The part of the config that connecting a wallet needs. */
export type WalletConfig = Pick<AppConfig, 'chain' | 'wallet_connect' | 'demo'>

/** The interface between a wallet and a page (EIP-1193). */
export interface WalletProvider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
  removeListener?(event: string, listener: (value: never) => void): unknown
  /** Ends a connection that the wallet also stores (WalletConnect). */
  disconnect?(): Promise<void>
}

/** An error with a code of EIP-1193 or EIP-1474, as wallets throw them. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** Codes that this app throws or checks. */
export const RPC = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  unknownChain: 4902,
  /** EIP-5792: the member does not want the account upgraded to one that can do batches. */
  upgradeRejected: 5750,
  methodNotFound: -32601,
  internal: -32603,
  methodNotSupported: -32004,
  requestPending: -32002,
} as const

/**
 * Returns the first account that the wallet shows this page, or null. `ask` opens the wallet when there is
 * none yet.
 */
export async function firstAccount(
  provider: WalletProvider,
  { ask }: { ask: boolean },
): Promise<string | null> {
  const accounts = await provider.request({ method: ask ? 'eth_requestAccounts' : 'eth_accounts' })
  const first = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' ? first : null
}

export const sameAddress = (a: string | null, b: string | null) =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/** The reasons why a wallet or the chain did not carry out a request. */
export type WalletProblem =
  | 'rejected'
  | 'requestPending'
  | 'notEnoughTokens'
  | 'notEnoughForFee'
  | 'notCovered'
  | 'transferFailed'
  | 'unknownChain'
  | 'unsupported'
  | 'locked'
  /** -32603 without details of its cause: the caller checks the balances. */
  | 'internal'
  | 'failed'

interface Findings {
  codes: number[]
  texts: string[]
}

/** Collects codes and texts of an error and of all the errors that wallets wrap inside one another. */
function gather(error: unknown, findings: Findings = { codes: [], texts: [] }, depth = 0): Findings {
  if (typeof error === 'string') findings.texts.push(error)
  if (typeof error !== 'object' || error === null || depth > 6) return findings
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
  if (typeof code === 'number') findings.codes.push(code)
  for (const text of [code, message, details, shortMessage])
    if (typeof text === 'string') findings.texts.push(text)
  for (const nested of [data, cause, inner, originalError]) gather(nested, findings, depth + 1)
  return findings
}

/** The first four bytes of `ERC20InsufficientBalance(address,uint256,uint256)` (ERC-6093). */
const INSUFFICIENT_BALANCE_SELECTOR = '0xe450d38c'
/** The first four bytes of the bank's `NotCovered(uint256,uint256)`. */
const NOT_COVERED_SELECTOR = '0x09d16e81'

const has = (findings: Findings, pattern: RegExp) => findings.texts.some((text) => pattern.test(text))

/**
 * Returns the reason why a wallet's call failed. Wallets use -32603 for everything, so the cause is derived
 * from the wrapped errors: refused by the member, too few tokens, or a reverted transfer.
 */
export function walletProblem(error: unknown): WalletProblem {
  const findings = gather(error)
  const code = (...codes: number[]) => codes.some((code) => findings.codes.includes(code))
  if (
    code(RPC.userRejected) ||
    has(
      findings,
      /ACTION_REJECTED|user (rejected|denied|cancell?ed)|rejected (by|the) (the )?user|request rejected/i,
    )
  ) {
    return 'rejected'
  }
  if (code(RPC.requestPending)) return 'requestPending'
  if (
    has(findings, new RegExp(INSUFFICIENT_BALANCE_SELECTOR)) ||
    has(findings, /ERC20InsufficientBalance|exceeds (the )?(account )?balance|insufficient (token )?balance/i)
  ) {
    return 'notEnoughTokens'
  }
  if (has(findings, new RegExp(NOT_COVERED_SELECTOR))) return 'notCovered'
  if (has(findings, /insufficient funds|gas required exceeds allowance/i)) return 'notEnoughForFee'
  if (code(RPC.unknownChain) || has(findings, /unrecognized chain|chain .*not (been )?added/i))
    return 'unknownChain'
  if (
    code(RPC.unsupportedMethod, RPC.methodNotFound, RPC.methodNotSupported) ||
    has(findings, /method.*(not (supported|found|available|exist)|unsupported)/i)
  ) {
    return 'unsupported'
  }
  if (code(RPC.unauthorized)) return 'locked'
  if (code(3) || has(findings, /revert|transfer failed|transaction failed/i)) return 'transferFailed'
  return code(RPC.internal) ? 'internal' : 'failed'
}

/** A problem that stops the transaction flow and has been classified. */
export class FlowError extends Error {
  readonly problem: FlowProblem
  /** The difference, the missing asset, or the needed and the chosen account. */
  readonly detail: string | null

  constructor(problem: DetailedProblem, detail: string)
  constructor(problem: Exclude<FlowProblem, DetailedProblem>, detail?: string)
  constructor(problem: FlowProblem, detail?: string) {
    super(detail ?? problem)
    this.name = 'FlowError'
    this.problem = problem
    this.detail = detail ?? null
  }
}

/** Returns an error of a flow, or of a wallet or the chain as a flow's. */
export const flowErrorOf = (error: unknown): FlowError =>
  error instanceof FlowError ? error : new FlowError(walletProblem(error))

/** Returns the text of an error of a flow, a wallet or the chain. */
export function walletErrorText(error: unknown): string {
  const { problem, detail } = flowErrorOf(error)
  return problemText(problem, detail)
}

/** Returns the problem that the wallet has another account chosen than the one that is needed. */
export const wrongAccount = (needed: string, chosen: string) =>
  new FlowError('wrongAccount', `${needed} ${chosen}`)

/** The problems whose text names a detail. */
export type DetailedProblem = 'mismatch' | 'wrongAccount'

export type FlowProblem =
  | WalletProblem
  | DetailedProblem
  | 'contractRefuses'
  | 'undone'
  | 'wrongChain'
  | 'givenUp'
  | 'noWallet'
  | 'expired'
  | 'bankClosed'
  | 'soldOut'
  | 'closed'
  | 'replaced'
  | 'checkLater'
  | 'offline'

/**
 * Returns the text of a problem for the member. `detail` is the difference, the missing asset, or the needed
 * and the chosen account.
 */
export function problemText(problem: FlowProblem, detail: string | null = null): string {
  if (problem === 'mismatch') return t('wallet.problem.mismatch', { what: detail ?? '' })
  if (problem === 'wrongAccount' && detail !== null) {
    const [needed = '', chosen = ''] = detail.split(' ')
    return t('wallet.problem.wrongAccountNow', {
      needed: shortestAddress(needed),
      chosen: shortestAddress(chosen),
    })
  }
  if (problem === 'internal') return t('wallet.problem.failed')
  return t(`wallet.problem.${problem}`)
}

export const chainIdHex = (id: number) => `0x${id.toString(16)}`

/** Reports whether the wallet is on the app's chain. */
export async function isOnChain(provider: WalletProvider, chain: AppConfig['chain']): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chain.id
}

/**
 * Switches the wallet to the app's chain, and adds the chain when the wallet does not know it. Throws
 * `wrongChain` when the member refuses or the wallet does not switch.
 */
export async function ensureChain(provider: WalletProvider, chain: AppConfig['chain']) {
  if (await isOnChain(provider, chain)) return
  const params = [{ chainId: chainIdHex(chain.id) }]
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params })
  } catch (error) {
    if (error instanceof FlowError) throw error
    if (walletProblem(error) !== 'unknownChain') throw new FlowError('wrongChain')
    await addChain(provider, chain)
  }
  if (await isOnChain(provider, chain)) return
  // Some wallets add a chain without switching to it.
  await provider.request({ method: 'wallet_switchEthereumChain', params }).catch(() => undefined)
  if (!(await isOnChain(provider, chain))) throw new FlowError('wrongChain')
}

async function addChain(provider: WalletProvider, chain: AppConfig['chain']) {
  const details = {
    chainId: chainIdHex(chain.id),
    chainName: chain.name,
    nativeCurrency: chain.native,
    rpcUrls: [new URL(chain.rpc_url, window.location.origin).href],
    ...(chain.explorer_url !== null && { blockExplorerUrls: [chain.explorer_url] }),
  }
  try {
    await provider.request({ method: 'wallet_addEthereumChain', params: [details] })
  } catch {
    throw new FlowError('wrongChain')
  }
}
