import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { answeredRead, keptAnswer } from '../../lib/idempotency.ts'
import { auditLedger } from '../../modules/ledger/ledger.audit.ts'
import { createLedgerService, type JournalEntry } from '../../modules/ledger/ledger.service.ts'
import { line } from '../../modules/ledger/testing/entries.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type Db, inMemberTx } from '../database.ts'
import { forAll } from '../lanes.ts'
import { nextIdRead, readTogether } from '../read.ts'

/** The USDT micro-units of each of the members 1 to 40. */
export const GIVEN = 1_000_000n
const MEMBERS = 40

export const ledger = createLedgerService()

/**
 * Gives a test file a database of members with money, and operations on it that share transactions like the
 * product's. Audits its books at the end.
 */
export function useSharedOperations() {
  let opened: TestDatabase | undefined
  let texts: string[] = []
  let keys = 0
  const database = () => opened!

  beforeAll(async () => {
    opened = await createTestDatabase({
      role: 'rif_app',
      max: 6,
      onMessage: (statements) => texts.push(...statements.map(({ text }) => text)),
    })
    for (let member = 1; member <= MEMBERS; member++) await give(BigInt(member), GIVEN)
  })
  beforeEach(() => forget())
  afterAll(async () => {
    expect(await auditLedger(database().db)).toEqual([])
    await database().close()
  })

  const entryOf = (kind: JournalEntry['kind'], ...lines: JournalEntry['lines']): JournalEntry => {
    const at = new Date()
    const cause = { type: 'test', id: '1' }
    return { key: nextKey(), kind, cause, accountingDay: dayOf(at.getTime()), at, lines }
  }
  const give = (memberId: bigint, micros: bigint) =>
    ledger.post(database().db, entryOf('grant', line(memberId, 'external>available', micros)))
  const available = async (memberId: bigint) =>
    (await ledger.balances(database().db, memberId)).USDT.available
  /** Counts the statements sent since the test began, or since `forget`. */
  const count = (text: RegExp) => texts.filter((one) => text.test(one)).length

  /** Runs operations at once, like calls. */
  const atOnce = <T>(operations: readonly (() => Promise<T>)[]) =>
    forAll('writes', () => Promise.allSettled(operations.map((operate) => operate())))

  /**
   * Moves an amount with one lock, one read and one write, like the product's operations. `before` runs
   * between read and write.
   */
  const move =
    (
      from: bigint,
      to: bigint,
      micros: bigint,
      before: (dbTx: Db) => unknown = () => undefined,
      db = database().db,
    ) =>
    async () => {
      const members = from === to ? [from] : [from, to]
      const request = {
        memberId: from,
        key: nextKey(),
        operation: 'transfer',
        input: { to: `${to}` },
      } as const
      return inMemberTx(db, { memberId: from, findOthers: async () => members.slice(1) }, async (dbTx) => {
        await ledger.lockHeads(dbTx, members)
        const { answered, balances, id } = await readTogether(dbTx, from, {
          answered: answeredRead(request),
          balances: ledger.balancesRead,
          id: nextIdRead('transfers', 'transfer_id'),
        })
        expect(answered).toBeUndefined()
        await before(dbTx)
        if (balances.USDT.available < micros) throw new AppError('INSUFFICIENT_BALANCE')
        const lines =
          from === to
            ? [line(from, 'available>savings', micros)]
            : [line(from, 'available>clearing', micros), line(to, 'clearing>available', micros)]
        const entry = entryOf(from === to ? 'savings_in' : 'transfer', ...lines)
        const writes = keptAnswer(request, { id: `${id}` }, entry.at)
        await ledger.postWith(
          dbTx,
          entry,
          writes.map((write) => ({ memberId: from, write })),
        )
        return { id, key: request.key }
      })
    }
  /** Ends the connections of open transactions. */
  const cut = () =>
    database().pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
  const answerOf = async (memberId: bigint, key: string) => {
    const { rows } = await sql<{ answer: unknown }>`
      select answer from idempotency_keys where member_id = ${memberId} and key = ${key}`.execute(
      database().db,
    )
    return rows[0]?.answer
  }
  const nextKey = () => `key/${keys++}`
  function forget(): void {
    texts = []
  }

  return { database, entryOf, available, atOnce, move, cut, answerOf, count, nextKey, forget }
}
