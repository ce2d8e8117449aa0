import type { AppConfig } from '@rif/api-schema'
import { createStore } from 'zustand'
import { call, clearSession, saveWallet, sessionStore, showModal, t } from '../lib/index.ts'
import { chooseDemoAccount, createDemoProvider, DEMO_ID } from './demo-wallet.ts'
import { type DiscoveredWallet, discoverWallets, WALLET_CONNECT_ID, walletsStore } from './discovery.ts'
import {
  ensureChain,
  FlowError,
  firstAccount,
  isOnChain,
  sameAddress,
  type WalletProvider,
} from './provider.ts'

/** The connection to the wallet, and the session rules of the specification (section 4). */
interface Connection {
  provider: WalletProvider
  stopListening: () => void
}

let connection: Connection | null = null
/** True once the wallet's account and chain have been looked at; a connection that only reads may be older. */
let isTakenUp = false

/** True while the connected wallet is on another chain than the app's. */
export const wrongChainStore = createStore(() => false)
/** True while the wallet is asked onto the app's chain. */
export const returningStore = createStore(() => false)

/** A wallet as the connection sheet offers it; for the demo wallet with the account that was picked. */
export type WalletChoice = DiscoveredWallet | { id: typeof DEMO_ID; account: string }

/** Connects a wallet: asks it for accounts, brings it onto the chain, stores address and balance. Answers the address. */
export async function connectWallet(choice: WalletChoice, config: AppConfig): Promise<string> {
  if ('account' in choice) chooseDemoAccount(choice.account)
  const provider = 'provider' in choice ? choice.provider : createDemoProvider(config)
  if (provider === null) throw new FlowError('noWallet')
  const address = await firstAccount(provider, { ask: true })
  if (address === null) throw new FlowError('locked')
  await ensureChain(provider, config.chain)
  saveWallet(choice.id, address, await nativeBalance(provider, address))
  attach(provider, config)
  isTakenUp = true
  wrongChainStore.setState(false)
  return address
}

async function nativeBalance(provider: WalletProvider, address: string): Promise<string> {
  const balance = await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] })
  return BigInt(balance as string).toString()
}

function attach(provider: WalletProvider, config: AppConfig) {
  connection?.stopListening()
  const onAccounts = (accounts: string[]) => void accountsChanged(accounts[0] ?? null)
  const onDisconnect = (error: { code?: number }) => {
    // 1013 is a lost line to the chain that the wallet itself is mending, not a wish of the member.
    if (error?.code !== 1013) disconnectWallet()
  }
  const onChain = (chainId: string) => void chainChanged(chainId, config)
  provider.on?.('accountsChanged', onAccounts)
  provider.on?.('chainChanged', onChain)
  provider.on?.('disconnect', onDisconnect)
  const stopListening = () => {
    provider.removeListener?.('accountsChanged', onAccounts)
    provider.removeListener?.('chainChanged', onChain)
    provider.removeListener?.('disconnect', onDisconnect)
  }
  connection = { provider, stopListening }
}

async function accountsChanged(first: string | null) {
  const { wallet, token } = sessionStore.getState()
  if (wallet === null || sameAddress(first, wallet.address)) return
  if (first === null || token === '') return disconnectWallet()
  await promptLogin({ confirmText: t('common.confirm') })
}

/** Specification, section 1: whoever leaves the app's chain in the wallet is asked back at once; refused, a banner stays. */
async function chainChanged(chainId: string, config: AppConfig) {
  const isWrong = Number(chainId) !== config.chain.id
  wrongChainStore.setState(isWrong)
  if (isWrong) await returnToChain(config).catch(() => undefined)
}

let returning: Promise<void> | null = null

/** Asks the connected wallet onto the app's chain, once at a time. Throws `wrongChain` when it stays where it is. */
export function returnToChain(config: AppConfig): Promise<void> {
  const ask = async () => {
    await ensureChain(await activeProvider(config), config.chain)
    wrongChainStore.setState(false)
  }
  if (returning === null) {
    returningStore.setState(true)
    returning = ask().finally(() => {
      returning = null
      returningStore.setState(false)
    })
  }
  return returning
}

/** The prompt of the specification, section 4: another account is in the wallet, so the member signs in again. */
async function promptLogin(extra: { confirmText?: string } = {}) {
  const confirmed = await showModal({
    title: t('common.prompt'),
    content: t('wallet.resLogin'),
    showCancel: false,
    ...extra,
  })
  if (confirmed) disconnectWallet()
}

/** Forgets the wallet and the session; the guard then leads to login. */
export function disconnectWallet() {
  connection?.stopListening()
  void connection?.provider.disconnect?.()
  connection = null
  isTakenUp = false
  chooseDemoAccount(null)
  wrongChainStore.setState(false)
  clearSession()
}

/** Signs out: revokes the token at the server, then disconnects, whether or not the server could be reached. */
export async function signOut() {
  await call('signOut', {}, { quiet: true }).catch(() => undefined)
  disconnectWallet()
}

async function storedProvider(config: AppConfig): Promise<WalletProvider | null> {
  const { walletId } = sessionStore.getState()
  if (walletId === DEMO_ID) return createDemoProvider(config)
  if (walletId === WALLET_CONNECT_ID) {
    const { restoreSession } = await import('./walletconnect/client.ts')
    return restoreSession(config)
  }
  await discoverWallets()
  return walletsStore.getState().find((wallet) => wallet.id === walletId)?.provider ?? null
}

/**
 * Takes up the connection after a reload or in a new tab: asks the wallet for its accounts, and prompts when the first
 * one is another than the stored one.
 */
export async function restoreWallet(config: AppConfig) {
  const { wallet, tokenAddress } = sessionStore.getState()
  const expected = wallet?.address ?? (tokenAddress === '' ? null : tokenAddress)
  if (isTakenUp || expected === null) return
  const provider = await storedProvider(config)
  if (provider === null) return
  const first = await firstAccount(provider, { ask: false })
  if (!sameAddress(first, expected)) {
    // A tab that has no wallet of its own yet may find it locked; that is no other account.
    if (wallet !== null || first !== null) await promptLogin()
    return
  }
  attach(provider, config)
  isTakenUp = true
  wrongChainStore.setState(!(await isOnChain(provider, config.chain)))
  saveWallet(
    sessionStore.getState().walletId,
    expected,
    await nativeBalance(provider, expected).catch(() => '0'),
  )
}

/** The connected wallet's provider; takes up the stored connection first. Throws `noWallet` when there is none. */
export async function activeProvider(config: AppConfig): Promise<WalletProvider> {
  if (connection === null) {
    const provider = await storedProvider(config)
    if (provider === null) throw new FlowError('noWallet')
    attach(provider, config)
  }
  if (connection === null) throw new FlowError('noWallet')
  return connection.provider
}
