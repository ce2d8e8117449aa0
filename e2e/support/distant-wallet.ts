import { SignClient } from '@walletconnect/sign-client'
import type { Hex, TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from './chain.ts'

const ARBITRUM = 'eip155:42161'
const METHODS = ['eth_sendTransaction', 'personal_sign', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']
const EVENTS = ['accountsChanged', 'chainChanged']
const REFUSED = { code: 5000, message: 'User rejected.' }

/**
 * A wallet on another device: the wallet side of WalletConnect's own library, in this process, connected by nothing but the relay.
 * Signs with its key, and sends transactions to the real local chain.
 */
export async function startDistantWallet(relayUrl: string, chain: Chain, key: Hex) {
  const account = privateKeyToAccount(key)
  const client = await SignClient.init({
    projectId: 'a-wallet',
    relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
    // Clients of one name share their connection and keys, also after one was closed.
    customStoragePrefix: account.address,
    metadata: { name: 'Distant Wallet', description: 'Test', url: 'https://wallet.example', icons: [] },
  })
  // Asks a server of WalletConnect who the page is.
  Object.assign(client.core.verify, { resolve: async () => undefined })
  const calls: string[] = []
  const refusals = new Set<string>()

  const lasting = new Set<string>()

  const isRefused = (method: string) => lasting.has(method) || refusals.delete(method)
  client.on('session_proposal', async ({ id }) => {
    if (isRefused('session')) return client.reject({ id, reason: REFUSED })
    const eip155 = { accounts: [`${ARBITRUM}:${account.address}`], methods: METHODS, events: EVENTS }
    await client.approve({ id, namespaces: { eip155 } })
  })
  client.on('session_request', async ({ id, topic, params: { request } }) => {
    const { method, params } = request
    calls.push(method)
    const respond = (answer: { result: unknown } | { error: typeof REFUSED }) =>
      client.respond({ topic, response: { id, jsonrpc: '2.0', ...answer } })
    await respond(isRefused(method) ? { error: REFUSED } : { result: await answer(method, params) })
  })

  async function answer(method: string, params: unknown[]): Promise<unknown> {
    if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } })
    if (method === 'eth_signTypedData_v4')
      return account.signTypedData(JSON.parse(params[1] as string) as TypedDataDefinition)
    if (method === 'eth_sendTransaction') {
      const { to, data = '0x', value = '0x0' } = params[0] as { to: Hex; data?: Hex; value?: Hex }
      const nonce = await chain.nonce(account.address)
      return chain.signAndSend(account, { to, data, nonce, value: BigInt(value) })
    }
    return null
  }

  const topic = () => client.session.getAll()[0]!.topic
  return {
    address: account.address,
    /** The name under which the relay knows it. */
    clientId: await client.core.crypto.getClientId(),
    /** The methods that the page asked for. */
    calls: calls as readonly string[],
    /** Takes the text of the page's QR code. */
    pair: (uri: string) => client.pair({ uri }),
    /** The person refuses the next request of this method, or the next session. */
    refuseNext: (method: 'session' | (string & {})) => refusals.add(method),
    /** The person refuses requests of this method until they are accepted again. */
    refuse: (method: string) => lasting.add(method),
    accept: (method: string) => lasting.delete(method),
    changeChain: (chainId: number) =>
      client.emit({ topic: topic(), chainId: ARBITRUM, event: { name: 'chainChanged', data: chainId } }),
    /** The person ends the connection in the wallet. */
    disconnect: () =>
      client.disconnect({ topic: topic(), reason: { code: 6000, message: 'User disconnected.' } }),
    sessions: () => client.session.getAll().length,
    close: () => client.core.relayer.transportClose(),
  }
}
