import type { FundOrder, Order, Withdrawal } from '@rif/api-schema'
import { MICRO, parseMicros } from '@rif/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyFinal, type ChainEvent } from '../../../chain/indexer/events.ts'
import { type Db, inTrial, inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { createBankEvents } from '../../../simulate/simulated-chain.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createFundBooks, type FundBooks } from '../../fund/testing/fund-books.ts'

const RUNS = runs({ usual: 3, full: 50 })
const STRANGER: Address = `0x${'99'.repeat(20)}`
const MEMBERS = 12

let database: TestDatabase
let books: FundBooks
let bank: ReturnType<typeof createBankEvents>
let members: { memberId: bigint; address: string }[]
let productId: bigint

beforeAll(async () => {
  database = await createTestDatabase({ max: 4 })
  books = createFundBooks(database, '2026-03-10T10:00:00Z')
  bank = createBankEvents(books.services.chain)
  await books.begin()
  const { pricing, hashPowerGrants } = books.services
  await inTx(database.db, async (dbTx) => {
    await pricing.publish(dbTx, { asset: 'AMC', priceMicros: parseMicros('0.5'), actor: 'test' })
    await pricing.publish(dbTx, { asset: 'RIF', priceMicros: parseMicros('0.1'), actor: 'test' })
  })
  members = []
  for (let place = 0; place < MEMBERS; place++) {
    const sponsor = place === 0 ? null : members[Math.floor((place - 1) / 2)]!.memberId
    members.push(await books.join(sponsor, 1_000n * MICRO))
  }
  const by = { preparedBy: 'preparer', approvedBy: 'approver' }
  await inTx(database.db, (dbTx) =>
    hashPowerGrants.give(
      dbTx,
      by,
      members.map(({ memberId }) => ({
        key: `rif/${memberId}`,
        memberId,
        amountMicros: 100_000n * MICRO,
        reason: 'test',
      })),
    ),
  )
  const terms = { minimum: 0n, lockDays: 0, weekdays: [1, 2, 3, 4, 5, 6, 7], subscription: 10_000n }
  productId = await books.open('Fund', { ...terms, redemption: 0n, management: 0n }, MICRO)
})
afterAll(() => database.close())

/**
 * One event or two: a member's action, the deviation of its payment or claim, and whether the event is
 * repeated.
 */
interface Step {
  readonly what: 'package' | 'discounted' | 'fund' | 'withdrawal' | 'unknown'
  readonly who: number
  readonly level: number
  readonly fault: 'none' | 'payer' | 'amount' | 'twice' | 'repeated'
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('package', 'package', 'package', 'discounted', 'fund', 'withdrawal', 'unknown'),
  who: fc.integer({ min: 0, max: MEMBERS - 1 }),
  level: fc.integer({ min: 1, max: 5 }),
  fault: fc.constantFrom('none', 'none', 'none', 'payer', 'amount', 'twice', 'repeated'),
})

/** Creates the subject of a step, and returns its events. */
async function eventsOf(dbTx: Db, { what, who, level, fault }: Step, nonce: number): Promise<ChainEvent[]> {
  const { shop, fund, withdrawals, withdrawalReview, now } = books.services
  const member = members[who]!
  if (what === 'withdrawal') {
    const wish = { asset: 'USDT', amountMicros: 20n * MICRO, address: undefined } as const
    let withdrawal: Withdrawal = await withdrawals.request(dbTx, member.memberId, wish)
    const withdrawalId = BigInt(withdrawal.withdraw_id)
    if (withdrawal.status === 'Auditing')
      await withdrawalReview.decide(dbTx, {
        memberId: member.memberId,
        withdrawalId,
        approve: true,
        actor: 'test',
        reason: 'test',
      })
    withdrawal = (await withdrawals.list(dbTx, member.memberId, { limit: 1 })).items[0]!
    const claim = bank.claimed(withdrawal, now())
    const wrong = { ...claim, args: { ...claim.args, amount: claim.args.amount + 1n } }
    return variants(fault === 'amount' || fault === 'payer' ? wrong : claim, fault)
  }
  let order: Order | FundOrder
  if (what === 'fund')
    order = await fund.orders.buy(dbTx, member, { productId, units: 5n, payWith: 'wallet' })
  else
    order = await shop.create(dbTx, member, {
      productId: BigInt(level),
      useHashRate: what === 'discounted',
    })
  const paid =
    what === 'fund' ? books.payment(order as FundOrder, 'none').event : bank.orderPaid(order as Order, now())
  // No event of the books and the bank may have the position of another.
  const placed = { ...paid, blockNumber: BigInt(nonce), logIndex: nonce }
  const { args } = placed
  if (what === 'unknown') return [{ ...placed, args: { ...args, orderId: args.orderId + 1_000_000n } }]
  if (fault === 'payer') return [{ ...placed, args: { ...args, payer: STRANGER } }]
  if (fault === 'amount') return [{ ...placed, args: { ...args, usdtAmount: args.usdtAmount + 1n } }]
  return variants(placed, fault)
}

