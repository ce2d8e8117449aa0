import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { createTestDatabase, isOnCluster } from '../../testing/test-database.ts'
import { allowedConnections, ownConnectionLimit, shareConnections, wantedProcesses } from './connections.ts'

const GIB = 2 ** 30
const share = (env: Record<string, string>, connections: number, isWhole = true, isDistributed = false) =>
  shareConnections(loadConfig(env), { connections, isDistributed }, isWhole)

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

test('pools and processes fit the connections that the database allows', () => {
  // 2 × 22, 33 of the main process, and 10 for others.
  expect(share({ SERVE_PROCESSES: '2' }, 87)).toEqual({ processes: 2, poolSize: 20 })
  expect(share({ SERVE_PROCESSES: '2' }, 86)).toEqual({ processes: 2, poolSize: 19 })
  expect(share({ SERVE_PROCESSES: '8' }, 111)).toEqual({ processes: 8, poolSize: 8 })
  expect(share({ SERVE_PROCESSES: '2' }, 88, false)).toEqual({ processes: 2, poolSize: 20 })
  expect(share({ SERVE_PROCESSES: '1' }, 10)).toEqual({ processes: 1, poolSize: 20 })
})

test('on a cluster every process has two pools to the coordinator', () => {
  // 2 × 43, 55 of worker and indexer, and 10 for others.
  expect(share({ SERVE_PROCESSES: '2' }, 151, false, true)).toEqual({ processes: 2, poolSize: 20 })
  expect(share({ SERVE_PROCESSES: '2' }, 150, false, true)).toEqual({ processes: 2, poolSize: 19 })
})

test('the coordinator of a cluster is recognised', async () => {
  const { url, close } = await createTestDatabase()
  const { connections, isDistributed } = await allowedConnections(url)
  expect(connections).toBeGreaterThan(0)
  expect(isDistributed).toBe(isOnCluster())
  await close()
})

test('configured values do not shrink: the start is refused with the sum', () => {
  expect(() => share({ SERVE_PROCESSES: '8' }, 110)).toThrow(
    '8 API processes need 111 database connections, and the database allows 110: set SERVE_PROCESSES lower, or max_connections of PostgreSQL higher',
  )
  expect(() => share({ SERVE_PROCESSES: '2', DATABASE_POOL_SIZE: '40' }, 97)).toThrow(
    '2 API processes need 147 database connections, and the database allows 97: set SERVE_PROCESSES or DATABASE_POOL_SIZE lower',
  )
  // The number of processes is not configured, so it is reduced.
  expect(share({ DATABASE_POOL_SIZE: '1000' }, 97)).toEqual({ processes: 1, poolSize: 1000 })
})

test('the own server allows what its processes need, from 100 to 300', () => {
  const limit = (env: Record<string, string>) => ownConnectionLimit(loadConfig(env))
  expect(limit({ SERVE_PROCESSES: '2' })).toBe(100)
  expect(limit({ SERVE_PROCESSES: '4' })).toBe(4 * 22 + 33 + 13)
  expect(limit({ SERVE_PROCESSES: '64' })).toBe(300)
})
