import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Db } from '../../../db/database.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../../testing/test-database.ts'
import { WAIT } from '../../../testing/wait.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { auditChanges, auditLedger } from './audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

const ledger = createLedgerService()
let database: TestDatabase
let db: TestDatabase['db']

/** Posts one example of each: two members and the operator, a pool, a transfer, a reversal. */
beforeEach(async () => {
  database = await createTestDatabase({ max: 2 })
  db = database.db
  const time = { accountingDay: DAY, at: AT }
  await postAttested(db, { destination: 'yield_pool', asset: 'USDT', amountMicros: 500n, ...time })
  await ledger.post(db, grant('grant', 1n, 100n))
  await ledger.post(db, entry('static', 'static', line(1n, 'yield_pool>available', 20n)))
  await ledger.post(db, transfer('transfer', 1n, 2n, 60n))
  await ledger.post(db, transfer('mistake', 1n, 2n, 5n))
  const cause = { type: 'test', id: 'mistake' }
  await ledger.reverse(db, { key: 'mistake', memberIds: [1n, 2n], cause, accountingDay: DAY, at: AT })
})
afterEach(() => database.close())

/** Runs a statement as a superuser with the triggers disabled. */
async function tamper(...statements: string[]): Promise<void> {
  await db.transaction().execute(async (dbTx) => {
    await sql`set local session_replication_role = replica`.execute(dbTx)
    for (const statement of statements) await sql.raw(statement).execute(dbTx)
  })
}

const failedChecks = async () => [...new Set((await auditLedger(db)).map(({ check }) => check))].sort()

test('finds nothing in untampered books', async () => {
  expect(await auditLedger(db)).toEqual([])
})

test('reports each difference and its size', async () => {
  await tamper('update ledger_heads set balances[1] = 56 where member_id = 1')
  expect(await auditLedger(db)).toEqual([
    { check: 'balance', subject: 'member 1 USDT available', expected: '60', actual: '56' },
    { check: 'sum', subject: 'member 1 USDT: all accounts', expected: '0', actual: '-4' },
  ])
})

const DROP_CHECK = 'alter table ledger_entries drop constraint ledger_entries_flow'

describe.each<[string, string[], string[]]>([
  [
    'an amount changed',
    ["update ledger_entries set amount = 61 where kind = 'transfer' and amount = 60 and member_id = 1"],
    ['balance', 'clearing', 'content', 'sum'],
  ],
  [
    'a posting redirected',
    [DROP_CHECK, "update ledger_entries set destination = 'locked' where kind = 'static'"],
    ['balance', 'content', 'flow'],
  ],
  [
    'a posting deleted',
    ["delete from ledger_entries where kind = 'static'"],
    ['balance', 'pool', 'pool day', 'sequence', 'sum'],
  ],
  [
    'a posting added',
    [
      `insert into ledger_entries (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
       values (1, 1, 9, 'grant', 'USDT', 'external', 'available', 1, '${DAY}')`,
    ],
    ['balance', 'content', 'sum'],
  ],
  [
    'a whole transaction deleted',
    ["delete from ledger_entries where kind = 'grant'"],
    ['balance', 'sequence', 'sum'],
  ],
  [
    "one member's half deleted without a trace",
    [
      'delete from ledger_entries where member_id = 2 and seq = 3',
      'update ledger_heads set seq = 2, balances[1] = balances[1] + 5 where member_id = 2',
    ],
    ['clearing', 'content'],
  ],
  ['a cause changed', ["update ledger_entries set cause_id = '2' where kind = 'grant'"], ['content']],
  [
    'a kind changed',
    [DROP_CHECK, "update ledger_entries set kind = 'transfer' where kind = 'grant'"],
    ['content', 'flow'],
  ],
  [
    'a day changed',
    ["update ledger_entries set accounting_day = '2026-01-06' where kind = 'static'"],
    ['pool day'],
  ],
  ['a head moved', ['update ledger_heads set seq = seq + 1 where member_id = 2'], ['sequence']],
  [
    'a balance invented',
    ["insert into ledger_heads values (3, 0, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}')"],
    ['balance', 'sum'],
  ],
  [
    'a pool filled',
    ["update ledger_pools set balance = balance + 1 where account = 'yield_pool' and asset = 'USDT'"],
    ['pool'],
  ],
  [
    'a pool day filled',
    [`insert into ledger_pool_days values ('suspense', 'AMC', '${DAY}', 1)`],
    ['pool day'],
  ],
  [
    'more shares than members hold',
    ["update ledger_shares set held = held + 1 where asset = 'DIV' and slot = 3"],
    ['shares held'],
  ],
  [
    'a flow that is not allowed',
    [DROP_CHECK, "update ledger_entries set kind = 'grant' where kind = 'static'"],
    ['content', 'flow'],
  ],
  [
    'a reversal of something else',
    ["update ledger_entries set reverses_seq = 3 where kind = 'transfer:reversal' and member_id = 1"],
    ['reversal'],
  ],
  [
    'a reversal of nothing',
    ["update ledger_entries set reverses_seq = 99 where kind = 'transfer:reversal' and member_id = 1"],
    ['reversal'],
  ],
  [
    'a payment into a pool that nobody made',
    [`insert into ledger_pool_credits values ('suspense', 'AMC', '${DAY}', 1)`],
    ['pool', 'pool day'],
  ],
])('%s', (_, statements, checks) => {
  test(`is found by: ${checks.join(', ')}`, async () => {
    await tamper(...statements)
    expect(await failedChecks()).toEqual(checks)
  })
})

