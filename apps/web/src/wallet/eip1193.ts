/** What a wallet offers to a page (EIP-1193). */
export interface WalletProvider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
  removeListener?(event: string, listener: (value: never) => void): unknown
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

/** Codes that this app throws or looks for. */
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

/** The first account that the wallet shows this page, or null. `ask` opens the wallet when there is none yet. */
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
