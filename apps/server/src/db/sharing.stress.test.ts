import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOnCluster } from '../testing/test-database.ts'
import { createDatabase, type Database } from './database.ts'
import { forAll } from './lanes.ts'
import { useSharedOperations } from './testing/shared-operations.ts'

const MEMBERS = 40

/** A transfer that arrives `afterMs` later than the one before it, in this process or as in another one. Without bias, so that no member has more of them than end in time. */
const arrival = fc.record({
  from: fc.noBias(fc.integer({ min: 1, max: MEMBERS })),
  step: fc.noBias(fc.integer({ min: 1, max: MEMBERS - 1 })),
  micros: fc.bigInt({ min: 1n, max: 1000n }),
  afterMs: fc.constantFrom(0, 0, 0, 1, 4),
  isElsewhere: fc.constantFrom(true, false, false),
})

describe.skipIf(isOnCluster())('operations that arrive at random', () => {
  const { database, available, move, answerOf } = useSharedOperations()
  let elsewhere: Database | undefined

  beforeAll(async () => {
    elsewhere = createDatabase({ url: database().url, max: 3, limitsOf: 'writes', applicationName: 'other' })
    // Some commits are slow, and some are refused.
    await sql
      .raw(`create function commit_badly() returns trigger language plpgsql as $$ begin
        if random() < 0.01 then perform pg_sleep(0.05); end if;
        if random() < 0.02 then raise exception 'refused' using errcode = '23514'; end if;
        return null; end $$`)
      .execute(database().adminDb)
    await sql`create constraint trigger commit_badly after insert on idempotency_keys deferrable initially deferred
      for each row execute function commit_badly()`.execute(database().adminDb)
  })
  afterAll(() => elsewhere!.close())

  const balances = () =>
    Promise.all(Array.from({ length: MEMBERS }, (_, index) => available(BigInt(index + 1))))

  it('all end in time, although commits are slow and refused, and exactly those count that succeed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { minLength: 50, maxLength: 100 }), async (arrivals) => {
        const expected = await balances()
        const ended: Promise<void>[] = []
        const errors: unknown[] = []
        for (const { from, step, micros, afterMs, isElsewhere } of arrivals) {
          if (afterMs > 0) await sleep(afterMs)
          const to = ((from - 1 + step) % MEMBERS) + 1
          const db = isElsewhere ? elsewhere!.db : database().db
          const count = async ({ key }: { key: string }) => {
            expect(await answerOf(BigInt(from), key)).toBeDefined()
            expected[from - 1]! -= micros
            expected[to - 1]! += micros
          }
          const transfer = move(BigInt(from), BigInt(to), micros, undefined, db)
          ended.push(
            forAll('writes', transfer).then(count, (error) => {
              errors.push(error)
            }),
          )
        }
        await Promise.all(ended)
        expect(await balances()).toEqual(expected)
        expect(errors.filter((error) => (error as Error).message !== 'refused')).toEqual([])
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })
})