/** Returns an event, and for some faults a second one: a repetition, or the same by another transaction. */
function variants<E extends ChainEvent>(event: E, fault: Step['fault']): E[] {
  if (fault === 'repeated') return [event, event]
  if (fault !== 'twice') return [event]
  return [event, { ...event, txHash: event.txHash.replace(/^0x../, '0xff') as typeof event.txHash }]
}

/** Returns all rows that events write, with sequence numbers replaced by ranks. */
async function allRows(dbTx: Db): Promise<string[]> {
  const tables: [table: string, without: string[]][] = [
    'ledger_entries',
    'ledger_heads',
    'ledger_pool_sums',
    'ledger_pool_day_sums',
    'members',
    'member_levels',
    'member_days',
    'reward_batches',
    'reward_days',
    'reward_totals',
    'reward_coverage',
    'sales_days',
    'unmatched_payments',
    'unmatched_claims',
    'withdrawals',
    'fund_orders',
    'fund_products',
    'packages',
  ].map((table) => [table, []])
  tables.push(['rewards', ['reward_id']], ['orders', ['paid_sequence']], ['notices', ['notice_id']])
  const lines: string[] = []
  for (const [table, without] of tables) {
    const { rows } = await sql<{ line: string }>`
      select to_jsonb(t) - ${without}::text[] as line from ${sql.table(table)} as t`.execute(dbTx)
    lines.push(...rows.map(({ line }) => `${table} ${JSON.stringify(line)}`))
  }
  const { rows: flows } = await sql`
    select accounting_day, kind, asset, source, destination, sum(amount) as amount, sum(postings) as postings
    from ledger_flow_sums group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(dbTx)
  const { rows: places } = await sql<{ order_id: bigint }>`
    select order_id from orders where status = 'Paid' order by paid_sequence`.execute(dbTx)
  const teams = []
  for (const { memberId } of members) teams.push(await books.services.placement.team(dbTx, memberId))
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}` : item))
  return [...lines.sort(), text(flows), text(places), text(teams)]
}

test('many events in one transaction have the same effect as one by one, however they are grouped', async () => {
  const { eventHandlers } = books.services
  let events = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 25 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 30, maxLength: 30 }),
      async (steps, sizes) => {
        await inTx(database.db, (dbTx) =>
          inTrial(dbTx, async () => {
            const line: ChainEvent[] = []
            for (const [place, plannedStep] of steps.entries()) {
              // A rule may refuse a step, such as a second open order of a package.
              const made = await eventsOf(dbTx, plannedStep, 1_000 + place).catch((error: unknown) => {
                if (error instanceof AppError) return []
                throw error
              })
              line.push(...made)
            }
            events += line.length
            const inTurn = await inTrialOf(dbTx, async () => {
              for (const event of line) await applyFinal(eventHandlers, dbTx, [event])
            })
            const together = await inTrialOf(dbTx, async () => {
              for (let at = 0, batch = 0; at < line.length; at += sizes[batch]!, batch++)
                await applyFinal(eventHandlers, dbTx, line.slice(at, at + sizes[batch]!))
            })
            expect(together).toEqual(inTurn)
          }),
        )
      },
    ),
    { numRuns: RUNS },
  )
  expect(events).toBeGreaterThan(RUNS)
})

/** Does some work, returns all rows, and rolls back. The sequences of orders and rewards advance. */
async function inTrialOf(dbTx: Db, work: () => Promise<void>): Promise<string[]> {
  await sql`savepoint part`.execute(dbTx)
  await work()
  await sql`set constraints all immediate`.execute(dbTx)
  const rows = await allRows(dbTx)
  await sql`rollback to savepoint part`.execute(dbTx)
  return rows
}
