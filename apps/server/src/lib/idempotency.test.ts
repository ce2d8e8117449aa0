import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTx } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { AppError } from './errors.ts'
import { ANSWERS_KEPT_MS, forgetAnswers, idempotent } from './idempotency.ts'

let database: TestDatabase
let runs = 0
const AT = new Date('2026-01-15T12:00:00Z')

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table effects (number integer)`.execute(database.db)
})
afterAll(() => database.close())
beforeEach(() => {
  runs = 0
})

function send(
  key: string | undefined,
  input: unknown,
  outcome: 'ok' | 'refuse' | 'crash' = 'ok',
  memberId = 1n,
) {
  return inTx(database.db, async (dbTx) => {
    const request = key === undefined ? undefined : { memberId, key, operation: 'withdraw', input }
    const answer = await idempotent(dbTx, request, AT, async () => {
      runs += 1
      const number = runs
      await sql`insert into effects values (${number})`.execute(dbTx)
      if (outcome === 'refuse') throw new AppError('INSUFFICIENT_BALANCE')
      return { number }
    })
    if (outcome === 'crash') throw new Error('the process died before the commit')
    return answer
  })
}

describe('idempotent', () => {
  it('gives the same input the same response, and runs it once', async () => {
    expect(await send('a', { amount: '1' })).toEqual({ number: 1 })
    expect(await send('a', { amount: '1' })).toEqual({ number: 1 })
    expect(runs).toBe(1)
  })

  it("refuses other input under the same key; another member's key is separate", async () => {
    await send('b', { amount: '1' })
    await expect(send('b', { amount: '2' })).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(await send('b', { amount: '2' }, 'ok', 2n)).toEqual({ number: 2 })
  })

  it('runs every time without a key', async () => {
    await send(undefined, {})
    await send(undefined, {})
    expect(runs).toBe(2)
  })

  it('makes concurrent requests wait for one, and gives all of them its response', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('c', { amount: '1' })))
    expect(answers).toEqual(answers.map(() => ({ number: 1 })))
    expect(runs).toBe(1)
  })

  it('gives the response also to a concurrent request that would be refused after the first one', async () => {
    const once = () =>
      inTx(database.db, (dbTx) =>
        idempotent(dbTx, { memberId: 1n, key: 'once', operation: 'withdraw', input: {} }, AT, async () => {
          await sql`select ledger_lock('{}', '{1}')`.execute(dbTx)
          const { rows } = await sql`select from effects where number = -1`.execute(dbTx)
          if (rows.length > 0) throw new AppError('INSUFFICIENT_BALANCE')
          await sql`insert into effects values (-1)`.execute(dbTx)
          return { taken: true }
        }),
      )
    const answers = await Promise.all(Array.from({ length: 8 }, once))
    expect(answers).toEqual(answers.map(() => ({ taken: true })))
  })

  it('leaves the key free if nothing was committed', async () => {
    await expect(send('d', {}, 'refuse')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await expect(send('d', {}, 'crash')).rejects.toThrow('died')
    expect(await send('d', {})).toEqual({ number: 3 })
    const { rows } = await sql<{ number: number }>`select number from effects where number = 3`.execute(
      database.db,
    )
    expect(rows).toHaveLength(1)
  })

  it('deletes old responses, and never one of a running request', async () => {
    const { db } = database
    const kept = async () => {
      const { rows } = await sql<{ key: string }>`
        select key from idempotency_keys where key like 'age %' order by key`.execute(db)
      return rows.map(({ key }) => key)
    }
    const later = (ms: number) => new Date(AT.getTime() + ANSWERS_KEPT_MS + ms)
    await send('age 1', {})
    await inTx(db, async (dbTx) => {
      const request = { memberId: 1n, key: 'age 2', operation: 'withdraw', input: {} }
      await idempotent(dbTx, request, AT, async () => {
        const asWorker = <T>(work: () => Promise<T>) => forAll('work', work)
        expect(await asWorker(() => forgetAnswers(db, later(0)))).toBe(0n)
        expect(await asWorker(kept)).toEqual(['age 1'])
        // Neither waits for the other.
        expect(await asWorker(() => forgetAnswers(db, later(1)))).toBeGreaterThan(0n)
        return { number: 7 }
      })
    })
    expect(await kept()).toEqual(['age 2'])
    expect(await send('age 2', {})).toEqual({ number: 7 })
    await forgetAnswers(db, later(1))
    expect(await kept()).toEqual([])
  })
})
