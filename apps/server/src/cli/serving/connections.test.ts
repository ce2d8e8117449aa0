import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createTestDatabase, isOnCluster } from '../../testing/test-database.ts'
import {
  allowedConnections,
  ownConnectionLimit,
  planConnections,
  type RunCommand,
  wantedProcesses,
} from './connections.ts'

const GIB = 2 ** 30
/** The connections that a PostgreSQL with Debian's settings allows an ordinary user. */
const DEBIAN = 97
const plan = (
  env: Record<string, string>,
  command: RunCommand,
  connections = DEBIAN,
  isDistributed = false,
) => planConnections(loadConfig(env), { connections, isDistributed }, command)

test('there is one process per core, and at most one per GiB, unless the settings fix the number', () => {
  const config = loadConfig({})
  expect(wantedProcesses(config)).toBeLessThanOrEqual(availableParallelism())
  expect(wantedProcesses(config, { cores: 1, memory: 64e9 })).toBe(1)
  expect(wantedProcesses(config, { cores: 2, memory: 2 * GIB })).toBe(2)
  // A machine sold with four GiB reports slightly less.
  expect(wantedProcesses(config, { cores: 16, memory: 3.8 * GIB })).toBe(4)
  expect(wantedProcesses(config, { cores: 4, memory: GIB / 4 })).toBe(1)
  expect(wantedProcesses(loadConfig({ SERVE_PROCESSES: '3' }), { cores: 1, memory: GIB })).toBe(3)
})

test('two serves, worker and indexer fit the budget of Debian together, with the signer beside it', () => {
  for (const SERVE_PROCESSES of ['1', '2']) {
    const serve = plan({ SERVE_PROCESSES }, 'serve')
    const [worker, index] = [plan({ SERVE_PROCESSES }, 'worker'), plan({ SERVE_PROCESSES }, 'index')]
    expect(serve.processes).toBe(Number(SERVE_PROCESSES))
    expect(2 * serve.connections + worker.connections + index.connections).toBeLessThanOrEqual(87)
    expect(serve.budget).toBe(87)
  }
  // A main process with 2 and the seats, and 2 x (9 + 2); 10 + 12 and 8 + 2 with their seats.
  expect(plan({ SERVE_PROCESSES: '2' }, 'serve')).toMatchObject({ connections: 25, poolSize: 9 })
  expect(plan({}, 'worker')).toMatchObject({ connections: 23, poolSize: 10 })
  expect(plan({}, 'index')).toMatchObject({ connections: 11, poolSize: 8 })
})

test('the documented installation fits for every budget, number of cores and kind of database', () => {
  for (const isDistributed of [false, true])
    for (let connections = isDistributed ? 170 : DEBIAN; connections < 1_000; connections += 7)
      for (const cores of ['1', '2', '3', '8', '64']) {
        const serve = plan(cores === '64' ? {} : { SERVE_PROCESSES: cores }, 'serve', 10_000, isDistributed)
        expect(serve.processes).toBeGreaterThan(0)
        const of = (command: RunCommand) => plan({}, command, connections, isDistributed)
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

test('pools and processes that are not configured shrink to fit', () => {
  expect(plan({ SERVE_PROCESSES: '2' }, 'serve', 200)).toMatchObject({ processes: 2, poolSize: 20 })
  expect(plan({ SERVE_PROCESSES: '1' }, 'serve')).toMatchObject({ processes: 1, poolSize: 20 })
  // More than half of the rest, because it was asked for.
  expect(plan({ SERVE_PROCESSES: '4' }, 'serve')).toMatchObject({ processes: 4, poolSize: 10 })
  // `rif start` has 2 x 22, and 20 + 13 with the seats of its main process.
  expect(plan({ SERVE_PROCESSES: '2' }, 'start', 88)).toMatchObject({ connections: 78, poolSize: 20 })
  expect(plan({ SERVE_PROCESSES: '2' }, 'start', 87)).toMatchObject({ connections: 75, poolSize: 19 })
  expect(plan({ SERVE_PROCESSES: '2' }, 'start').mainPoolSize).toBe(20)
})

test('on a cluster every process has two pools to the coordinator', () => {
  // 2 x (41 + 2), 41 + 13, and the seats, for 151 less 10.
  expect(plan({ SERVE_PROCESSES: '2' }, 'start', 151, true)).toMatchObject({ poolSize: 20, connections: 141 })
  expect(plan({}, 'worker', 210, true)).toMatchObject({ poolSize: 20, connections: 54 })
})

test('the coordinator of a cluster is recognised', async () => {
  const { url, close } = await createTestDatabase()
  const { connections, isDistributed } = await allowedConnections(url)
  expect(connections).toBeGreaterThan(0)
  expect(isDistributed).toBe(isOnCluster())
  await close()
})

test('configured values do not shrink: the start is refused in one line with the sum', () => {
  expect(() => plan({ SERVE_PROCESSES: '8' }, 'serve')).toThrow(
    'rif serve needs 83 database connections, with the others of the product 117, and the product has 87: set SERVE_PROCESSES lower, or max_connections of PostgreSQL higher',
  )
  expect(() => plan({ SERVE_PROCESSES: '2', DATABASE_POOL_SIZE: '40' }, 'start')).toThrow(
    'rif start needs 138 database connections and the product has 87: set SERVE_PROCESSES or DATABASE_POOL_SIZE lower',
  )
  expect(() => plan({}, 'worker', 40)).toThrow(
    'rif worker needs 21 database connections, with the others of the product 32, and the product has 30',
  )
  expect(() => plan({ DATABASE_CONNECTIONS: '98' }, 'index')).toThrow(
    'DATABASE_CONNECTIONS is 98, and the database allows 97 connections',
  )
  expect(plan({ DATABASE_CONNECTIONS: '97' }, 'index').budget).toBe(97)
})

test('the own server allows what its processes need, from 100 to 300', () => {
  const limit = (env: Record<string, string>) => ownConnectionLimit(loadConfig(env))
  expect(limit({ SERVE_PROCESSES: '2' })).toBe(100)
  expect(limit({ SERVE_PROCESSES: '4' })).toBe(4 * 22 + 34 + 13)
  expect(limit({ SERVE_PROCESSES: '64' })).toBe(300)
})
