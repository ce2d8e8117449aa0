import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { allowedConnections, ownConnectionLimit, planConnections, type RunCommand } from './connections.ts'

/** The connections that a PostgreSQL with Debian's settings allows an ordinary user. */
const DEBIAN = 97
const plan = (env: Record<string, string>, command: RunCommand, allowed = DEBIAN) =>
  planConnections(loadConfig(env), allowed, command)

test('two serves, worker and indexer fit the budget of Debian together, with the signer beside it', () => {
  const [serve, worker, index] = [plan({}, 'serve'), plan({}, 'worker'), plan({}, 'index')]
  expect(2 * serve.connections + worker.connections + index.connections).toBeLessThanOrEqual(87)
  expect(serve).toMatchObject({ budget: 87, connections: 23, poolSize: 20 })
  // 10 + 12 and 8 + 2 with their seats.
  expect(worker).toMatchObject({ connections: 23, poolSize: 10 })
  expect(index).toMatchObject({ connections: 11, poolSize: 8 })
})

test('the documented installation fits for every budget', () => {
  for (let connections = DEBIAN; connections < 1_000; connections += 7) {
    const of = (command: RunCommand) => plan({}, command, connections)
    const two = 2 * of('serve').connections
    expect(two + of('worker').connections + of('index').connections).toBeLessThanOrEqual(connections - 10)
  }
})

test('the seats of worker, indexer and serves do not overlap, and lie within the budget', () => {
  const settings: Record<string, string>[] = [{}, { DATABASE_POOL_SIZE: '9' }, { DATABASE_CONNECTIONS: '80' }]
  for (const env of settings) {
    const [serve, worker, index] = [plan(env, 'serve'), plan(env, 'worker'), plan(env, 'index')]
    const [ownOfWorker, restOfWorker] = worker.seats
    const [ownOfIndex, restOfIndex] = index.seats
    expect(ownOfWorker).toEqual([1, worker.connections])
    expect(ownOfIndex).toEqual([worker.connections + 1, worker.connections + index.connections])
    expect(serve.seats).toEqual([[worker.connections + index.connections + 1, serve.budget]])
    expect([restOfWorker, restOfIndex]).toEqual([serve.seats[0], serve.seats[0]])
  }
})

test('a pool that is not configured shrinks to fit', () => {
  expect(plan({}, 'serve', 200)).toMatchObject({ connections: 23, poolSize: 20 })
  // Half of the 26 that worker and indexer leave.
  expect(plan({}, 'serve', 68)).toMatchObject({ connections: 13, poolSize: 10 })
  // More than half, because no pool of half would have room.
  expect(plan({}, 'serve', 60)).toMatchObject({ connections: 18, poolSize: 15 })
  expect(plan({}, 'start', 45)).toMatchObject({ connections: 35, poolSize: 20 })
  expect(plan({}, 'start', 44)).toMatchObject({ connections: 34, poolSize: 19 })
})

test('the connections that a database allows are found', async () => {
  const { url, close } = await createTestDatabase()
  expect(await allowedConnections(url)).toBeGreaterThan(0)
  await close()
})

test('configured values do not shrink: the start is refused in one line with the sum', () => {
  expect(() => plan({ DATABASE_POOL_SIZE: '26' }, 'serve')).toThrow(
    'rif serve needs 29 database connections, with the others of the product 97, and the product has 87: set DATABASE_POOL_SIZE lower, or max_connections of PostgreSQL higher',
  )
  expect(() => plan({ DATABASE_POOL_SIZE: '80' }, 'start')).toThrow(
    'rif start needs 95 database connections and the product has 87: set DATABASE_POOL_SIZE lower',
  )
  expect(() => plan({}, 'worker', 40)).toThrow(
    'rif worker needs 21 database connections, with the others of the product 32, and the product has 30',
  )
  expect(() => plan({ DATABASE_CONNECTIONS: '98' }, 'index')).toThrow(
    'DATABASE_CONNECTIONS is 98, and the database allows 97 connections',
  )
  expect(plan({ DATABASE_CONNECTIONS: '97' }, 'index').budget).toBe(97)
})

test('the own server allows what its process needs, from 100 to 300', () => {
  const limit = (env: Record<string, string>) => ownConnectionLimit(loadConfig(env))
  expect(limit({})).toBe(100)
  expect(limit({ DATABASE_POOL_SIZE: '100' })).toBe(100 + 15 + 13)
})
