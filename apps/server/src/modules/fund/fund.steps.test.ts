import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainExit } from '../../chain/bank-exits.ts'
import type { EventPlace } from '../../chain/indexer/events.ts'
import { type Db, inTx } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { auditLedger } from '../books/ledger/audit.ts'
import { FUND_CHECKS } from './audit.ts'
import { createFundBooks, type FundBooks, usdt } from './testing/fund-books.ts'
import { TREASURY_CHECKS } from './treasury/audit.ts'
import { type ExitRow, findExit } from './treasury/treasury.repository.ts'

const HOUR_MS = 3_600_000
const DESTINATION = `0x${'5'.repeat(40)}`
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]
const EVIDENCE = { heldAt: 'the custodian', document: null }
const PAPER = { title: 'Contract', mediaType: 'text/plain', content: Buffer.from('bonds') }
const TABLES = [
  'ledger_entries',
  'ledger_balances',
  'ledger_pool_sums',
  'fund_products',
  'fund_orders',
  'fund_redemptions',
  'fund_investments',
  'fund_valuations',
  'fund_valuation_lines',
  'fund_navs',
  'exits',
  'fund_income',
  'admin_actions',
  'deposit_uses',
  'fund_documents',
]

let database: TestDatabase
let books: FundBooks
let members: { memberId: bigint; address: string }[]
let nonce = 0

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app', max: 16 })
  books = createFundBooks(database, '2026-01-05T10:00:00Z')
  await books.begin()
  const root = await books.join(null, usdt(10_000))
  members = [
    root,
    await books.join(root.memberId, usdt(10_000)),
    await books.join(root.memberId, usdt(10_000)),
  ]
  const { chain, exitDestinations } = books.services
  await inTx(database.db, (dbTx) =>
    exitDestinations.approve(dbTx, {
      address: DESTINATION,
      name: 'Custodian',
      purpose: 'bonds',
      preparedBy: 'anna',
      approvedBy: 'ben',
    }),
  )
  const listed = JSON.stringify({ destination: getAddress(DESTINATION) })
  await sql`
    insert into chain_events (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args,
      state, told, told_at)
    values (${chain.chainId}, 'listed', 0, 1, now(), 'listed', ${chain.contracts.bank}, 'DestinationListed',
      ${listed}::jsonb, 'final', 'final', now())`.execute(database.adminDb)
})
afterAll(() => database.close())

const open = () => {
  const terms = { minimum: 0n, lockDays: 0, weekdays: ALL_DAYS }
  const fees = { subscription: 10_000n, redemption: 5_000n, management: 200_000n }
  return books.open(`Product ${++nonce}`, { ...terms, ...fees }, usdt(10))
}
/** The exits and their events are not in `chain_events`. */
const audit = async () =>
  (await auditLedger(database.db, { checks: [...FUND_CHECKS, ...TREASURY_CHECKS] })).filter(
    ({ check }) => check !== 'exit event',
  )

class Died extends Error {}

