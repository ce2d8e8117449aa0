import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { line } from '../modules/ledger/testing/entries.ts'
import { isOnCluster } from '../testing/test-database.ts'
import { inMemberTx, inTx } from './database.ts'
import { readTogether } from './read.ts'
import { insertOf } from './rows.ts'
import { GIVEN, ledger, useSharedOperations } from './testing/shared-operations.ts'

const HASH = Buffer.alloc(32, 7)

describe.skipIf(isOnCluster())('operations that share a transaction', () => {
  const { database, entryOf, available, atOnce, move, cut, answerOf, count, nextKey, forget } =
    useSharedOperations()

  it('is one transaction, with one statement for equal ones, and each operation gets what is its own', async () => {
    const members = Array.from({ length: 8 }, (_, index) => BigInt(2 * index + 1))
    // Once before, so that the connections have prepared the statements.
    for (let round = 0; round < 12; round++) await atOnce(members.map((from) => move(from, from + 1n, 1n)))
    const before = await Promise.all(members.map(available))
    forget()
    const moved = await atOnce(members.map((from) => move(from, from + 1n, from)))
    const made = moved.map((one) => (one as PromiseFulfilledResult<{ id: bigint; key: string }>).value)
    expect(new Set(made.map(({ id }) => id)).size).toBe(members.length)
    for (const [index, { id, key }] of made.entries()) {
      expect(await answerOf(members[index]!, key)).toEqual({ id: `${id}` })
      expect(await available(members[index]!)).toBe(before[index]! - members[index]!)
    }
    expect({
      begin: count(/^begin$/),
      commit: count(/^commit$/),
      locks: count(/ledger_lock/),
      reads: count(/with ordinality/),
      posts: count(/ledger_post_transfer/),
    }).toEqual({ begin: 1, commit: 1, locks: 1, reads: 1, posts: 1 })
  })

  it('leaves a refused operation out, and what it has written too', async () => {
    const [had, other] = [await available(1n), await available(3n)]
    const note = (key: string) =>
      insertOf('idempotency_keys', [
        {
          member_id: 3n,
          key,
          operation: 'test',
          input_hash: HASH,
          created_at: new Date(),
          answer: {},
        },
      ])
    const outcomes = await atOnce([
      move(1n, 2n, 5n),
      move(3n, 4n, 5n, () => {
        throw new Error('refused before a write')
      }),
      move(5n, 6n, 5n, async (dbTx) => {
        await note('undone').execute(dbTx)
        throw new Error('refused after a write')
      }),
      move(7n, 8n, 2n * GIVEN),
    ])
    expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason.message : 'moved'))).toEqual([
      ...['moved', 'refused before a write', 'refused after a write', 'INSUFFICIENT_BALANCE'],
    ])
    expect([await available(1n), await available(3n)]).toEqual([had - 5n, other])
    expect(await answerOf(3n, 'undone')).toBeUndefined()
  })

  it('runs each by itself when a statement of one fails, which alone gets the error', async () => {
    const had = await available(1n)
    const spend = (memberId: bigint, micros: bigint) => () =>
      inMemberTx(database().db, { memberId }, async (dbTx) => {
        await ledger.lockHeads(dbTx, [memberId])
        await ledger.postWith(dbTx, entryOf('savings_in', line(memberId, 'available>savings', micros)), [])
      })
    const outcomes = await atOnce([spend(1n, 1n), spend(2n, 10n * GIVEN), spend(3n, 1n)])
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'INSUFFICIENT_BALANCE' } },
      { status: 'fulfilled' },
    ])
    expect(await available(1n)).toBe(had - 1n)
    expect(count(/^begin$/)).toBe(4)
  })

  it('runs each by itself when the connection is lost before the commit', async () => {
    const had = await available(1n)
    let isCut = false
    const outcomes = await atOnce([
      move(1n, 2n, 3n, async (dbTx) => {
        if (!isCut) await cut()
        isCut = true
        await sql`select 1`.execute(dbTx)
      }),
      move(3n, 4n, 3n),
    ])
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
    expect(await available(1n)).toBe(had - 3n)
  })

  it('repeats nothing when the connection is lost with the commit', async () => {
    const had = await available(1n)
    const outcomes = await atOnce([move(1n, 2n, 3n, cut), move(3n, 4n, 3n)])
    expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(await available(1n)).toBe(had)
  })

  it('holds the heads of all of its members', async () => {
    let locked: readonly boolean[] = []
    const isLocked = async (memberId: bigint) => {
      const client = await database().pool.connect()
      const refused = await client
        .query(`begin; set local lock_timeout = '50ms'; select ledger_lock('{}', '{${memberId}}')`)
        .then(() => false)
        .catch(({ code }) => code === '55P03')
      await client.query('rollback')
      client.release()
      return refused
    }
    await atOnce([
      move(1n, 2n, 1n, async () => {
        locked = await Promise.all([1n, 2n, 3n, 4n, 5n].map(isLocked))
      }),
      move(3n, 4n, 1n),
    ])
    expect(locked).toEqual([true, true, true, true, false])
  })

  it('has no two operations of one member, so that each sees what the one before has done', async () => {
    const before = (await ledger.balances(database().db, 39n)).USDT.savings
    // A limit that only the operation itself knows.
    const saveOnce = () =>
      inMemberTx(database().db, { memberId: 39n }, async (dbTx) => {
        await ledger.lockHeads(dbTx, [39n])
        const { balances } = await readTogether(dbTx, 39n, { balances: ledger.balancesRead })
        if (balances.USDT.savings >= before + 5n) throw new AppError('DAILY_LIMIT')
        await ledger.postWith(dbTx, entryOf('savings_in', line(39n, 'available>savings', 1n)), [])
      })
    const outcomes = await atOnce(Array.from({ length: 40 }, () => saveOnce))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(5)
    expect((await ledger.balances(database().db, 39n)).USDT.savings).toBe(before + 5n)
  })

  it('ends as the same operations one after the other: random ones, some refused', async () => {
    const member = fc.bigInt(1n, 12n)
    const operation = fc.record({
      ...{ from: member, to: member, micros: fc.bigInt(1n, 300_000n) },
      fails: fc.constantFrom('no', 'no', 'no', 'before', 'after'),
    })
    const balancesNow = () =>
      Promise.all(Array.from({ length: 12 }, (_, index) => ledger.balances(database().db, BigInt(index + 1))))
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 30 }), async (operations) => {
        const had = await balancesNow()
        const outcomes = await atOnce(
          operations.map(({ from, to, micros, fails }) =>
            move(from, to, micros, async (dbTx) => {
              if (fails === 'after')
                await insertOf('idempotency_keys', [
                  {
                    member_id: from,
                    key: nextKey(),
                    operation: 'test',
                    input_hash: HASH,
                    created_at: new Date(),
                    answer: {},
                  },
                ]).execute(dbTx)
              if (fails !== 'no') throw new Error('refused')
            }),
          ),
        )
        const changes = new Map<bigint, bigint>()
        const add = (memberId: bigint, micros: bigint) =>
          changes.set(memberId, (changes.get(memberId) ?? 0n) + micros)
        outcomes.forEach(({ status }, index) => {
          const { from, to, micros, fails } = operations[index]!
          if (fails !== 'no') expect(status).toBe('rejected')
          if (status === 'rejected') return
          add(from, -micros)
          if (to !== from) add(to, micros)
        })
        const have = await balancesNow()
        have.forEach(({ USDT }, index) => {
          expect(USDT.available).toBe(had[index]!.USDT.available + (changes.get(BigInt(index + 1)) ?? 0n))
          expect(USDT.available).toBeGreaterThanOrEqual(0n)
        })
      }),
      { numRuns: 25 },
    )
  })

  it('writes the same rows as operations by themselves, whatever the values', async () => {
    const row = fc.record({
      operation: fc
        .string({ unit: 'binary', minLength: 1, maxLength: 20 })
        .filter((text) => !text.includes('\0')),
      input_hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
      created_at: fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      answer: fc.option(
        fc
          .dictionary(
            fc.string({ maxLength: 5 }),
            fc.string({ maxLength: 10 }).filter((text) => !text.includes('\0')),
          )
          .filter((one) => !Object.keys(one).some((key) => key.includes('\0'))),
      ),
    })
    const store = (memberId: bigint, key: string, values: object) => () =>
      inMemberTx(database().db, { memberId }, async (dbTx) => {
        await ledger.lockHeads(dbTx, [memberId])
        const write = insertOf('idempotency_keys', [{ member_id: memberId, key, ...values }])
        await ledger.postWith(dbTx, entryOf('savings_in', line(memberId, 'available>savings', 1n)), [
          { memberId, write },
        ])
      })
    const stored = async (memberId: bigint, key: string) => {
      const { rows } = await sql`select operation, input_hash, created_at, answer from idempotency_keys
        where member_id = ${memberId} and key = ${key}`.execute(database().db)
      return rows
    }
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 6 }), async (rows) => {
        const key = nextKey()
        const outcomes = await atOnce(rows.map((values, index) => store(BigInt(21 + index), key, values)))
        expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
        for (const [index, values] of rows.entries()) {
          const memberId = BigInt(21 + index)
          await inTx(database().db, (dbTx) =>
            insertOf('idempotency_keys', [{ member_id: memberId, key: `${key}/alone`, ...values }]).execute(
              dbTx,
            ),
          )
          expect(await stored(memberId, key)).toEqual(await stored(memberId, `${key}/alone`))
        }
      }),
      { numRuns: 40 },
    )
    expect(count(/json_populate_recordset/)).toBeGreaterThan(30)
  })
})
