import SignClient from '@walletconnect/sign-client'
import { type DiscoveredWallet, WALLET_CONNECT_ID } from '../discovery.ts'
import type { WalletConfig, WalletProvider } from '../provider.ts'
import {
  caip2,
  createSessionProvider,
  FURTHER_METHODS,
  NAMESPACE,
  NEEDED_METHODS,
} from './session-provider.ts'

type Client = Awaited<ReturnType<typeof SignClient.init>>

/** The key in local storage under which the library stores the app that opens with every request. */
const APP_KEY = 'WALLETCONNECT_DEEPLINK_CHOICE'
/** The time within which the relay must accept a proposal. */
const RELAY_MS = 15_000

let starting: Promise<Client> | null = null

/** Starts the client once. It connects only to the relay. */
function startClient({ wallet_connect }: WalletConfig): Promise<Client> {
  if (wallet_connect === null) throw new Error('WalletConnect is off')
  const { origin, host } = window.location
  starting ??= SignClient.init({
    projectId: wallet_connect.project_id,
    relayUrl: wallet_connect.relay_url,
    telemetryEnabled: false,
    logger: 'silent',
    metadata: {
      name: 'RIFund Portfolio',
      description: host,
      url: origin,
      icons: [`${origin}/icons/apple-touch-180.png`],
    },
  }).then(withoutOtherCalls)
  starting.catch(() => {
    starting = null
  })
  return starting
}

/**
 * Removes other traffic of the library: an attestation by a frame of verify.walletconnect.org, and the
 * unencrypted contracts and hashes of each request to the relay, for its statistics. It has no option for
 * either.
 */
function withoutOtherCalls(client: Client): Client {
  client.core.verify.register = async () => ''
  Object.assign(client.engine, { getTVFParams: () => ({}) })
  return client
}

/** Returns the session of an earlier visit, or null. */
export async function restoreSession(config: WalletConfig): Promise<WalletProvider | null> {
  if (config.wallet_connect === null) return null
  const client = await startClient(config)
  const session = client.session.getAll().at(-1)
  return session === undefined ? null : createSessionProvider(client, session.topic, config)
}

/**
 * The reasons why there is no session: the wallet refused, no answer in five minutes, or the relay could not
 * be reached.
 */
export type PairingProblem = 'refused' | 'expired' | 'unreachable'

export interface Pairing {
  /** The text of the QR code, and of links to wallets' apps. */
  readonly uri: string
  /** The connected wallet. Rejects with a `PairingProblem` as its message. */
  readonly wallet: Promise<DiscoveredWallet>
}

/**
 * Proposes a session. Rejects with `unreachable` as its message when the relay does not accept it within 15
 * s.
 */
export async function startPairing(config: WalletConfig, signal: AbortSignal): Promise<Pairing> {
  const chain = caip2(config.chain.id)
  const propose = async () => {
    const client = await startClient(config)
    const proposal = await client.connect({
      optionalNamespaces: {
        [NAMESPACE]: {
          chains: [chain],
          methods: [...NEEDED_METHODS, ...FURTHER_METHODS],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    return { client, ...proposal }
  }
  const { client, uri, approval } = await inTime(propose())
  if (uri === undefined) throw new Error('unreachable')
  return { uri, wallet: settled(client, approval, config, signal) }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('unreachable'))
    setTimeout(fail, RELAY_MS)
    work.then(resolve, fail)
  })
}

async function settled(
  client: Client,
  approval: () => Promise<{ topic: string; peer: { metadata: { name: string } } }>,
  config: WalletConfig,
  signal: AbortSignal,
): Promise<DiscoveredWallet> {
  const session = await approval().catch((error: { code?: number; message?: string }) => {
    throw new Error(/expired/i.test(error?.message ?? '') ? 'expired' : 'refused')
  })
  const provider = createSessionProvider(client, session.topic, config)
  // A member who closed the sheet no longer wants this connection.
  if (signal.aborted) {
    await provider.disconnect?.()
    throw new Error('refused')
  }
  const others = client.session.getAll().filter(({ topic }) => topic !== session.topic)
  for (const { topic } of others) {
    const reason = { code: 6000, message: 'User disconnected.' }
    await client.disconnect({ topic, reason }).catch(() => undefined)
  }
  return { id: WALLET_CONNECT_ID, name: session.peer.metadata.name, icon: null, provider }
}

/** Opens a wallet's app with every following request; null for none. */
export function rememberApp(app: { name: string; href: string } | null) {
  try {
    if (app === null) localStorage.removeItem(APP_KEY)
    else localStorage.setItem(APP_KEY, JSON.stringify(app))
  } catch {
    // The member then opens the app manually.
  }
}
