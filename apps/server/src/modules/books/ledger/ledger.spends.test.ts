import { formatMicros, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createServices, type Services } from '../../../services.ts'
import { NO_SIGNER } from '../../../signer/protocol.ts'
import { addressOf, simulatedChain } from '../../../simulate/simulated-chain.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { EXCHANGE_CHECKS } from '../../exchange/audit.ts'
import { FUND_CHECKS } from '../../fund/audit.ts'
import { TRANSFER_CHECKS } from '../../leaving/transfers/audit.ts'
import { WITHDRAWAL_CHECKS } from '../../leaving/withdrawals/audit.ts'
import { REWARD_CHECKS } from '../../rewards/audit.ts'
import { SAVINGS_CHECKS } from '../../savings/audit.ts'
import { SHOP_CHECKS } from '../../shop/audit.ts'
import { auditLedger } from './audit.ts'

const M = 1_000_000n
/** The errors of a spend above the balance. */
const REFUSALS = ['INSUFFICIENT_BALANCE', 'DAILY_LIMIT', 'ORDER_OPEN']

let database: TestDatabase
let services: Services
let root: bigint
let friend: { memberId: bigint; address: string }
let productId: bigint
let launchId: bigint
let nonce = 0

beforeAll(async () => {
  database = await createTestDatabase({ max: 20, role: 'rif_app' })
  services = createServices({
    db: database.db,
    now: () => new Date(),
    chain: simulatedChain(),
    log: createLogger({ level: 'silent' }),
    settings: {
      version: 'test',
      publicUrl: 'http://localhost',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
      membersSign: false,
    },
  })
  await services.plans.ensureDefault(database.db)
  for (const asset of ['AMC', 'RIF'] as const) {
    const price = { asset, priceMicros: M, actor: 'test' }
    await inTx(database.db, (dbTx) => services.pricing.publish(dbTx, price))
  }
  const created = await inTx(database.db, (dbTx) => services.members.createRoot(dbTx, addressOf('root')))
  root = created.memberId
  friend = await member({})
  await openFundAndLaunch()
})
afterAll(() => database.close())

const ASSETS = ['USDT', 'AMC', 'RIF', 'DIV', 'VC'] as const
type Asset = (typeof ASSETS)[number]

async function member(has: Partial<Record<Asset, bigint>>) {
  const name = `member ${nonce++}`
  const { memberId, address } = await inTx(database.db, (dbTx) =>
    services.members.join(dbTx, { address: addressOf(name), sponsorId: root, side: 'auto' }),
  )
  const at = services.now()
  for (const [asset, amountMicros] of Object.entries(has) as [Asset, bigint][]) {
    await services.ledger.post(database.db, {
      key: `gift/${asset}/${memberId}`,
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      accountingDay: at.toISOString().slice(0, 10),
      at,
      lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
    })
  }
  return { memberId, address }
}

type Spender = Awaited<ReturnType<typeof member>>
interface Spend {
  readonly way: 'transfer' | 'savings' | 'withdrawal' | 'order' | 'hashPower' | 'exchange' | 'launch' | 'fund'
  readonly asset: 'USDT' | 'AMC'
  readonly amount: bigint
  readonly level: number
}

/** The amounts that a spend takes from `available`, and those that it adds. */
type Taken = readonly (readonly [asset: Asset, micros: bigint])[]

/**
 * Spends from `available`: USDT or AMC by transfer, savings or withdrawal, USDT for fund units, AMC for RIF,
 * RIF for DIV, VC or an order's discount, VC in a launch.
 */
async function spend(spender: Spender, { way, asset, amount, level }: Spend): Promise<Taken> {
  const { db } = database
  const { memberId } = spender
  const order = { asset, amountMicros: amount }
  const { transfers, savings, withdrawals, shop, hashPower, exchange, launches, fund } = services
  // A quote takes nothing. It is used in its own transaction, as by another request.
  if (way === 'hashPower') {
    const { quote_id } = await inTx(db, (dbTx) => hashPower.quote(dbTx, memberId, amount))
    const done = await inTx(db, (dbTx) => hashPower.buy(dbTx, memberId, BigInt(quote_id)))
    return [['AMC', amount] as const, ['RIF', -parseMicros(done.receives)] as const]
  }
  if (way === 'exchange') {
    const to = level % 2 === 0 ? 'DIV' : 'VC'
    const { quote_id } = await inTx(db, (dbTx) => exchange.quote(dbTx, memberId, { to, rifMicros: amount }))
    const done = await inTx(db, (dbTx) => exchange.make(dbTx, memberId, BigInt(quote_id)))
    return [['RIF', amount] as const, [to, -parseMicros(done.receives)] as const]
  }
  return inTx(db, async (dbTx): Promise<Taken> => {
    if (way === 'order') {
      const request = { productId: BigInt(level), useHashRate: true }
      const { quote } = await shop.create(dbTx, spender, request)
      return [['RIF', parseMicros(quote.rif)]]
    }
    if (way === 'fund') {
      const request = { productId, units: amount / M, payWith: 'available' } as const
      return [['USDT', parseMicros((await fund.orders.buy(dbTx, spender, request)).total)]]
    }
    if (way === 'launch') {
      await launches.subscribe(dbTx, memberId, { launchId, vcMicros: amount })
      return [['VC', amount]]
    }
    if (way === 'transfer') await transfers.transfer(dbTx, memberId, { ...order, address: friend.address })
    else if (way === 'savings') await savings.transferIn(dbTx, memberId, order)
    else await withdrawals.request(dbTx, memberId, { ...order, address: undefined })
    return [[asset, amount]]
  })
}

