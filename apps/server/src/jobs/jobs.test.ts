import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { runJobs } from '../cli/jobs.ts'
import { inTx } from '../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createJobs, INTERRUPTED, type JobHandler } from './jobs.service.ts'
import { recoveryJobs, runQueuedJobs } from './jobs.worker.ts'
import { runWaiting } from './testing/run-waiting.ts'

const QUIET_MS = 2_000
const log = pino({ level: 'silent' })

let database: TestDatabase
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(() => database.close())

type Kind = Parameters<typeof createJobs>[0]['kind']
const jobsOf = (kind: Kind, untilDone = false) =>
  createJobs<{ n: number }, number>({
    db: database.db,
    now: () => new Date(),
    log,
    kind,
    quietMs: QUIET_MS,
    untilDone,
  })
const request = (jobs: ReturnType<typeof jobsOf>, n = 1) =>
  jobs.request(database.db, { subject: `${n}`, request: { n }, actor: '0xa' })

/** Runs a worker in this process until the test ends. */
async function work(handler: JobHandler): Promise<void> {
  const queue = await runQueuedJobs({ url: database.url, handlers: [handler], log })
  const recovery = runJobs(recoveryJobs([handler]), log)
  stops.push(async () => void (await Promise.all([queue.stop(), recovery.stop()])))
}

it('commits a job with the transaction that requests it, and keeps one of a kind open', async () => {
  const jobs = jobsOf('dry_run')
  const handler = jobs.handler(async ({ n }) => n)
  const undone = inTx(database.db, async (dbTx) => {
    expect(await jobs.request(dbTx, { subject: '1', request: { n: 1 }, actor: '0xa' })).toBe(true)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await runWaiting(database.url, handler)).toBe(false)
  const requested = await Promise.all([1, 2, 3, 4].map((n) => request(jobs, n)))
  expect(requested.filter(Boolean)).toHaveLength(1)
  expect(await runWaiting(database.url, handler)).toBe(true)
  expect(await jobs.last(database.db)).toMatchObject({ step: 'done', progressPpm: 1_000_000 })
  expect(await request(jobs)).toBe(true)
})

it('runs a job once, by one of several workers, as soon as it is requested', async () => {
  const jobs = jobsOf('comparison')
  let runs = 0
  for (let worker = 0; worker < 3; worker++) await work(jobs.handler(async () => ++runs))
  await request(jobs)
  // Less than the 30 s after which workers poll for jobs.
  await expect.poll(async () => (await jobs.last(database.db))?.step).toBe('done')
  expect(runs).toBe(1)
})

it('gives the job of a killed worker to another one', async () => {
  const jobs = jobsOf('rerun')
  await request(jobs)
  const child = spawn(
    process.execPath,
    [join(inject('childPrograms'), 'jobs', 'testing', 'jobs-child.mjs')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })
  child.stdin.write(`${database.url}\n`)
  for (let line = ''; line !== 'running'; ) [line] = (await once(lines, 'line')) as [string]
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await work(jobs.handler(async ({ n }) => n + 1))
  await expect.poll(() => jobs.last(database.db)).toMatchObject({ step: 'done', result: 2 })
})

it('restarts the job of a stopped worker at once, and retries one that must succeed', async () => {
  const jobs = jobsOf('rerun')
  const bills = jobsOf('bills', true)
  await Promise.all([request(jobs), request(bills)])
  const results = [() => Promise.reject(INTERRUPTED), async () => 7]
  const handler = jobs.handler(() => results.shift()!())
  expect(await runWaiting(database.url, handler)).toBe(true)
  expect(await jobs.last(database.db)).toMatchObject({ step: 'done', result: 7 })

  const outcomes = [() => Promise.reject(new Error('no memory')), async () => 8]
  const untilDone = bills.handler(() => outcomes.shift()!())
  expect(await runWaiting(database.url, untilDone)).toBe(true)
  expect(await bills.last(database.db)).toMatchObject({ step: 'waiting', failure: null })
  expect(await runWaiting(database.url, untilDone)).toBe(false)
  const threeSecondsAgo = new Date(Date.now() - 3_000)
  await sql`update jobs set beat_at = ${threeSecondsAgo} where kind = 'bills'`.execute(database.db)
  expect(await runWaiting(database.url, untilDone)).toBe(true)
  expect(await bills.last(database.db)).toMatchObject({ step: 'done', result: 8 })
})
