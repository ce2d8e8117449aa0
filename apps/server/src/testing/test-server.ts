import { setTimeout as sleep } from 'node:timers/promises'
import { envelopeOf, failure, type nonceData, routes } from '@rif/api-schema'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import type { z } from 'zod'
import { createApp, type EdgeSettings } from '../app.ts'
import { connectChain } from '../chain/client.ts'
import { type RpcProxy, startRpcProxy } from '../chain/testing/rpc-proxy.ts'
import { createDatabase, inTx } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import type { AnyCapability } from '../modules/capability.ts'
import type { NoticeSettings } from '../modules/messages/notices/notices.ts'
// Declares the configuration of a route to Fastify.
import type {} from '../plugins/route.ts'
import { createServices, type ServiceSettings, type Services } from '../services.ts'
import { startTestChain, type TestChain } from './test-chain.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from './test-database.ts'
import { TEST_SALT_KEY } from './test-product.ts'
import { startTestSigner } from './test-signer.ts'

export const PUBLIC_URL = 'http://rif.test:8080'
const CONFIRMATIONS = 3
const NO_LIMITS = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }

/** The API on its own database and chain, as one process runs it, without listening. */
export interface TestServer {
  readonly app: FastifyInstance
  readonly services: Services
  readonly database: TestDatabase
  readonly chain: TestChain
  /** The proxies before the nodes, if the test asked for some. */
  readonly proxies: readonly RpcProxy[]
  /** The root member's wallet and invitation code. */
  readonly root: { readonly wallet: LocalAccount; readonly memberId: bigint; readonly inviteCode: string }
  close(): Promise<void>
}

export interface TestServerOptions extends EdgeSettings {
  readonly now?: Now
  readonly log?: Logger
  readonly connections?: number
  /** The number of nodes, each behind a proxy that a test can make lie; without proxies unless given. */
  readonly nodes?: number
  /** Mail and push; off unless given. */
  readonly notices?: NoticeSettings
  /** Internal hosts that requests to addresses from outside may reach. */
  readonly localHosts?: readonly string[]
  /** Settings of the services in addition to the usual ones. */
  readonly settings?: Partial<ServiceSettings>
  /** The capabilities of the product; all of them unless given. */
  readonly capabilities?: readonly AnyCapability[]
  /** Connections to a test database, which `close` closes. */
  readonly database?: TestDatabase
}

/** A test server that can open the API again, as another process on the same database would; `close` closes it too. */
export interface StartedServer extends TestServer {
  openAnother(): Promise<Pick<TestServer, 'app' | 'services'>>
}

/**
 * Starts a test server. Call it in `beforeAll`, and `close` in `afterAll`. Without rate limits unless given.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<StartedServer> {
  const [database, chain] = await Promise.all([
    options.database ?? createTestDatabase({ max: options.connections ?? 20, role: 'rif_app' }),
    startTestChain(),
  ])
  const log = options.log ?? createLogger({ level: 'silent' })
  const { contracts } = chain
  const now = options.now ?? (() => new Date())
  const signer = await startTestSigner(database, chain, { now })
  const proxies = await Promise.all(
    Array.from({ length: options.nodes ?? 0 }, () => startRpcProxy(chain.rpcUrl)),
  )
  const rpcUrls = proxies.length > 0 ? proxies.map(({ url }) => url) : [chain.rpcUrl]
  const connected = await connectChain({ rpcUrls, chainId: 42161, contracts })
  const parts = {
    now,
    log,
    chain: connected,
    settings: {
      publicUrl: PUBLIC_URL,
      version: '1.0.0',
      browserRpcUrl: `${PUBLIC_URL}/rpc`,
      explorerUrl: null,
      confirmations: CONFIRMATIONS,
      demoWallets: null,
      signer: signer.access,
      saltKey: TEST_SALT_KEY,
      ...(options.notices && { notices: options.notices }),
      ...(options.localHosts && { localHosts: options.localHosts }),
      ...options.settings,
    },
  }
  const services = createServices({ ...parts, db: database.db }, options.capabilities)
  await services.plans.ensureDefault(database.db)
  const wallet = newWallet()
  const { memberId, inviteCode } = await inTx(database.db, (dbTx) =>
    services.members.createRoot(dbTx, wallet.address),
  )
  const openApp = async (of: Services) => {
    const app = await createApp(of, { rateLimits: NO_LIMITS, ...options, log })
    checkAnswers(app)
    await app.ready()
    return app
  }
  const app = await openApp(services)
  const closeOthers: (() => Promise<void>)[] = []
  return {
    app,
    services,
    database,
    chain,
    proxies,
    root: { wallet, memberId, inviteCode },
    async openAnother() {
      const other = createDatabase({
        url: database.url,
        max: options.connections ?? 20,
        applicationName: 'rif-test-other',
        role: 'rif_app',
        isDistributed: isOnCluster(),
      })
      const otherServices = createServices({ ...parts, db: other.db })
      const otherApp = await openApp(otherServices)
      closeOthers.push(async () => {
        await otherApp.close()
        await other.close()
      })
      return { app: otherApp, services: otherServices }
    },
    close: async () => {
      await app.close()
      await Promise.all(closeOthers.map((closeOther) => closeOther()))
      await signer.close()
      await Promise.all([database.close(), chain.stop(), ...proxies.map((proxy) => proxy.close())])
    },
  }
}

/** Fails every response that does not match its schema exactly. */
function checkAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { routeName } = request.routeOptions.config
    if (routeName === undefined) return payload
    const schema = reply.statusCode === 200 ? envelopeOf(routes[routeName].data) : failure
    return schema.parse(payload)
  })
}

