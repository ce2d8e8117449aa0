import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type SeatRange, type Seats, takeSeats } from './seats.ts'

const BUDGET = 20
const log = pino({ level: 'silent' })

let database: TestDatabase
let taken: Seats[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(taken.map((seats) => seats.stop()))
  taken = []
})
afterAll(() => database.close())

function take(command: string, count: number, ranges: readonly SeatRange[]): Promise<void> {
  const seats = takeSeats({ url: database.url, command, count, ranges, budget: BUDGET, log })
  taken.push(seats)
  return seats.taken
}

/** Runs a statement about the connections that hold seats, with rights to end them. */
async function onHolders(select: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  const { rowCount } = await client.query(
    `select ${select} from pg_locks where locktype = 'advisory' and classid = ${0x73656174} and objid > 0
      and database = (select oid from pg_database where datname = $1)`,
    [new URL(database.url).pathname.slice(1)],
  )
  await client.end()
  return rowCount ?? 0
}
const seatsTaken = () => onHolders('objid')

test('processes never hold more seats than there are, and one too many is refused in one line', async () => {
  await Promise.all([take('serve', 7, [[6, BUDGET]]), take('serve', 7, [[6, BUDGET]])])
  expect(await seatsTaken()).toBe(14)
  await expect(take('serve', 7, [[6, BUDGET]])).rejects.toThrow(
    "rif serve needs 7 of the product's 20 database connections, and its other processes leave 1: run fewer, set DATABASE_POOL_SIZE",
  )
  // Nothing is left of the attempt.
  expect(await seatsTaken()).toBe(14)
  // The seats of the worker were not for them.
  await take('worker', 5, [
    [1, 5],
    [6, BUDGET],
  ])
  expect(await seatsTaken()).toBe(19)
})

test('a second worker takes what is free besides', async () => {
  const ranges = [
    [1, 5],
    [6, BUDGET],
  ] as const
  await take('worker', 5, ranges)
  await take('worker', 5, ranges)
  await take('serve', 10, [[6, BUDGET]])
  expect(await seatsTaken()).toBe(BUDGET)
})

test('a process waits for the seats of one that is ending', async () => {
  await take('serve', 15, [[6, BUDGET]])
  const next = take('serve', 15, [[6, BUDGET]])
  await sleep(700)
  await taken[0]!.stop()
  await next
  expect(await seatsTaken()).toBe(15)
})

test('seats that were lost with the connection are taken again', async () => {
  await take('serve', 15, [[6, BUDGET]])
  await onHolders('distinct pg_terminate_backend(pid)')
  await expect.poll(seatsTaken).toBe(15)
})
