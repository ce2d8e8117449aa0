import type { AppConfig } from '@rif/api-schema'
import { createStore } from 'zustand'
import { call, clearSession, saveWallet, sessionStore, showModal, t } from '../lib/index.ts'
import { answering, stopWaiting } from './answers.ts'
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
/**
 * True once the wallet's account and chain have been checked; a connection that only reads may exist earlier.
 */
let isTakenUp = false

/** True while the connected wallet is on another chain than the app's. */
export const wrongChainStore = createStore(() => false)
/** True while the wallet is requested to switch to the app's chain. */
export const returningStore = createStore(() => false)

/** A wallet in the connection sheet; for the demo wallet with the chosen account. */
export type WalletChoice = DiscoveredWallet | { id: typeof DEMO_ID; account: string }

/**
 * Connects a wallet: requests its accounts, switches it to the chain, and stores address and balance. Returns
 * the address.
 */
export async function connectWallet(choice: WalletChoice, config: AppConfig): Promise<string> {
  if ('account' in choice) chooseDemoAccount(choice.account)
  const chosen = 'provider' in choice ? choice.provider : createDemoProvider(config)
  if (chosen === null) throw new FlowError('noWallet')
  stopWaiting()
  const provider = answering(chosen)
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
    // 1013 is a lost connection to the chain that the wallet itself restores, not a disconnect by the member.
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

/**
 * Specification, section 1: when the wallet leaves the app's chain, it is requested to switch back at once;
 * after a refusal, a banner stays.
 */
async function chainChanged(chainId: string, config: AppConfig) {
  const isWrong = Number(chainId) !== config.chain.id
  wrongChainStore.setState(isWrong)
  if (isWrong) await returnToChain(config).catch(() => undefined)
}

let returning: Promise<void> | null = null

/**
 * Requests the connected wallet to switch to the app's chain, once at a time. Throws `wrongChain` when it
 * does not.
 */
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

/**
 * The prompt of the specification, section 4: the wallet has another account, so the member signs in again.
 */
async function promptLogin(extra: { confirmText?: string } = {}) {
  const confirmed = await showModal({
    title: t('common.prompt'),
    content: t('wallet.resLogin'),
    showCancel: false,
    ...extra,
  })
  if (confirmed) disconnectWallet()
}

/** Deletes the wallet and the session; the guard then opens the login page. */
export function disconnectWallet() {
  stopWaiting()
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
  const provider = await findProvider(config)
  return provider && answering(provider)
}

async function findProvider(config: AppConfig): Promise<WalletProvider | null> {
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
 * Restores the connection after a reload or in a new tab: requests the wallet's accounts, and prompts when
 * the first one differs from the stored one.
 */
export async function restoreWallet(config: AppConfig) {
  const { wallet, tokenAddress } = sessionStore.getState()
  const expected = wallet?.address ?? (tokenAddress === '' ? null : tokenAddress)
  if (isTakenUp || expected === null) return
  const provider = await storedProvider(config)
  if (provider === null) return
  const first = await firstAccount(provider, { ask: false })
  if (!sameAddress(first, expected)) {
    // A tab without its own wallet state may find the wallet locked, which is not another account.
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

/**
 * Returns the provider of the connected wallet; restores the stored connection first. Throws `noWallet` when
 * there is none.
 */
export async function activeProvider(config: AppConfig): Promise<WalletProvider> {
  if (connection === null) {
    const provider = await storedProvider(config)
    if (provider === null) throw new FlowError('noWallet')
    attach(provider, config)
  }
  if (connection === null) throw new FlowError('noWallet')
  return connection.provider
}
