import { dirname } from 'node:path'
import type { MoneyAsset, Order } from '@rif/api-schema'
import { formatMicros, parseMicros, toChainUnits, withdrawalWish } from '@rif/rules'
import { pino } from 'pino'
import { type Address, type Hash, type Hex, parseTransaction } from 'viem'
import { AUDIT_CHECKS, bankChecks } from '../audit.ts'
import { type ContractAddresses, connectChain } from '../chain/client.ts'
import { createIndexer } from '../chain/indexer/indexer.ts'
import { inTx } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import type { Logger } from '../lib/logger.ts'
import { auditLedger } from '../modules/books/ledger/audit.ts'
import { createServices, type ServiceSettings, type Services } from '../services.ts'
import type { SignerAccess } from '../signer/protocol.ts'
import { startTestChain, type TestChain } from './test-chain.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { startTestSigner } from './test-signer.ts'
import { reviewWithdrawals } from './withdrawal-reviews.ts'

/** A member of a test, with the unlocked account that is its wallet. */
export interface TestMember {
  readonly memberId: bigint
  readonly address: string
  readonly wallet: Address
}

export interface SentTx {
  readonly hash: Hash
  readonly status: 'success' | 'reverted'
  readonly blockNumber: bigint
}

export type TestProduct = Awaited<ReturnType<typeof openProduct>>

export const CONFIRMATIONS = 3
/** The key of the salts in solvency reports of tests. */
export const TEST_SALT_KEY: Uint8Array = Buffer.alloc(32, 3)
const DAY_MS = 86_400_000
/** Every test begins at this time of a UTC day, so that results do not depend on the time of the run. */
const START_OF_TEST_MS = 3_600_000
const START_FUNDS = '100000'

/**
 * The whole product without HTTP for a test file: its database, its chain, all services and the indexer, run
 * manually.
 */
export async function startTestProduct(
  options: {
    automine?: boolean
    blocksToFinality?: number
    log?: Logger
    /** Settings of the services in addition to the usual ones. */
    settings?: Partial<ServiceSettings>
    /** Sets the books up in another way than with the default plan. */
    setUp?: (services: Services, testChain: TestChain) => Promise<void>
  } = {},
) {
  const database = await createTestDatabase({ max: 20, role: 'rif_app' })
  const testChain = await startTestChain(options)
  const wallets = testChain.accounts.slice(1)
  const product = await openProduct({
    database,
    testChain,
    wallets,
    clock: { offsetMs: 0 },
    log: options.log ?? pino({ level: 'silent' }),
    settings: options.settings,
    setUp: options.setUp,
  })
  await product.advance(DAY_MS - (Date.now() % DAY_MS) + START_OF_TEST_MS)
  return product
}

/** Restarts a product with other contracts in its settings or another database, on the same chain and log of the signer. */
export async function restartTestProduct(
  { parts, indexer, signer }: TestProduct,
  contracts: ContractAddresses,
  database: TestDatabase = parts.database,
): Promise<TestProduct> {
  await indexer.stop()
  await signer.stop()
  return openProduct({
    ...parts,
    database,
    testChain: { ...parts.testChain, contracts },
    signerDir: dirname(signer.logPath),
  })
}

interface Parts {
  readonly database: TestDatabase
  readonly testChain: TestChain
  /** The accounts that no member uses yet. */
  readonly wallets: Address[]
  readonly clock: { offsetMs: number }
  readonly log: Logger
  readonly signerDir?: string
  readonly settings?: Partial<ServiceSettings> | undefined
  readonly setUp?: ((services: Services, testChain: TestChain) => Promise<void>) | undefined
}

