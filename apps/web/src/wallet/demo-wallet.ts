import { createStore } from 'zustand'
import { kept } from '../lib/index.ts'
import { askChain, takeSent } from './chain-calls.ts'
import { chainIdHex, RPC, RpcError, type WalletConfig, type WalletProvider } from './provider.ts'

/**
 * The demo wallet: an EIP-1193 provider over the accounts that the product's own local chain keeps unlocked.
 * It holds no key; confirmed requests go to the chain's relay. Like a real wallet it shows every signature
 * and transaction first.
 */
export const DEMO_ID = 'demo'

const ACCOUNT_KEY = 'demo_account'

/** A request that the demo wallet asks the member to confirm. */
export interface DemoRequest {
  method: 'eth_sendTransaction' | 'personal_sign' | 'eth_signTypedData_v4'
  params: readonly unknown[]
  account: string
  answer: (confirmed: boolean) => void
}

export const demoRequestStore = createStore<DemoRequest | null>(() => null)

const listeners = new Set<(accounts: string[]) => void>()

/** The account chosen in the demo wallet, empty when none. */
const chosen = () => kept.get(ACCOUNT_KEY) ?? ''

/**
 * Chooses the account that the demo wallet shows to the page; null disconnects it. Emits the events of a
 * wallet.
 */
export function chooseDemoAccount(address: string | null) {
  const changed = (address ?? '') !== chosen()
  kept.set(ACCOUNT_KEY, address)
  if (changed) for (const listener of [...listeners]) listener(address === null ? [] : [address])
}

const CONFIRMED_METHODS: readonly string[] = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4']

/**
 * The provider of the demo wallet, or null when the config offers none: on any chain but the product's own.
 */
export function createDemoProvider(config: WalletConfig): WalletProvider | null {
  const accounts = config.demo
  if (accounts === null) return null
  const rpcUrl = new URL(config.chain.rpc_url, window.location.origin).href
  return {
    async request({ method, params }) {
      const list = Array.isArray(params) ? params : []
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') {
        return accounts.filter((account) => account.address === chosen()).map((account) => account.address)
      }
      if (method === 'eth_chainId') return chainIdHex(config.chain.id)
      if (method === 'wallet_switchEthereumChain') return switchChain(list, config.chain.id)
      if (method.startsWith('wallet_'))
        throw new RpcError(RPC.unsupportedMethod, `${method} is not supported`)
      if (CONFIRMED_METHODS.includes(method)) await confirm(method as DemoRequest['method'], list)
      return askNode(rpcUrl, method, list)
    },
    on(event, listener) {
      if (event === 'accountsChanged') listeners.add(listener as (accounts: string[]) => void)
    },
    removeListener(event, listener) {
      if (event === 'accountsChanged') listeners.delete(listener as (accounts: string[]) => void)
    },
  }
}

function switchChain(params: readonly unknown[], chainId: number): null {
  const wanted = (params[0] as { chainId?: string } | undefined)?.chainId
  if (Number(wanted) !== chainId) throw new RpcError(RPC.unknownChain, 'Unrecognized chain')
  return null
}

async function confirm(method: DemoRequest['method'], params: readonly unknown[]) {
  if (demoRequestStore.getState() !== null)
    throw new RpcError(RPC.requestPending, 'A request is open already')
  const confirmed = await new Promise<boolean>((answer) => {
    demoRequestStore.setState({ method, params, account: chosen(), answer })
  })
  demoRequestStore.setState(null)
  if (!confirmed) throw new RpcError(RPC.userRejected, 'User rejected the request')
}

/** Calls the node of the chain. Throws `RpcError` with its error, and the errors of `fetch`. */
export async function askNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const call = [method, params] as const
  const response = await (takeSent(call) ?? askChain(url, call))
  const answer: { result?: unknown; error?: { code: number; message: string; data?: unknown } } =
    await response.json()
  if (answer.error !== undefined)
    throw new RpcError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result
}
