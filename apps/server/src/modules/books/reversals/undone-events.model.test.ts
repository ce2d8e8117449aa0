import { formatMicros } from '@rif/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import { AppError } from '../../../lib/errors.ts'
import { depositRevenue, recover } from '../../../testing/bank-actions.ts'
import { runs } from '../../../testing/level.ts'
import {
  CONFIRMATIONS,
  startTestProduct,
  type TestMember,
  type TestProduct,
} from '../../../testing/test-product.ts'

const MEMBERS = 5
const BLOCKS_TO_FINALITY = 8
const RUNS = runs({ usual: 2, full: 20 })

let product: TestProduct
const members: TestMember[] = []

beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: BLOCKS_TO_FINALITY })
  await product.publishPrice('AMC', '0.5')
  members.push(await product.join(null))
  while (members.length < MEMBERS) members.push(await product.join(members[Math.floor(members.length / 2)]!))
  await product.finalise()
})
afterAll(() => product.stop())

/** A step of a history: the member, and the amount or depth. Depths beyond L1 finality need a recovery. */
const step = fc.record({
  kind: fc.constantFrom(
    'pay',
    'pay',
    'pay',
    'spend',
    'claim',
    'deposit',
    'reorganise',
    'reorganise',
    'collect',
  ),
  who: fc.nat({ max: MEMBERS - 1 }),
  depth: fc.integer({ min: 1, max: 2 * BLOCKS_TO_FINALITY }),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const available = async ({ memberId }: TestMember) =>
  (await product.services.ledger.balances(product.db, memberId)).USDT.available

const steps: Readonly<Record<Step['kind'], (member: TestMember, step: Step) => Promise<unknown>>> = {
  async pay(member, { depth }) {
    const open = await product.services.shop.list(product.db, member.memberId, { status: 'UnPaid', limit: 1 })
    const orderId = open.items[0]?.order_id ?? (await product.order(member, 1 + (depth % 3))).order_id
    await product.pay(member, orderId)
    await product.finalise()
  },
  async spend(member, { who }) {
    const friend = members[(who + 1) % MEMBERS]!
    await product.transfer(member, friend, 'USDT', formatMicros(await available(member)))
  },
  async claim(member) {
    const { withdraw_id: id } = await product.withdraw(member, 'USDT', '2')
    await product.testChain.mine(BLOCKS_TO_FINALITY)
    await product.indexer.runOnce()
    await product.claim(member, id)
    await product.finalise()
  },
  async deposit(member) {
    await depositRevenue(product, member, { amountMicros: 1_000_000n, text: 'rent' })
    await product.finalise()
  },
  async reorganise(_member, { depth }) {
    await product.testChain.rpc('anvil_reorg', [depth, []])
    await product.testChain.mine(CONFIRMATIONS)
    await product.indexer.runOnce().catch(() => undefined)
    await recover(product)
    await product.finalise()
  },
  collect: () => product.services.reversals.collectDebts(product.db),
}

async function deposited(): Promise<bigint> {
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(sum(amount_micros), 0)::bigint as micros from revenue_deposits`.execute(product.db)
  return rows[0]!.micros
}

/**
 * Returns the liabilities to members and pools, less the bank's holdings and the amount that the operator has
 * to cover.
 */
async function uncovered(): Promise<{ asset: string; micros: string }[]> {
  const { rows } = await sql<{ asset: string; micros: string }>`
    select asset, sum(balance)::text as micros from (
      select asset, balance from ledger_balances
      union all select asset, delta from ledger_flow_sums, lateral (values (source, -amount), (destination, amount)) as side (account, delta)
        where ledger_account_class(account) <> 'member') as held
    where asset in ('USDT', 'AMC') group by asset having sum(balance) <> 0`.execute(product.db)
  return rows
}

test('after random payments, claims, deposits, spends and reorganisations the books agree', async () => {
  const seen = { undone: 0, recoveries: 0, debts: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (history) => {
      for (const move of history) {
        await steps[move.kind](members[move.who]!, move).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
        })
        seen.debts += (await product.services.reversals.debts(product.db)).length
      }
      await product.finalise()
      const [surplus, ...others] = await product.audit()
      expect(others).toEqual([])
      // Unattested deposits of revenue are the bank's only surplus.
      expect(BigInt(surplus?.actual ?? 0) - BigInt(surplus?.expected ?? 0)).toBe(await deposited())
      expect(await uncovered()).toEqual([])
      expect(await indexerStatus(product.db, product.chain.chainId)).toMatchObject({ halted: false })
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  const count = async (table: 'chain_undone' | 'chain_recoveries') =>
    (await product.db.selectFrom(table).selectAll().execute()).length
  seen.undone = await count('chain_undone')
  seen.recoveries = await count('chain_recoveries')
  expect(seen.undone).toBeGreaterThan(0)
})