async function openProduct(parts: Parts) {
  const { database, testChain, wallets, clock, log } = parts
  const { rpcUrl, contracts } = testChain
  const chain = await connectChain({ rpcUrls: [rpcUrl], chainId: 42161, contracts })
  const now = () => new Date(Date.now() + clock.offsetMs)
  const dir = parts.signerDir
  const signer = await startTestSigner(database, testChain, { now, ...(dir !== undefined && { dir }) })
  const settings = { ...serviceSettings(testChain, signer.access), ...parts.settings }
  const services = createServices({ db: database.db, now, log, chain, settings })
  const indexer = createIndexer({
    db: database.db,
    databaseUrl: database.url,
    chain,
    now,
    log,
    startBlock: 1n,
    confirmations: CONFIRMATIONS,
  })
  indexer.registerHandlers(services.eventHandlers)
  if (parts.setUp) await parts.setUp(services, testChain)
  else await services.plans.ensureDefault(database.db)

  const mineBlock = () => testChain.mine(1)
  return {
    parts,
    database,
    db: database.db,
    testChain,
    chain,
    services,
    settings,
    now,
    indexer,
    wallets,
    signer,
    clockOffsetMs: () => clock.offsetMs,
    /** Advances the clocks of the server and of the chain. */
    async advance(ms: number): Promise<void> {
      clock.offsetMs += ms
      await testChain.rpc('evm_increaseTime', [Math.ceil(ms / 1_000)])
      await mineBlock()
    },
    /** Finalises everything on the chain and lets the modules process it. */
    async finalise(): Promise<void> {
      await testChain.mine(CONFIRMATIONS)
      await indexer.runOnce()
    },
    async stop(): Promise<void> {
      await indexer.stop()
      await signer.close()
      await database.close()
      await testChain.stop()
    },
    ...memberActions(services, testChain, wallets),
    ...walletActions(services, testChain),
    audit: () => audit(database, services),
  }
}

function serviceSettings({ rpcUrl }: TestChain, signer: SignerAccess): ServiceSettings {
  return {
    version: 'test',
    publicUrl: 'http://127.0.0.1',
    browserRpcUrl: rpcUrl,
    explorerUrl: null,
    confirmations: CONFIRMATIONS,
    demoWallets: null,
    signer,
    saltKey: TEST_SALT_KEY,
  }
}

function memberActions(services: Services, testChain: TestChain, wallets: Address[]) {
  const { db, members, ledger, pricing, now } = services
  const signWith = (member: TestMember) => (typedData: string) =>
    testChain.rpc<Hex>('eth_signTypedData_v4', [member.wallet, typedData])
  return {
    /** Signs up the next free wallet under a sponsor (the first is the root) and gives it tokens. */
    async join(sponsor: TestMember | null, side: 'left' | 'right' | 'auto' = 'auto'): Promise<TestMember> {
      const wallet = wallets.shift()!
      const member = await inTx(db, (dbTx) =>
        sponsor === null
          ? members.createRoot(dbTx, wallet)
          : members.join(dbTx, { address: wallet, sponsorId: sponsor.memberId, side }),
      )
      await testChain.fund(wallet, {
        usdt: toChainUnits(parseMicros(START_FUNDS), 6),
        amc: toChainUnits(parseMicros(START_FUNDS), 18),
      })
      return { memberId: member.memberId, address: member.address, wallet }
    },

    /** Grants a member a balance; of assets on chain, the bank receives the same amount. */
    async grant(member: TestMember, asset: 'USDT' | 'AMC' | 'RIF', amount: string): Promise<void> {
      await testChain.fund(testChain.contracts.bank, {
        usdt: asset === 'USDT' ? toChainUnits(parseMicros(amount), 6) : 0n,
        amc: asset === 'AMC' ? toChainUnits(parseMicros(amount), 18) : 0n,
      })
      await ledger.post(db, {
        key: `grant/${crypto.randomUUID()}`,
        kind: 'grant',
        cause: { type: 'test', id: asset },
        accountingDay: now().toISOString().slice(0, 10),
        at: now(),
        lines: [
          {
            memberId: member.memberId,
            asset,
            source: 'external',
            destination: 'available',
            amountMicros: parseMicros(amount),
          },
        ],
      })
    },

    publishPrice: (asset: 'AMC' | 'RIF', price: string) =>
      inTx(db, (dbTx) => pricing.publish(dbTx, { asset, priceMicros: parseMicros(price), actor: 'test' })),

    order: (member: TestMember, level: number, useHashRate = false): Promise<Order> =>
      forAll('writes', () => services.shop.order(db, member, { productId: BigInt(level), useHashRate })),

    /** Requests a withdrawal, signed by the member's wallet. */
    async withdraw(member: TestMember, asset: MoneyAsset, amount: string, address?: string) {
      const { withdrawals, consents } = services
      const order = { asset, amountMicros: parseMicros(amount), address }
      const judged = await withdrawals.judge(db, member.memberId, order)
      const consent = await consents.signWith(member, withdrawalWish(order, judged), signWith(member))
      return inTx(db, (dbTx) => withdrawals.request(dbTx, member.memberId, order, consent))
    },

    /** Approves a withdrawal under audit, by signatures that the signer verifies. */
    approveWithdrawal: ({ memberId }: TestMember, withdrawId: string) =>
      reviewWithdrawals(services, [{ memberId, withdrawId }]),

    /** Sends an amount to another member, signed by the member's wallet. */
    async transfer(member: TestMember, to: TestMember, asset: MoneyAsset, amount: string) {
      const order = { asset, amountMicros: parseMicros(amount), address: to.address }
      const wish = {
        kind: 'transfer',
        asset,
        amount: formatMicros(order.amountMicros),
        to: to.address,
      } as const
      const consent = await services.consents.signWith(member, wish, signWith(member))
      return inTx(db, (dbTx) => services.transfers.transfer(dbTx, member.memberId, order, { consent }))
    },

    async cancelWithdrawal({ memberId }: TestMember, withdrawalId: string) {
      const { withdrawals } = services
      const unclaimed = await withdrawals.requireUnclaimed(db, memberId, BigInt(withdrawalId))
      return inTx(db, (dbTx) => withdrawals.cancel(dbTx, memberId, unclaimed))
    },

    /** Cancels an order of the shop as its route does. */
    cancelOrder: ({ memberId }: TestMember, orderId: string): Promise<Order> =>
      forAll('writes', () => services.shop.cancelUnpaid(db, memberId, BigInt(orderId))),
  }
}

