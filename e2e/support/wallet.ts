import type { Page } from '@playwright/test'
import { type Hex, hexToBigInt, numberToHex, type TypedDataDefinition } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from './chain.ts'

interface RpcRequest {
  method: string
  params?: unknown[]
}

/** An answer of the wallet other than a result: what the page's provider throws. */
export interface WalletError {
  code: number
  message: string
}

interface Behaviour {
  /** EIP-5792: offers atomic batches. */
  batches?: boolean
  /** EIP-712 signatures; a wallet without them answers 4200. */
  typedData?: boolean
  /** True if the page was connected before. */
  connected?: boolean
  /** EIP-6963: tells the page of itself; on unless switched off. What stands under `window.ethereum` is there in any case. */
  announced?: boolean
}

interface SentTransaction {
  hash: Hex
  to: Hex
  data: Hex
  nonce: number
  /** The time of the page's request, in milliseconds. */
  askedAt: number
}

/** The wallet's name in its EIP-6963 announcement. */
export const WALLET_ID = 'test.wallet'
const ARBITRUM = '0xa4b1'
/** Events that happen once, to the transaction to an address if one is given. */
interface Once {
  to?: Hex | undefined
}

interface Answer extends Once {
  error: WalletError
}

interface Replacement extends Once {
  how: 'speedUp' | 'cancel'
}

const concerns = ({ to }: Once, transaction: unknown) =>
  to === undefined || (transaction as { to?: string } | undefined)?.to?.toLowerCase() === to.toLowerCase()

const refusals = {
  userRefused: { code: 4001, message: 'User rejected the request.' },
  unsupported: { code: 4200, message: 'The method is not supported.' },
  unknownChain: { code: 4902, message: 'Unrecognized chain ID.' },
} as const

/**
 * A browser wallet for tests: a real EIP-1193 provider, announced by EIP-6963, whose keys live in the test and whose
 * transactions are signed and sent to the real local chain. What a person would do in the wallet's window
 * (refuse, speed up, change account or chain) is a method here.
 */
