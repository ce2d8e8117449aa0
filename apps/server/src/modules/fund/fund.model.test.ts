import { formatMicros } from '@rif/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runs } from '../../testing/level.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createFundBooks } from './testing/fund-books.ts'
import {
  type Command,
  command,
  createSteps,
  createWorld,
  HOUR_MS,
  outcomeOf,
  START,
  type Step,
  type World,
} from './testing/fund-histories.ts'
import { modelBill } from './testing/fund-model-bill.ts'

const HISTORIES = runs({ usual: 1, full: 20 })

/** Compares the units, assets, NAV and queue of every product after each step. */
async function compareProducts({ books, model, productIds }: World): Promise<void> {
  const { rows } = await sql`
    select product_id, units_outstanding, redemptions_approved, redemptions_waiting, units_approved, nav_micros,
      balance as cash, invested_micros, is_invested, closed_reason is not null as closed
    from fund_products join ledger_pool_sums on account = format('fund_custody:%s', product_id)
    order by product_id`.execute(books.db)
  expect(rows).toEqual(
    model.products.map(({ cash, invested, queue, closed }, index) => ({
      product_id: productIds[index],
      cash,
      invested_micros: invested ?? 0n,
      closed,
      is_invested: invested !== null,
      nav_micros: model.navOf(index),
      units_outstanding: model.outstanding(index),
      redemptions_approved: BigInt(queue.length),
      redemptions_waiting: BigInt(model.waiting(index).length),
      units_approved: model.waiting(index).reduce((sum, { units }) => sum + units, 0n),
    })),
  )
}

async function compareMembers({ books, model, members, orders, redemptionIds }: World): Promise<void> {
  for (const [index, { memberId }] of members.entries()) {
    const { available, income } = model.members[index]!
    const { USDT } = await books.services.ledger.balances(books.db, memberId)
    expect([USDT.available, USDT.fund_income]).toEqual([available, income])
  }
  const { fund } = books.services
  for (const [index, lot] of model.lots.entries()) {
    const { memberId } = members[lot.member]!
    expect(await fund.orders.get(books.db, memberId, BigInt(orders[index]!.order_id))).toMatchObject({
      status: lot.status,
      units_left: `${lot.left}`,
      units_redeeming: `${lot.reserved}`,
    })
  }
  for (const [index, { member, status }] of model.redemptions.entries()) {
    const redemption = await fund.redemptions.get(books.db, members[member]!.memberId, redemptionIds[index]!)
    expect(redemption.status).toBe(status)
  }
  expect(await books.operator()).toEqual(model.totals)
}

/** Compares every bill with the model's, and with its recomputation. */
async function compareBills({ books, model, members, productIds }: World): Promise<void> {
  const { fund } = books.services
  const { rows } = await sql<{ member_id: bigint; month: string; bill: string; digest: Buffer }>`
    select member_id, month, bill, digest from fund_bills`.execute(books.db)
  let expected = 0
  const end = books.now().getTime()
  for (let from = Date.parse('2026-01-01'); from < end; ) {
    const month = new Date(from).toISOString().slice(0, 7)
    const to = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)
    if (to > end) break
    for (const [index, { memberId }] of members.entries()) {
      const bill = modelBill(model, index, { from, to })
      if (bill === null) continue
      expected++
      expect(await fund.bills.get(books.db, memberId, month)).toMatchObject({
        income: formatMicros(bill.income),
        income_moved: formatMicros(bill.moved),
        lines: bill.lines.map(({ product, units, figures }) => ({
          product_id: `${productIds[product]!}`,
          opening_units: `${units.opening}`,
          purchased_units: `${units.purchased}`,
          redeemed_units: `${units.redeemed}`,
          closing_units: `${units.closing}`,
          ...Object.fromEntries(
            Object.entries(figures).map(([name, micros]) => [name, formatMicros(micros)]),
          ),
        })),
      })
    }
    from = to
  }
  expect(rows).toHaveLength(expected)
  for (const { member_id, month, bill, digest } of rows)
    expect(await fund.bills.remake(books.db, member_id, month)).toEqual({ bill, digest })
}

/**
 * Expects that all outside money that members did not withdraw is in custodies, with the operator or in
 * suspense.
 */
function expectConserved({ model }: World, cameIn: bigint): void {
  const amounts = [
    ...model.members.flatMap(({ available, income }) => [available, income]),
    ...model.products.map(({ cash }) => cash),
    model.totals.fees,
    model.totals.revenue,
    model.totals.suspense,
  ]
  expect(amounts.reduce((a, b) => a + b, 0n)).toBe(cameIn)
}

async function play(commands: readonly Command[]): Promise<void> {
  const database = await createTestDatabase({ role: 'rif_app' })
  try {
    const books = createFundBooks(database, START)
    const world = await createWorld(books)
    const steps = createSteps(world)
    for (const command of commands) {
      books.advance(1_000)
      const step = (steps[command.do] as (command: Command) => Step | null)(command)
      if (step === null) continue
      const expected = step.model()
      expect([command, await outcomeOf(step.real)]).toEqual([command, expected])
      await compareProducts(world)
    }
    // Past the end of a month, with some redemptions still waiting for cash.
    books.advance(35 * 24 * HOUR_MS)
    await books.services.fund.bills.makeDue(books.db)
    await compareMembers(world)
    await compareBills(world)
    const { rows } = await sql<{ micros: bigint }>`
      select sum(case source when 'external' then amount else -amount end)::bigint as micros
      from ledger_postings where 'external' in (source, destination)`.execute(books.db)
    expectConserved(world, rows[0]!.micros)
    expect(await books.audit()).toEqual([])
  } finally {
    await database.close()
  }
}

test('the fund follows the rules over random histories with rising and falling investments', async () => {
  const history = fc.array(command, { minLength: 60, maxLength: 140, size: 'max' })
  await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES, endOnFailure: true })
})
