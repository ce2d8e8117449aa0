import type SignClient from '@walletconnect/sign-client'
import { askNode } from '../demo-wallet.ts'
import { chainIdHex, RPC, RpcError, type WalletConfig, type WalletProvider } from '../provider.ts'

/** The methods that the app requires. */
export const NEEDED_METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4'] as const
/**
 * The optional methods of a wallet; a method that it did not agree to is not requested (EIP-5792 included).
 */
export const FURTHER_METHODS = [
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
] as const
const FORWARDED: readonly string[] = [...NEEDED_METHODS, ...FURTHER_METHODS]

export const NAMESPACE = 'eip155'
export const caip2 = (chainId: number) => `${NAMESPACE}:${chainId}`

type Client = Awaited<ReturnType<typeof SignClient.init>>
type Events = { accountsChanged: string[]; chainChanged: string; disconnect: { code?: number } }

/** Codes of refusals by the member, in WalletConnect's own numbering. */
const REFUSED = [5000, 5001, 5002]

/**
 * Creates an EIP-1193 provider for a session: signatures and transactions go to the wallet, each with its
 * chain. Reads go to the chain's node, because such wallets answer none. Throws `RpcError`.
 */
export function createSessionProvider(client: Client, topic: string, config: WalletConfig): WalletProvider {
  const wanted = caip2(config.chain.id)
  const rpcUrl = new URL(config.chain.rpc_url, window.location.origin).href
  const listeners = new Map<string, Set<(value: never) => void>>()
  const emit = <E extends keyof Events>(event: E, value: Events[E]) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  const namespace = () =>
    client.session.keys.includes(topic) ? client.session.get(topic).namespaces[NAMESPACE] : undefined
  const accounts = () => [...new Set((namespace()?.accounts ?? []).map(addressOf))]
  const chains = () => [...new Set((namespace()?.accounts ?? []).map(chainOf))]
  const can = (method: string) => namespace()?.methods.includes(method) === true
  const firstChain = () => (chains().includes(wanted) ? wanted : (chains()[0] ?? wanted))
  let active = firstChain()

  async function ask(method: string, params: unknown): Promise<unknown> {
    if (!can(method)) throw new RpcError(RPC.unsupportedMethod, `the wallet did not agree to ${method}`)
    // A wallet may be on a chain that it did not agree to.
    const chainId = chains().includes(active) ? active : firstChain()
    try {
      return await client.request({ topic, chainId, request: { method, params } })
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string }
      const isRefused = REFUSED.includes(code ?? 0)
      throw new RpcError(isRefused ? RPC.userRejected : (code ?? RPC.internal), message ?? String(error))
    }
  }

  async function switchChain(params: unknown): Promise<null> {
    const [{ chainId = '' } = {}] = (params ?? []) as { chainId?: string }[]
    const target = caip2(Number(chainId))
    if (target === active) return null
    if (can('wallet_switchEthereumChain')) await ask('wallet_switchEthereumChain', params)
    if (!chains().includes(target))
      throw new RpcError(RPC.unsupportedMethod, 'the wallet did not agree to this chain')
    active = target
    return null
  }

  const chainChanged = (chain: string) => {
    if (chain === active) return
    active = chain
    emit('chainChanged', chainIdHex(Number(chain.slice(NAMESPACE.length + 1))))
  }
  const ofThis =
    <T extends { topic: string }>(follow: (event: T) => void) =>
    (event: T) => {
      if (event.topic === topic) follow(event)
    }
  client.on(
    'session_event',
    ofThis(({ params: { event } }) => {
      const { data } = event
      if (event.name === 'chainChanged') chainChanged(caip2(Number(String(data).split(':').at(-1))))
      if (event.name === 'accountsChanged' && Array.isArray(data))
        emit('accountsChanged', data.map(addressOf))
    }),
  )
  client.on(
    'session_update',
    ofThis(() => {
      emit('accountsChanged', accounts())
      if (!chains().includes(active)) chainChanged(firstChain())
    }),
  )
  for (const end of ['session_delete', 'session_expire'] as const)
    client.on(
      end,
      ofThis(() => emit('disconnect', {})),
    )

  return {
    async request({ method, params }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts()
      if (method === 'eth_chainId') return chainIdHex(Number(active.slice(NAMESPACE.length + 1)))
      if (method === 'wallet_switchEthereumChain') return switchChain(params)
      if (FORWARDED.includes(method)) return ask(method, params)
      if (method.startsWith('wallet_'))
        throw new RpcError(RPC.unsupportedMethod, `${method} is not supported`)
      return askNode(rpcUrl, method, Array.isArray(params) ? params : [])
    },
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    async disconnect() {
      if (!client.session.keys.includes(topic)) return
      await client
        .disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
        .catch(() => undefined)
    },
  }
}

/** Reads the address of `eip155:42161:0x...`, or of an address alone. */
const addressOf = (account: string) => account.split(':').at(-1) ?? ''
const chainOf = (account: string) => account.split(':').slice(0, 2).join(':')
