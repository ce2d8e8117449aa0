import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { inSimulation } from './simulation.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const isSimulation = async () => {
  const { rows } = await database.pool.query('select is_simulation as mark from ledger_simulation')
  return rows[0].mark as boolean
}

test('two simulations at once take turns, so that neither removes the mark of the other', async () => {
  const marks: boolean[] = []
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    for (let look = 0; look < 5; look++) marks.push(await isSimulation())
    running--
  }
  await Promise.all([1, 2, 3].map(() => inSimulation(database.adminUrl, work)))
  expect(most).toBe(1)
  expect(marks).toEqual(Array(15).fill(true))
  expect(await isSimulation()).toBe(false)
})
