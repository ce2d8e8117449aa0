import { createStore } from 'zustand'
import type { WalletProvider } from './provider.ts'

/** A wallet that announced itself (EIP-6963), or the one under `window.ethereum` when it did not. */
export interface DiscoveredWallet {
  /** Reverse domain name of the wallet, or `injected`. */
  id: string
  name: string
  /** A data: address, or null. */
  icon: string | null
  provider: WalletProvider
}

interface Announcement {
  info?: { uuid?: string; rdns?: string; name?: string; icon?: string }
  provider?: WalletProvider
}

export const INJECTED_ID = 'injected'
/** The wallet on another device or in another app (WalletConnect). */
export const WALLET_CONNECT_ID = 'walletconnect'
const ANNOUNCE = 'eip6963:announceProvider'
const REQUEST = 'eip6963:requestProvider'
/**
 * Wallets announce themselves at once on request; a wallet that has not done so by then is expected under
 * `window.ethereum`.
 */
const ANNOUNCE_WAIT_MS = 300

export const walletsStore = createStore<readonly DiscoveredWallet[]>(() => [])

function add(wallet: DiscoveredWallet) {
  const wallets = walletsStore.getState()
  if (wallets.some((item) => item.id === wallet.id || item.provider === wallet.provider)) return
  walletsStore.setState([...wallets, wallet], true)
}

let discovery: Promise<void> | null = null

/** Starts listening for wallets, once; resolves when they had time to announce themselves. */
export function discoverWallets(): Promise<void> {
  discovery ??= listen()
  return discovery
}

async function listen() {
  window.addEventListener(ANNOUNCE, (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail ?? {}
    if (provider === undefined || typeof info?.rdns !== 'string' || typeof info.name !== 'string') return
    // Only images inside the announcement are accepted, because others would let a wallet's script make the
    // page fetch them.
    const icon = info.icon?.startsWith('data:image/') === true ? info.icon : null
    add({ id: info.rdns, name: info.name, icon, provider })
  })
  window.dispatchEvent(new Event(REQUEST))
  await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_WAIT_MS))
  const { ethereum } = window as { ethereum?: WalletProvider }
  if (ethereum !== undefined) add({ id: INJECTED_ID, name: '', icon: null, provider: ethereum })
}