/** A wallet with a key of its own. */
export function newWallet(): LocalAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** A response of the API: the HTTP status, and the envelope. */
export interface Answer {
  readonly status: number
  readonly code: number
  readonly msg: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read many shapes of data
  readonly data: any
  readonly headers: Readonly<Record<string, unknown>>
}

/**
 * Calls `/api/v1/<path>`, as a signed-in wallet when one is given. While the response is UNAVAILABLE, as on a
 * busy machine, repeats the call at most `repeats` times: twice for a read and never for a change, unless given.
 */
export async function call(
  { app }: Pick<TestServer, 'app'>,
  path: string,
  options: InjectOptions & { as?: SignedIn; repeats?: number } = {},
): Promise<Answer> {
  const { as, repeats, ...request } = options
  const method = request.method ?? (request.payload === undefined ? 'GET' : 'POST')
  for (let left = repeats ?? (method === 'GET' ? 2 : 0); ; left--) {
    const response = await app.inject({
      url: `/api/v1/${path}`,
      ...request,
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address }),
        ...request.headers,
      },
    })
    const answer = { status: response.statusCode, headers: response.headers, ...response.json() }
    if (left === 0 || answer.data?.error !== 'UNAVAILABLE') return answer
    await sleep(500)
  }
}

export interface SignedIn {
  readonly wallet: LocalAccount
  readonly token: string
  readonly address: string
  readonly memberId: bigint
}

export type NonceData = z.infer<typeof nonceData>

/** Returns the message that a browser creates from a nonce. */
export function messageOf(
  terms: NonceData,
  address: `0x${string}`,
  changes: Partial<SiweMessage> = {},
): string {
  return createSiweMessage({
    address,
    domain: terms.domain,
    uri: terms.uri,
    chainId: terms.chain_id,
    nonce: terms.nonce,
    statement: terms.statement,
    resources: [terms.terms_uri],
    version: '1',
    issuedAt: new Date(),
    ...changes,
  })
}

/** Signs in a wallet, as a new member below the root unless it is a member already. */
export async function signIn(
  server: Pick<TestServer, 'app' | 'services'> & { readonly root: { readonly inviteCode: string } },
  wallet: LocalAccount,
  inviteCode?: string,
): Promise<SignedIn> {
  const terms = granted(await call(server, `nonce?address=${wallet.address}`, { repeats: 4 }))
  const message = messageOf(terms, wallet.address, { issuedAt: server.services.now() })
  const signature = await wallet.signMessage({ message })
  const invite_code = inviteCode ?? server.root.inviteCode
  const data = await exchange(server, { message, signature, invite_code })
  return { wallet, token: data.token, address: wallet.address, memberId: BigInt(data.member_id) }
}

/** Exchanges a signed message for a session. Throws when the server refuses. */
export async function exchange(
  server: Pick<TestServer, 'app' | 'services'>,
  payload: object,
): Promise<Answer['data']> {
  return granted(await call(server, 'auth', { payload, repeats: 4 }))
}

/** Returns the data of a response. Throws when the server refused. */
function granted({ status, data }: Answer): Answer['data'] {
  if (status !== 200) throw new Error(`sign-in: ${status} ${JSON.stringify(data)}`)
  return data
}

/**
 * Calls the API as the app does: when the request needs the signature of the wallet, signs the statement in
 * the refusal and repeats the request.
 */
export async function callSigned(
  server: Pick<TestServer, 'app'>,
  path: string,
  { as, payload, headers }: { as: SignedIn; payload: object; headers?: Record<string, string> },
): Promise<Answer> {
  const request = { as, ...(headers && { headers }) }
  const first = await call(server, path, { ...request, payload })
  if (first.data.error !== 'SIGNATURE_REQUIRED') return first
  const signed = await signedBy(as.wallet, first.data.details)
  return call(server, path, { ...request, payload: { ...payload, signed } })
}

/** Signs the statement of a refusal SIGNATURE_REQUIRED. */
export async function signedBy(
  wallet: LocalAccount,
  details: { nonce: string; deadline: number; typed_data: string; fee?: string },
) {
  const { typed_data, ...once } = details
  const { message, ...typed } = JSON.parse(typed_data)
  const signature = await wallet.signTypedData({
    ...typed,
    message: { ...message, deadline: BigInt(message.deadline) },
  })
  return { ...once, signature }
}
