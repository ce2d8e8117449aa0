import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { isOnCluster } from '../testing/test-database.ts'
import { type Db, inMemberTx, inTx } from './database.ts'
import { countOf, insertOf, updateOf, type Write } from './rows.ts'
import { ledger, useSharedOperations } from './testing/shared-operations.ts'
import { writeTogether } from './write-together.ts'

const DAY = '2026-01-02'

describe.skipIf(isOnCluster())('writes of rows by operations that share a transaction', () => {
  const { database, atOnce, count, nextKey } = useSharedOperations()

  /** Runs the writes of each of the members 1, 2, ... in one transaction. */
  const together = (all: readonly (readonly Write[])[]) =>
    atOnce(
      all.map((writes, index) => () => {
        const memberId = BigInt(index + 1)
        return inMemberTx(database().db, { memberId }, async (dbTx) => {
          await ledger.lockHeads(dbTx, [memberId])
          await writeTogether(dbTx, writes)
        })
      }),
    )
  /** Runs them in separate transactions, one after the other. */
  async function alone(all: readonly (readonly Write[])[]) {
    for (const writes of all) await inTx(database().db, (dbTx) => writeTogether(dbTx, writes))
  }
  const rowsOf = async (query: RawBuilder<unknown>, db: Db = database().db) => (await query.execute(db)).rows

  it('add up like separate writes in sequence', async () => {
    const change = fc.record({
      packageId: fc.integer({ min: 1, max: 5 }),
      ordered: fc.integer({ min: 0, max: 3 }),
    })
    const books = () =>
      rowsOf(sql`select package_id, ordered, first_ordered, cancelled
        from packages left join order_days using (package_id) order by package_id`)
    const reset = () => sql`delete from order_days`.execute(database().adminDb)
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 12 }), async (changes) => {
        const writes = changes.map(({ packageId, ordered }) => [
          countOf(
            'order_days',
            { package_id: packageId, day: DAY },
            { ordered, first_ordered: 1, cancelled: 0 },
          ),
        ])
        await reset()
        await alone(writes)
        const expected = await books()
        await reset()
        const outcomes = await together(writes)
        expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
        expect(await books()).toEqual(expected)
      }),
      { numRuns: 30 },
    )
    expect(count(/sum\("ordered"\)/)).toBeGreaterThan(20)
    await reset()
  })

  it('change the row of each, whatever the values', async () => {
    const value = fc.option(
      fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.string().filter((text) => !text.includes('\0')),
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 12 }), async (answers) => {
        const key = nextKey()
        const kept = (memberId: number, answer: unknown) => ({
          ...{ member_id: BigInt(memberId), key, operation: 'test', input_hash: Buffer.alloc(32) },
          ...{ created_at: new Date(0), answer },
        })
        // One row more than is changed.
        await alone(
          [...answers, null].map((_, index) => [insertOf('idempotency_keys', [kept(index + 1, { z: 1 })])]),
        )
        await together(
          answers.map((answer, index) => [
            updateOf('idempotency_keys', { member_id: BigInt(index + 1), key }, { answer }),
          ]),
        )
        const found = await rowsOf(
          sql`select answer from idempotency_keys where key = ${key} order by member_id`,
        )
        expect(found).toEqual([...answers, { z: 1 }].map((answer) => ({ answer })))
      }),
      { numRuns: 30 },
    )
    expect(count(/from \(select \* from json_populate_recordset/)).toBeGreaterThan(20)
  })
})