/** Creates a fund product whose units cost one USDT plus one percent, and an open launch. */
async function openFundAndLaunch(): Promise<void> {
  const [preparer, approver] = [{ actor: 'one' }, { actor: 'other' }]
  const { fund, launchReview } = services
  await inTx(database.db, async (dbTx) => {
    const terms = {
      minimumMicros: M,
      lockDays: 0,
      redeemableWeekdays: [1, 2, 3, 4, 5, 6, 7],
      subscriptionPpm: 10_000,
      redemptionPpm: 0,
      managementPpm: 0,
    }
    const draft = { name: 'Notes', introduction: { en: 'Notes' }, riskLevel: 1, documents: [], terms }
    const prepared = await fund.products.prepare(dbTx, {
      ...draft,
      estimatedAnnualReturnPpm: 0,
      openingMicros: M,
      ...preparer,
    })
    productId = prepared.productId
    await fund.products.approve(dbTx, { productId, ...approver })

    const startsAt = services.now()
    const launch = await launchReview.prepare(dbTx, {
      name: 'Launch',
      introduction: 'Launch',
      allocationMicros: M,
      priceMicros: M,
      startsAt,
      endsAt: new Date(startsAt.getTime() + 86_400_000),
      ...preparer,
    })
    launchId = launch.launchId
    await launchReview.review(dbTx, { launchId, approve: true, ...approver })
  })
}

const micros = (most: number) => fc.integer({ min: 2_000_000, max: most }).map(BigInt)
const anySpend: fc.Arbitrary<Spend> = fc.record({
  way: fc.constantFrom(
    ...(['transfer', 'savings', 'withdrawal', 'order', 'hashPower', 'exchange', 'launch', 'fund'] as const),
  ),
  asset: fc.constantFrom('USDT', 'AMC'),
  amount: micros(40_000_000),
  level: fc.integer({ min: 1, max: 5 }),
})

test('concurrent spends of one balance in every way never overdraw it and never spend it twice', async () => {
  const most = micros(90_000_000)
  const balance = fc.record({ USDT: most, AMC: most, RIF: most, VC: most })
  await fc.assert(
    fc.asyncProperty(balance, fc.array(anySpend, { minLength: 8, maxLength: 24 }), async (has, spends) => {
      const spender = await member(has)
      const outcomes = await Promise.allSettled(spends.map((item) => spend(spender, item)))
      const left: Record<Asset, bigint> = { DIV: 0n, ...has }
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') {
          for (const [asset, micros] of outcome.value) left[asset] -= micros
        } else {
          expect(outcome.reason).toBeInstanceOf(AppError)
          expect(REFUSALS).toContain(outcome.reason.code)
        }
      }
      const balances = await services.ledger.balances(database.db, spender.memberId)
      for (const asset of ASSETS) {
        expect(formatMicros(balances[asset].available)).toBe(formatMicros(left[asset]))
        expect(balances[asset].available >= 0n).toBe(true)
      }
      // A member left with more than the smallest refused amount was refused for a reason other than the
      // balance.
      outcomes.forEach((outcome, index) => {
        const { way, asset, amount } = spends[index]!
        // RIF and VC are also received during the run, and units cost a fee.
        if (outcome.status === 'fulfilled' || !['transfer', 'savings', 'withdrawal'].includes(way)) return
        if (outcome.reason.code === 'INSUFFICIENT_BALANCE') {
          expect(amount > balances[asset].available).toBe(true)
        }
      })
    }),
    { numRuns: runs({ usual: 3, full: 50 }) },
  )
  const checks = [
    ...SHOP_CHECKS,
    ...REWARD_CHECKS,
    ...WITHDRAWAL_CHECKS,
    ...SAVINGS_CHECKS,
    ...TRANSFER_CHECKS,
    ...EXCHANGE_CHECKS,
    ...FUND_CHECKS,
  ]
  expect(await auditLedger(database.db, { checks })).toEqual([])
})
