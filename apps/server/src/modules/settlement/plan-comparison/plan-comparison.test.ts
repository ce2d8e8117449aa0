import { fileURLToPath } from 'node:url'
import { defaultPlan, type Plan, parseMicros, serialisePlan } from '@rif/rules'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comparisonInChild } from '../../../cli/comparison-child.ts'
import { INTERRUPTED } from '../../../jobs/jobs.service.ts'
import { runWaiting } from '../../../jobs/testing/run-waiting.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createSettlementReplays, type SettlementReplays } from '../replay/replay.service.ts'
import { createTestBooks, type TestBooks } from '../testing/test-books.ts'
import {
  compareBooks,
  createPlanComparisons,
  type PlanComparisons,
  type RunComparison,
} from './plan-comparison.service.ts'

const FIRST = '2026-01-30'
const SECOND = '2026-01-31'

let database: TestDatabase
let books: TestBooks
let replays: SettlementReplays
let comparisons: PlanComparisons
let run: RunComparison

/** Two settled days, the second a month's last: sales, pairs, packages and savings that the pools cover in part. */
beforeAll(async () => {
  database = await createTestDatabase()
  books = createTestBooks(database, FIRST)
  const { now, members } = books
  const [log, adminLog] = [pino({ level: 'silent' }), createAdminLogService({ now })]
  replays = createSettlementReplays({ plans: books.plans })
  comparisons = createPlanComparisons({
    db: database.db,
    now,
    log,
    adminLog,
    members,
    settlementReplays: replays,
  })
  run = (comparison, onProgress) => compareBooks(replays, database.db, comparison, onProgress)
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'left')
  await books.buy(root, 5)
  const left = await books.join(root, 'left')
  await books.buy(left, 3)
  await books.buy(await books.join(root, 'right'), 2)
  await books.grant(left, 'USDT', parseMicros('1000'))
  await books.savings.transferIn(database.db, left, { asset: 'USDT', amountMicros: parseMicros('1000') })
  books.tomorrow()
  books.advance(60_000)
  // Before the previous day is settled: its pairing must find the pool unchanged.
  await books.buy(await books.join(left, 'left'), 4)
  books.advance(60_000)
  await books.settlement.settle(FIRST)
  await books.attest('USDT', parseMicros('20'))
  await books.attest('USDT', parseMicros('0.2'), 'savings_pool')
  await books.dayCaps.set(database.db, { memberId: root, capMicros: parseMicros('12'), actor: 'test' })
  await books.buy(await books.join(root, 'right'), 4)
  books.tomorrow()
  books.advance(60_000)
  await books.settlement.settle(SECOND)
})
afterAll(() => database.close())

const runComparison = (work: RunComparison) => runWaiting(database.url, comparisons.handler(work))

const halved: Plan = {
  ...defaultPlan,
  packages: defaultPlan.packages.map((terms) => ({ ...terms, referralPpm: terms.referralPpm / 2 })),
}

test('a plan compared with itself changes nothing, and the books are reproduced', async () => {
  const progress: number[] = []
  const comparison = { plan: defaultPlan, from: FIRST, to: SECOND }
  const result = await compareBooks(replays, database.db, comparison, (ppm) => progress.push(ppm))
  expect(result.proof).toEqual({ checked: expect.any(Number), differing: [] })
  expect(result.proof.checked).toBeGreaterThanOrEqual(6)
  expect(result).toMatchObject({ members: 5, unchanged: 5, gain: { count: 0 }, lose: { count: 0 } })
  for (const { before, after } of [...result.kinds, ...result.days, ...result.pools]) {
    expect(after).toEqual(before)
  }
  for (const pool of ['commission_pool', 'yield_pool', 'savings_pool'] as const) {
    const balance = await books.ledger.pools.balances(database.db, pool, SECOND)
    const view = result.pools.filter((entry) => entry.pool === pool).map(({ before }) => parseMicros(before))
    expect(view).toEqual([balance.USDT, balance.AMC])
  }
  expect(progress.at(-1)).toBe(1_000_000)
})

