import type { AppConfig } from '@rif/api-schema'
import type { WalletProvider } from './eip1193.ts'
import { FlowError, walletProblem } from './errors.ts'

export const chainIdHex = (id: number) => `0x${id.toString(16)}`

/** Whether the wallet stands on the app's chain. */
export async function isOnChain(provider: WalletProvider, chain: AppConfig['chain']): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chain.id
}

/**
 * Brings the wallet onto the app's chain: asks it to switch, and to add the chain when it does not know it.
 * Throws `wrongChain` when the member refuses or the wallet stays where it is.
 */
export async function ensureChain(provider: WalletProvider, chain: AppConfig['chain']) {
  if (await isOnChain(provider, chain)) return
  const params = [{ chainId: chainIdHex(chain.id) }]
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params })
  } catch (error) {
    if (walletProblem(error) !== 'unknownChain') throw new FlowError('wrongChain')
    await addChain(provider, chain)
  }
  if (await isOnChain(provider, chain)) return
  // Some wallets add a chain without changing to it.
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