test('a line whose kind or day differs from its transaction, or without a transaction, is found', async () => {
  const lines = [line(3n, 'external>commission_pool', 9n), line(3n, 'external>revenue', 1n)]
  await ledger.post(db, entry('order', 'order_payment', ...lines))
  expect(await failedChecks()).toEqual([])
  await tamper("update ledger_entries set accounting_day = '2026-01-06' where member_id = 3 and line = 2")
  expect(await auditLedger(db)).toEqual([
    {
      check: 'transaction',
      subject: 'member 3 transaction 1: kind and day of its postings',
      expected: 'order_payment 2026-01-05',
      actual: 'order_payment 2026-01-06',
    },
  ])
  await tamper(
    "update ledger_entries set accounting_day = '2026-01-05' where member_id = 3 and line = 2",
    'delete from ledger_entries where member_id = 3 and line = 1',
  )
  expect(await failedChecks()).toEqual(['pool', 'pool day', 'sequence', 'transaction'])
})

test('an operator account or a member account below zero is found', async () => {
  await tamper(
    'alter domain member_balances drop constraint member_balances_not_negative',
    "insert into ledger_heads values (4, 0, '{0,0,0,0,0,0,-3,0,0,0,0,0,0,0,0,0}')",
    `insert into ledger_flow_days values ('${DAY}', 'grant', 'RIF', 'revenue', 'external', 2, 1)`,
  )
  const negative = (await auditLedger(db)).filter(({ check }) => check === 'negative')
  expect(negative.map(({ subject, actual }) => [subject, actual])).toEqual([
    ['member 4 AMC available', '-3'],
    ['revenue RIF', '-2'],
  ])
})

test("compares the bank's holdings with the external movements", async () => {
  const holdings = (USDT: bigint) => ({ chain: { holdings: async () => ({ USDT, AMC: 0n }) } })
  expect(await auditLedger(db, holdings(600n))).toEqual([])
  expect(await auditLedger(db, holdings(599n))).toEqual([
    { check: 'bank', subject: 'USDT held by the bank contract', expected: '600', actual: '599' },
  ])
})

test('compares the bank with the books and the deposits that nobody has attested', async () => {
  const options = (USDT: bigint) => ({
    chain: {
      holdings: async () => ({ USDT, AMC: 0n }),
      unattested: async () => ({ USDT: 2000n, AMC: 0n }),
    },
  })
  const note = {
    check: 'unattested',
    subject: 'USDT of deposits that nobody has attested',
    expected: '0',
    actual: '2000',
    isNote: true,
  }
  expect(await auditLedger(db, options(2600n))).toEqual([note])
  expect(await auditLedger(db, options(2596n))).toEqual([
    note,
    { check: 'bank', subject: 'USDT held by the bank contract', expected: '2600', actual: '2596' },
  ])
})