export async function installWallet(page: Page, chain: Chain, privateKey: Hex, behaviour: Behaviour = {}) {
  let account = privateKeyToAccount(privateKey)
  let { connected = false } = behaviour
  let chainId: string = ARBITRUM
  let knownChains = [ARBITRUM]
  const answers = new Map<string, Answer>()
  const log: RpcRequest[] = []
  const sent: SentTransaction[] = []
  let replacement: Replacement | null = null
  let beforeSending: (() => Promise<unknown>) | null = null
  const batches = new Map<string, Hex>()

  async function send(raw: { to: Hex; data?: Hex; value?: Hex }): Promise<Hex> {
    const askedAt = Date.now()
    await beforeSending?.()
    beforeSending = null
    const nonce = await chain.nonce(account.address)
    const value = BigInt(raw.value ?? 0)
    const transaction = { to: raw.to, data: raw.data ?? '0x', nonce, value } as const
    const how = replacement !== null && concerns(replacement, raw) ? replacement.how : null
    if (how !== null) replacement = null
    const release = how === null ? null : await chain.hold()
    try {
      const hash = await chain.signAndSend(account, transaction)
      sent.push({ hash, ...transaction, askedAt })
      if (how !== null) {
        const other = how === 'speedUp' ? transaction : { to: account.address, data: '0x' as const, nonce }
        sent.push({ hash: await chain.signAndSend(account, { ...other, feeFactor: 3n }), ...other, askedAt })
      }
      return hash
    } finally {
      await release?.()
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the parameters of a call are whatever the page sent
  const handlers: Record<string, (params: any) => unknown> = {
    eth_requestAccounts: () => {
      connected = true
      return [account.address]
    },
    eth_accounts: () => (connected ? [account.address] : []),
    eth_chainId: () => chainId,
    net_version: () => String(hexToBigInt(chainId as Hex)),
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      connected = false
      return null
    },
    wallet_switchEthereumChain: ([{ chainId: wanted }]: [{ chainId: string }]) => {
      if (!knownChains.includes(wanted)) throw refusals.unknownChain
      chainId = wanted
      return emit('chainChanged', wanted).then(() => null)
    },
    wallet_addEthereumChain: ([{ chainId: added }]: [{ chainId: string }]) => {
      knownChains = [...knownChains, added]
      chainId = added
      return emit('chainChanged', added).then(() => null)
    },
    personal_sign: ([message]: [Hex]) => account.signMessage({ message: { raw: message } }),
    eth_signTypedData_v4: ([, json]: [Hex, string]) => {
      if (behaviour.typedData === false) throw refusals.unsupported
      return account.signTypedData(JSON.parse(json) as TypedDataDefinition)
    },
    eth_sendTransaction: ([raw]: [{ to: Hex; data?: Hex; value?: Hex }]) => send(raw),
    wallet_getCapabilities: () => {
      if (!behaviour.batches) throw refusals.unsupported
      return { [ARBITRUM]: { atomic: { status: 'supported' } } }
    },
    wallet_sendCalls: async ([batch]: [{ calls: { to: Hex; data?: Hex }[] }]) => {
      if (!behaviour.batches) throw refusals.unsupported
      const hash = await chain.sendBatch(account, batch.calls)
      const id = numberToHex(batches.size + 1, { size: 32 })
      batches.set(id, hash)
      return { id }
    },
    wallet_getCallsStatus: async ([id]: [string]) => {
      const hash = batches.get(id) as Hex
      const receipt = await chain.receipt(hash)
      return {
        version: '2.0.0',
        id,
        chainId: ARBITRUM,
        atomic: true,
        status: receipt === null ? 100 : receipt.status === 'success' ? 200 : 500,
        receipts: receipt === null ? [] : [receipt.raw],
      }
    },
  }

  const silent = new Set<string>()

  async function request(call: RpcRequest): Promise<{ result?: unknown; error?: WalletError }> {
    log.push(call)
    if (silent.delete(call.method)) return new Promise(() => undefined)
    const answer = answers.get(call.method)
    if (answer !== undefined && concerns(answer, call.params?.[0])) {
      answers.delete(call.method)
      return { error: answer.error }
    }
    try {
      const handler = handlers[call.method]
      const params = call.params ?? []
      return { result: handler ? await handler(params) : await chain.rpc(call.method, params) }
    } catch (error) {
      const { code, message } = error as Partial<WalletError>
      return { error: { code: typeof code === 'number' ? code : -32603, message: message ?? String(error) } }
    }
  }

  const emit = (event: string, value: unknown) =>
    page.evaluate(([name, data]) => window.__testWallet?.emit(name as string, data), [event, value] as const)

  await page.exposeBinding('__walletRequest', (_source, call: RpcRequest) => request(call))
  await page.addInitScript(provide, behaviour.announced === false ? null : WALLET_ID)

  return {
    get address() {
      return account.address
    },
    /** Every call the page made to the wallet. */
    calls: (method: string) => log.filter((call) => call.method === method),
    sent,
    /** The next call of `method`, or the next transaction to `to`, is refused by the person in front of the wallet. */
    refuseNext: (method: string, to?: Hex) => answers.set(method, { error: refusals.userRefused, to }),
    /** The next call of `method` is never answered: the wallet's window is behind another, or it is locked. */
    ignoreNext: (method: string) => silent.add(method),
    /** The next call of `method` fails with this error. */
    failNext: (method: string, error: WalletError) => answers.set(method, { error }),
    /** The person chooses another account in the wallet. */
    async changeAccount(key: Hex) {
      account = privateKeyToAccount(key) as PrivateKeyAccount
      await emit('accountsChanged', [account.address])
    },
    /** The person chose another account while the page was not open. */
    chooseAccount(key: Hex) {
      account = privateKeyToAccount(key) as PrivateKeyAccount
    },
    /** The person changes the wallet to another chain, while the page is open. */
    async changeChain(otherChain: string) {
      chainId = otherChain
      await emit('chainChanged', otherChain)
    },
    /** The wallet stands on another chain and does not know Arbitrum One yet. */
    async startOn(otherChain: string) {
      chainId = otherChain
      knownChains = [otherChain]
    },
    /** The person locks the wallet or removes the page's permission. */
    async disconnect() {
      connected = false
      await emit('accountsChanged', [])
    },
    /** This happens while the wallet's window is open for the next transaction, after all that the page looked at before. */
    meanwhile: (action: () => Promise<unknown>) => {
      beforeSending = action
    },
    /**
     * The person speeds up or cancels the next transaction, or the next one to `to`, before it is mined: the page has learnt
     * only the first hash.
     */
    replaceNext: (how: Replacement['how'], to?: Hex) => {
      replacement = { how, to }
    },
  }
}

export type TestWallet = Awaited<ReturnType<typeof installWallet>>

declare global {
  interface Window {
    __walletRequest(call: RpcRequest): Promise<{ result?: unknown; error?: WalletError }>
    __testWallet?: { emit(event: string, data: unknown): void }
    ethereum?: unknown
  }
}

/** Runs in the page before its own scripts: the provider object and, with an id, its EIP-6963 announcement. */
function provide(walletId: string | null): void {
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const provider = {
    async request(call: RpcRequest) {
      const { result, error } = await window.__walletRequest(JSON.parse(JSON.stringify(call)))
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on(event: string, listener: (data: unknown) => void) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
      return provider
    },
    removeListener(event: string, listener: (data: unknown) => void) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  window.__testWallet = {
    emit(event, data) {
      for (const listener of listeners.get(event) ?? []) listener(data)
    },
  }
  window.ethereum = provider
  if (walletId === null) return
  const info = {
    uuid: '350670db-19fa-4704-a166-e52e178b59d2',
    name: 'Test Wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>',
    rdns: walletId,
  }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