function walletActions({ db, shop, claims }: Services, testChain: TestChain) {
  /**
   * Sends a raw transaction to the node as the member's wallet does. Returns the hash, before it is mined.
   */
  async function submit(member: TestMember, rawTx: Hex, fields: Record<string, string> = {}): Promise<Hash> {
    const { to, data } = parseTransaction(rawTx)
    // Explicit gas, because the node would refuse to estimate a transaction that reverts.
    const request = { from: member.wallet, to, data, gas: '0x7a120', ...fields }
    return testChain.rpc<Hash>('eth_sendTransaction', [request])
  }

  async function receiptOf(hash: Hash): Promise<SentTx> {
    for (;;) {
      const receipt = await testChain.rpc<{ status: Hex; blockNumber: Hex } | null>(
        'eth_getTransactionReceipt',
        [hash],
      )
      if (receipt !== null) {
        const status = receipt.status === '0x1' ? 'success' : 'reverted'
        return { hash, status, blockNumber: BigInt(receipt.blockNumber) }
      }
    }
  }

  const send = async (member: TestMember, rawTx: Hex) => receiptOf(await submit(member, rawTx))

  /** Returns the transactions of both approvals, as the app requests them. */
  async function approve(member: TestMember, orderId: string, useHashRate?: boolean): Promise<void> {
    const request = { memberId: member.memberId, orderId: BigInt(orderId), useHashRate }
    for (const token of ['usdt', 'amc'] as const) {
      const { before, tx } = await shop.approval(db, token, request)
      for (const rawTx of tx === null ? before : [...before, tx]) await send(member, rawTx)
    }
  }

  return {
    submit,
    send,
    receiptOf,
    approve,

    /** Approves and pays an order. Returns the transaction of the payment. */
    async pay(member: TestMember, orderId: string, useHashRate?: boolean): Promise<SentTx> {
      await approve(member, orderId, useHashRate)
      const request = { memberId: member.memberId, orderId: BigInt(orderId), useHashRate }
      return send(member, (await shop.payment(db, request)).tx)
    },

    claim: async (member: TestMember, withdrawalId: string): Promise<SentTx> =>
      send(member, (await claims.voucher(db, member.memberId, BigInt(withdrawalId))).tx),
  }
}

/** Returns all differences that the audit finds, including the bank's holdings; the chain must be final. */
async function audit({ db }: TestDatabase, { chain }: Services) {
  return auditLedger(db, { chain: bankChecks(chain), checks: AUDIT_CHECKS })
}
