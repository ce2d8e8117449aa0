import { formatMicros } from '@rif/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import { createLogger } from '../../lib/logger.ts'
import { createServices, type Services } from '../../services.ts'
import { addressOf, simulatedChain } from '../../simulate/simulated-chain.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { REWARD_CHECKS } from '../rewards/rewards.audit.ts'
import { SAVINGS_CHECKS } from '../savings/savings.audit.ts'
import { SHOP_CHECKS } from '../shop/shop.audit.ts'
import { TRANSFER_CHECKS } from '../transfers/transfers.audit.ts'
import { WITHDRAWAL_CHECKS } from '../withdrawals/withdrawals.audit.ts'
import { auditLedger } from './ledger.audit.ts'

const NO_KEY = `0x${'11'.repeat(32)}` as const
const M = 1_000_000n
/** What the rules say to whoever asks for more than is left. */
const REFUSALS = ['INSUFFICIENT_BALANCE', 'DAILY_LIMIT', 'ORDER_OPEN']

let database: TestDatabase
let services: Services
let root: bigint
let friend: { memberId: bigint; address: string }
let nonce = 0

beforeAll(async () => {
  database = await createTestDatabase({ max: 20, role: 'rif_app' })
  services = createServices({
    ...{ db: database.db, now: () => new Date(), chain: simulatedChain() },
    log: createLogger({ level: 'silent' }),
    settings: {
      ...{ version: 'test', publicUrl: 'http://localhost', browserRpcUrl: '', explorerUrl: null },
      ...{ confirmations: 1, demoWallets: null, quoteSignerKey: NO_KEY, claimSignerKey: NO_KEY },
    },
  })
  await services.plans.ensureDefault(database.db)
  for (const asset of ['AMC', 'RIF'] as const) {
    const price = { asset, priceMicros: M, actor: 'test' }
    await inDbTx(database.db, (dbTx) => services.pricing.publish(dbTx, price))
  }
  const created = await inDbTx(database.db, (dbTx) => services.members.createRoot(dbTx, addressOf('root')))
  root = created.memberId
  friend = await member({})
})
afterAll(() => database.close())

type Asset = 'USDT' | 'AMC' | 'RIF'

async function member(has: Partial<Record<Asset, bigint>>) {
  const name = `member ${nonce++}`
  const { memberId, address } = await inDbTx(database.db, (dbTx) =>
    services.members.join(dbTx, { address: addressOf(name), sponsorId: root, side: 'auto' }),
  )
  const at = services.now()
  for (const [asset, amountMicros] of Object.entries(has) as [Asset, bigint][]) {
    await services.ledger.post(database.db, {
      ...{ key: `gift/${asset}/${memberId}`, kind: 'grant', cause: { type: 'test', id: '1' } },
      ...{ accountingDay: at.toISOString().slice(0, 10), at },
      lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
    })
  }
  return { memberId, address }
}

type Spender = Awaited<ReturnType<typeof member>>
interface Spend {
  readonly way: 'transfer' | 'savings' | 'withdrawal' | 'order'
  readonly asset: 'USDT' | 'AMC'
  readonly amount: bigint
  readonly level: number
}

/** Spends out of `available`: USDT or AMC by three ways, RIF by the discount of an order. Returns what it took. */
async function spend(spender: Spender, { way, asset, amount, level }: Spend): Promise<[Asset, bigint]> {
  const { memberId } = spender
  const order = { asset, amountMicros: amount }
  return inDbTx(database.db, async (dbTx): Promise<[Asset, bigint]> => {
    if (way === 'order') {
      const request = { productId: BigInt(level), useHashRate: true }
      const { quote } = await services.shop.create(dbTx, spender, request)
      return ['RIF', BigInt(quote.rif.replace('.', ''))]
    }
    if (way === 'transfer')
      await services.transfers.transfer(dbTx, memberId, { ...order, address: friend.address })
    else if (way === 'savings') await services.savings.transferIn(dbTx, memberId, order)
    else await services.withdrawals.request(dbTx, memberId, { ...order, address: undefined })
    return [asset, amount]
  })
}

const micros = (most: number) => fc.integer({ min: 2_000_000, max: most }).map(BigInt)
const anySpend: fc.Arbitrary<Spend> = fc.record({
  way: fc.constantFrom('transfer', 'savings', 'withdrawal', 'order'),
  asset: fc.constantFrom('USDT', 'AMC'),
  amount: micros(40_000_000),
  level: fc.integer({ min: 1, max: 5 }),
})

test('one balance through transfer, savings, order and withdrawal at once: never negative, never twice', async () => {
  const balance = fc.record({ USDT: micros(90_000_000), AMC: micros(90_000_000), RIF: micros(90_000_000) })
  await fc.assert(
    fc.asyncProperty(balance, fc.array(anySpend, { minLength: 8, maxLength: 24 }), async (has, spends) => {
      const spender = await member(has)
      const outcomes = await Promise.allSettled(spends.map((one) => spend(spender, one)))
      const spent: Record<Asset, bigint> = { USDT: 0n, AMC: 0n, RIF: 0n }
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') spent[outcome.value[0]] += outcome.value[1]
        else {
          expect(outcome.reason).toBeInstanceOf(AppError)
          expect(REFUSALS).toContain(outcome.reason.code)
        }
      }
      const balances = await services.ledger.balances(database.db, spender.memberId)
      for (const asset of ['USDT', 'AMC', 'RIF'] as const) {
        expect(formatMicros(balances[asset].available)).toBe(formatMicros(has[asset] - spent[asset]))
        expect(balances[asset].available >= 0n).toBe(true)
      }
      // Whoever is left with more than the smallest refused amount was refused for another reason than the balance.
      outcomes.forEach((outcome, index) => {
        const { way, asset, amount } = spends[index]!
        if (outcome.status === 'fulfilled' || way === 'order') return
        if (outcome.reason.code === 'INSUFFICIENT_BALANCE') {
          expect(amount > balances[asset].available).toBe(true)
        }
      })
    }),
    { numRuns: 25 },
  )
  const checks = [
    ...[...SHOP_CHECKS, ...REWARD_CHECKS, ...WITHDRAWAL_CHECKS, ...SAVINGS_CHECKS, ...TRANSFER_CHECKS],
  ]
  expect(await auditLedger(database.db, { checks })).toEqual([])
}, 120_000)
