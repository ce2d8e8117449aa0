import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createLedgerService } from '../books/ledger/ledger.service.ts'
import { createManagementService } from './rewards.management.service.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
})
afterAll(() => database.close())

test('repeated pausing and resuming of the management award changes nothing', async () => {
  const management = createManagementService({
    now: () => new Date('2026-01-05T10:00:00Z'),
    ledger: createLedgerService(),
  })
  expect(await management.isPaused(database.db, 5n)).toBe(false)
  expect(await management.set(database.db, 5n, false)).toEqual({ changed: false })
  const both = await Promise.all([1, 2, 3].map(() => management.set(database.db, 5n, true)))
  expect(both.filter(({ changed }) => changed)).toHaveLength(1)
  expect(await management.isPaused(database.db, 5n)).toBe(true)
  expect(await management.set(database.db, 5n, false)).toEqual({ changed: true })
})