test('only notes a surplus of the bank over the books', async () => {
  const holdings = async () => ({ USDT: 601n, AMC: 7n })
  expect(await auditLedger(db, { chain: { holdings } })).toEqual([
    {
      check: 'bank',
      subject: 'USDT held by the bank contract',
      expected: '600',
      actual: '601',
      isNote: true,
    },
    { check: 'bank', subject: 'AMC held by the bank contract', expected: '0', actual: '7', isNote: true },
  ])
})

test('runs the checks of other modules on the same snapshot', async () => {
  const difference = { subject: 'order 1', expected: '1', actual: '2' }
  const checks = [{ name: 'orders', run: async () => [difference] }]
  expect(await auditLedger(db, { checks })).toEqual([{ check: 'orders', ...difference }])
})

test.runIf(isOnCluster())(
  'an audit of changes reads everything on several machines, whose transactions have no common numbers',
  async () => {
    const { xid: since } = await auditChanges(db)
    await tamper("update ledger_entries set amount = 61 where kind = 'transfer' and amount = 60")
    const { findings } = await auditChanges(db, { since })
    expect(findings.map(({ check }) => check)).toContain('balance')
  },
)

describe.skipIf(isOnCluster())('an audit of changes', () => {
  /** Audits until no transaction of another test on the same server is older than the rows written here. */
  const auditAll = async (): Promise<bigint> => {
    const { rows } = await sql<{ xid: bigint }>`select pg_current_xact_id()::text::bigint as xid`.execute(db)
    return vi.waitFor(async () => {
      const { xid } = await auditChanges(db)
      expect(xid).toBeGreaterThan(rows[0]!.xid)
      return xid
    }, WAIT)
  }
  const changesSince = async (since: bigint) => {
    const { findings } = await auditChanges(db, { since })
    return findings.map(({ check, subject }) => `${check}: ${subject}`)
  }

  test('finds a new transaction whose line was changed together with the balances', async () => {
    const xid = await auditAll()
    await ledger.post(db, transfer('new', 1n, 2n, 7n))
    expect(await changesSince(xid)).toEqual([])
    await tamper(
      "update ledger_entries set amount = 8 where kind = 'transfer' and amount = 7",
      'update ledger_heads set balances[1] = balances[1] - 1 where member_id = 1',
      'update ledger_heads set balances[1] = balances[1] + 1 where member_id = 2',
    )
    expect(await changesSince(xid)).toEqual(['content: transaction new: digest of its lines'])
  })

  test('runs the checks of other modules that read changes, for the members that changed', async () => {
    const since = await auditAll()
    await ledger.post(db, grant('new', 2n, 7n))
    const run = async () => [{ subject: 'all', expected: '1', actual: '2' }]
    const runFor = async (_: Db, { memberIds }: { memberIds: readonly bigint[] }) => [
      { subject: `members ${memberIds}`, expected: '1', actual: '2' },
    ]
    const { findings } = await auditChanges(db, {
      since,
      checks: [
        { name: 'full', run },
        { name: 'part', run, runFor },
      ],
    })
    expect(findings.map(({ check, subject }) => `${check}: ${subject}`)).toEqual(['part: members 2'])
  })

  test('skips members without changes, whose tampered posting the full audit finds', async () => {
    const xid = await auditAll()
    await ledger.post(db, grant('new', 3n, 1n))
    await tamper("update ledger_entries set amount = 61 where kind = 'transfer' and amount = 60")
    expect(await changesSince(xid)).toEqual([])
    expect(await failedChecks()).toContain('balance')
    await ledger.post(db, grant('later', 2n, 1n))
    expect(await changesSince(xid)).toEqual([
      'balance: member 2 USDT available',
      'content: transaction transfer: digest of its lines',
      'clearing: transaction transfer: clearing of USDT',
      'sum: member 2 USDT: all accounts',
    ])
  })
})