/** Returns a database transaction that fails before its statement with the given number. */
function dyingAt(dbTx: Db, statement: number): Db {
  let count = 0
  return dbTx.withPlugin({
    transformQuery({ node }) {
      if (++count === statement) throw new Died()
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

/** Returns a digest of all that the steps of a fund write. */
async function digest(): Promise<string> {
  const lines = TABLES.map((table) => `select row_to_json(t)::text as line from ${table} as t`)
  const { rows } = await sql<{ digest: string }>`
    select md5(string_agg(line, ';' order by line)) as digest from (${sql.raw(lines.join(' union all '))}) as content`.execute(
    database.adminDb,
  )
  return rows[0]!.digest
}

/**
 * Fails a step before each of its statements in turn, and then lets it succeed. Returns the number of its
 * statements.
 */
async function dieEverywhere(step: (dbTx: Db) => Promise<unknown>): Promise<number> {
  const before = await digest()
  for (let statement = 1; ; statement++) {
    const run = inTx(database.db, (dbTx) => step(dyingAt(dbTx, statement)))
    const isWhole = await run.then(
      () => true,
      (error) => {
        if (error instanceof Died) return false
        throw error
      },
    )
    if (isWhole) return statement - 1
    expect(await digest()).toBe(before)
  }
}

/** Creates the steps of an exit, in the order of its events. */
function exitSteps(exit: () => ExitRow) {
  const { chain, exitEvents, now } = books.services
  const blockAt = now()
  const event = (txHash: string): EventPlace => ({
    blockNumber: 1n,
    blockHash: '0x',
    blockAt,
    txHash: txHash as Hex,
    logIndex: 0,
    contract: chain.contracts.bank,
  })
  const args = () => chainExit(chain, exit())
  const executableAt = () => BigInt(Math.floor(blockAt.getTime() / 1_000))
  const announced = () => ({
    ...event(`0xa${exit().exitId}`),
    name: 'ExitAnnounced' as const,
    args: { ...args(), executableAt: executableAt() },
  })
  const executed = () => ({
    ...event(`0xe${exit().exitId}`),
    name: 'ExitExecuted' as const,
    args: args(),
  })
  return {
    announce: (dbTx: Db) => exitEvents.ExitAnnounced.onFinal(dbTx, announced()),
    execute: (dbTx: Db) => exitEvents.ExitExecuted.onFinal(dbTx, executed()),
    undo: (dbTx: Db) => exitEvents.ExitExecuted.onUndone!(dbTx, executed()),
  }
}

const approveInvestment = (dbTx: Db, productId: bigint, amountMicros: bigint) =>
  books.services.exits.approveInvestment(dbTx, {
    productId,
    amountMicros,
    destination: DESTINATION,
    preparedBy: 'anna',
    approvedBy: 'ben',
    evidence: { heldAt: 'the custodian', document: PAPER },
  })

test('a fund step that fails at any statement has no effect, and takes effect once when retried', async () => {
  const { fund, exits } = books.services
  const [, member, other] = members as [never, (typeof members)[0], (typeof members)[0]]
  const productId = await open()
  let exit: ExitRow
  let valuationId: bigint
  let redemptionId: bigint
  const steps = exitSteps(() => exit)
  const buy = (who: typeof member) => (dbTx: Db) =>
    fund.orders.buy(dbTx, who, { productId, units: 10n, payWith: 'available' })
  const propose = (valueMicros: bigint, amountMicros?: bigint) => async (dbTx: Db) => {
    const draft = { productId, valueMicros, amountMicros, evidence: EVIDENCE, actor: 'anna' }
    valuationId = (await fund.valuations.propose(dbTx, draft)).valuation_id
  }
  const subject = () => ({ memberId: member.memberId, redemptionId })
  const request = async (dbTx: Db) => {
    redemptionId = BigInt(
      (await fund.redemptions.request(dbTx, member.memberId, productId, 4n)).redemption_id,
    )
  }
  const approve = (dbTx: Db) => fund.valuations.approve(dbTx, { valuationId, actor: 'ben' })
  const review = (dbTx: Db) =>
    fund.review.review(dbTx, { ...subject(), approve: true, reason: 'fine', actor: 'anna' })
  const confirm = (dbTx: Db) => fund.review.confirm(dbTx, { ...subject(), actor: 'ben' })
  const sequence: Record<string, (dbTx: Db) => Promise<unknown>> = {
    'a purchase': buy(member),
    'another purchase': buy(other),
    'an approved investment': async (dbTx) => {
      exit = await approveInvestment(dbTx, productId, usdt(50))
    },
    'an exit given up': (dbTx) =>
      exits.withdraw(dbTx, { exitId: exit.exitId, actor: 'anna', reason: 'as tested' }),
    'an investment again': async (dbTx) => {
      exit = await approveInvestment(dbTx, productId, usdt(150))
    },
    announced: steps.announce,
    executed: steps.execute,
    undone: steps.undo,
    'executed again': steps.execute,
    'a proposed valuation': propose(usdt(190)),
    'an approved valuation': approve,
    'a request': request,
    'a review': review,
    'a confirmation': confirm,
    'a cancellation': (dbTx) => fund.redemptions.cancel(dbTx, member.memberId, redemptionId),
    'a second request': request,
    'its review': review,
    'its confirmation': confirm,
    'a proposed divestment': propose(usdt(100), usdt(90)),
    'an approved divestment': approve,
  }
  for (const [name, step] of Object.entries(sequence)) {
    const statements = await dieEverywhere(step)
    expect(statements, name).toBeGreaterThan(1)
  }
  books.advance(72 * HOUR_MS)
  await dieEverywhere((dbTx) => fund.payouts.payDue(dbTx))
  expect(await fund.redemptions.get(database.db, member.memberId, redemptionId!)).toMatchObject({
    status: 'Completed',
    nav: '12.000000',
  })
  // Repeated messages change nothing.
  const after = await digest()
  await inTx(database.db, steps.announce)
  await inTx(database.db, steps.execute)
  expect(await fund.payouts.payDue(database.db)).toBe(0)
  expect(await digest()).toBe(after)
  expect(await audit()).toEqual([])
})

test('concurrent operations on one product neither deadlock nor break the books', async () => {
  const { fund } = books.services
  const productId = await open()
  const deadlocks = async () => {
    const { rows } = await sql<{ count: bigint }>`
      select deadlocks as count from pg_stat_database where datname = current_database()`.execute(
      database.adminDb,
    )
    return rows[0]!.count
  }
  const buy = (place: number) =>
    inTx(database.db, (dbTx) =>
      fund.orders.buy(dbTx, members[place]!, { productId, units: 6n, payWith: 'available' }),
    )
  const redeem = async (place: number) => {
    const { memberId } = members[place]!
    const redemption = await inTx(database.db, (dbTx) =>
      fund.redemptions.request(dbTx, memberId, productId, 2n),
    )
    await books.decide(memberId, BigInt(redemption.redemption_id), true)
  }
  const carryOut = async () => {
    const placed = await inTx(database.db, (dbTx) => approveInvestment(dbTx, productId, usdt(20)))
    const exit = (await findExit(database.db, placed.exitId))!
    const { announce, execute } = exitSteps(() => exit)
    await inTx(database.db, announce)
    await Promise.all([inTx(database.db, execute), inTx(database.db, execute)])
  }
  const giveUp = async () => {
    const { exitId } = await inTx(database.db, (dbTx) => approveInvestment(dbTx, productId, usdt(5)))
    const reason = { actor: 'anna', reason: 'as tested' }
    await inTx(database.db, (dbTx) => books.services.exits.withdraw(dbTx, { exitId, ...reason }))
  }
  await Promise.all([buy(0), buy(1), buy(2)])
  const before = await deadlocks()
  const refusals = new Set<string>()
  for (let round = 1; round <= 4; round++) {
    const outcomes = await Promise.allSettled([
      buy(0),
      buy(1),
      buy(2),
      redeem(0),
      redeem(1),
      redeem(2),
      carryOut(),
      carryOut(),
      giveUp(),
      books.value(productId, usdt(20 * round)),
      books.divest(productId, usdt(3), usdt(20 * round)),
      fund.payouts.payDue(database.db),
      fund.payouts.payDue(database.db),
    ])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') refusals.add(outcome.reason.code ?? `${outcome.reason}`)
    books.advance(73 * HOUR_MS)
    await books.value(productId, usdt(20 * round)).catch((error) => refusals.add(error.code))
    await Promise.all([fund.payouts.payDue(database.db), fund.payouts.payDue(database.db)])
    expect(await audit()).toEqual([])
  }
  const expected = ['NOT_FIRST', 'NOTHING_INVESTED', 'NAV_STALE', 'INSUFFICIENT_BALANCE', 'VALUATION_OPEN']
  expect([...refusals].filter((code) => !expected.includes(code))).toEqual([])
  expect(await deadlocks()).toBe(before)
})