test('a lower referral rate halves it, and applies from the range’s first day', async () => {
  const whole = await compareBooks(
    replays,
    database.db,
    { plan: halved, from: FIRST, to: SECOND },
    () => undefined,
  )
  const referral = whole.kinds.find(({ kind }) => kind === 'ReferralReward')!
  expect(parseMicros(referral.after.due) * 2n).toBe(parseMicros(referral.before.due))
  expect(whole.lose.count).toBeGreaterThan(0)
  expect(whole.gain.count).toBe(0)
  const lost = parseMicros(referral.before.paid) - parseMicros(referral.after.paid)
  expect(parseMicros(whole.lose.sum)).toBe(lost)
  const commission = whole.pools.find(({ pool, asset }) => pool === 'commission_pool' && asset === 'USDT')!
  expect(parseMicros(commission.after)).toBeGreaterThan(parseMicros(commission.before))
  const second = await compareBooks(
    replays,
    database.db,
    { plan: halved, from: SECOND, to: SECOND },
    () => undefined,
  )
  expect(second.days.every(({ day }) => day === SECOND)).toBe(true)
  expect(parseMicros(second.lose.sum)).toBeLessThan(lost)
  expect(second.proof.differing).toEqual([])
})

test('differences from the books are reported', async () => {
  const loaded = await replays.load(database.db, SECOND)
  const unfunded = { ...replays, load: async () => ({ ...loaded, funding: [] }) }
  const comparison = { plan: defaultPlan, from: FIRST, to: SECOND }
  const result = await compareBooks(unfunded, database.db, comparison, () => undefined)
  expect(result.proof.differing).toContainEqual({ day: SECOND, class: 'static' })
})

test('only one is requested and run at a time, and its proposal finds it', async () => {
  const figures = serialisePlan(halved)
  expect(await comparisons.last()).toEqual({ run: null })
  await expect(comparisons.request('0xa', { figures: {}, days: 30 })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  const request = await comparisons.request('0xa', { figures, days: 30 })
  expect(request.run).toMatchObject({ from: FIRST, to: SECOND, step: 'waiting', result: null })
  const again = await comparisons.request('0xb', { figures: serialisePlan(defaultPlan), days: 1 })
  expect(again.run?.run_id).toBe(request.run?.run_id)
  expect(await Promise.all([runComparison(run), runComparison(run)])).toContain(false)
  const done = (await comparisons.last()).run!
  expect(done).toMatchObject({ step: 'done', result: { members: 5 } })
  expect(done.result!.lose.largest[0]).toMatchObject({ address: expect.stringMatching(/^0x/) })
  expect(await comparisons.ofPlan(database.db, halved)).toMatchObject({ from: FIRST, to: SECOND })
  expect(await comparisons.ofPlan(database.db, defaultPlan)).toBeUndefined()
})

test('one that is cancelled, unwatched or failing stops at once', async () => {
  const ask = () => comparisons.request('0xa', { figures: serialisePlan(halved), days: 1 })
  /** Runs until it is told to stop. */
  const endless: RunComparison = (_comparison, _told, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  await ask()
  const running = runComparison(endless)
  await expect.poll(async () => (await comparisons.last()).run?.step).toBe('reading')
  expect((await comparisons.cancel()).run).toMatchObject({ step: 'cancelled', result: null })
  await running

  await ask()
  books.advance(6 * 60_000)
  await runComparison(endless)
  expect((await comparisons.last()).run).toMatchObject({ step: 'cancelled' })

  await ask()
  await runComparison(() => Promise.reject(new Error('no memory')))
  expect((await comparisons.last()).run).toMatchObject({ step: 'failed', failure: 'INTERNAL' })
})

test('a separate process has the same result, and stops when told to', async () => {
  const comparison = { plan: halved, from: FIRST, to: SECOND }
  const rif = fileURLToPath(new URL('../../../cli/rif.ts', import.meta.url))
  const child = comparisonInChild(database.url, [rif])
  const progress: number[] = []
  const never = new AbortController().signal
  const result = await child.run(comparison, (ppm) => progress.push(ppm), never)
  expect(result).toEqual(await compareBooks(replays, database.db, comparison, () => undefined))
  expect(progress.at(-1)).toBe(1_000_000)
  const stopped = child.run(comparison, () => undefined, never)
  child.stop()
  await expect(stopped).rejects.toBe(INTERRUPTED)
})
