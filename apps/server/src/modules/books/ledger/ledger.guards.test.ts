import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../../testing/test-database.ts'
import { POOL_ACCOUNTS } from './accounts.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { FLOW_ROWS, grant, transfer } from './testing/entries.ts'

const ledger = createLedgerService()
let database: TestDatabase
let db: TestDatabase['db']

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 })
  db = database.db
  await ledger.post(db, grant('start', 1n, 100n))
})
afterAll(() => database.close())

/** Writes a posting as superuser, bypassing the service, in a transaction that is rolled back. */
async function insertPosting(
  kind: string,
  asset: string,
  source: string,
  destination: string,
): Promise<void> {
  const givenUp = new Error('given up')
  await db
    .transaction()
    .execute(async (dbTx) => {
      const reversesSeq = kind.endsWith(':reversal') ? 1n : null
      await sql`insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination,
          posted_at, content_digest, idempotency_key, cause_type, cause_id, reverses_seq)
        values (1, 99, 1, '2026-01-05', 1, ${kind}, ${asset}, ${source}, ${destination}, '2026-01-05', '\\x00', ${kind},
          'test', '1', ${reversesSeq})`.execute(dbTx)
      throw givenUp
    })
    .catch((error: unknown) => {
      if (error !== givenUp) throw error
    })
}

describe('the flow table', () => {
  test('equals that of the rules', async () => {
    const { rows } = await sql<object>`select kind, asset, source, destination from ledger_flows`.execute(db)
    const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    expect(rows.sort(byText)).toEqual([...FLOW_ROWS].sort(byText))
  })

  test('fills the pools of rewards, interest and dividends from attested revenue only', async () => {
    const { rows } = await sql`
      select distinct kind, source from ledger_flows
      where destination in ('yield_pool', 'savings_pool', 'dividend_pool')`.execute(db)
    expect(rows).toEqual([{ kind: 'attested_revenue', source: 'external' }])
  })

  test('names the same pools as the service', async () => {
    const { rows } = await sql<{ pools: string[] }>`select ledger_pool_accounts() as pools`.execute(db)
    expect(rows[0]!.pools).toEqual([...POOL_ACCOUNTS])
  })

  test('allows every listed flow, and its opposite in a reversal', async () => {
    for (const { kind, asset, source, destination } of FLOW_ROWS) {
      await insertPosting(kind, asset, source, destination)
      await insertPosting(`${kind}:reversal`, asset, destination, source)
    }
  })

  test('refuses every other asset in a listed flow', async () => {
    const allowed = new Set(FLOW_ROWS.map((row) => JSON.stringify(row)))
    for (const row of FLOW_ROWS) {
      for (const asset of ['USDT', 'AMC', 'RIF', 'VC', 'DIV']) {
        if (allowed.has(JSON.stringify({ ...row, asset }))) continue
        const refused = insertPosting(row.kind, asset, row.source, row.destination)
        await expect(refused, `${row.kind} ${asset}`).rejects.toMatchObject({ code: '23514' })
      }
    }
  })

  test.each([
    ['order_payment', 'USDT', 'external', 'yield_pool'],
    ['commission', 'USDT', 'yield_pool', 'available'],
    ['static', 'USDT', 'commission_pool', 'available'],
    ['transfer', 'USDT', 'available', 'yield_pool'],
    ['exchange', 'USDT', 'external', 'available'],
    ['exchange', 'RIF', 'external', 'available'],
    ['hash_power_purchase', 'USDT', 'external', 'available'],
    ['fund_purchase', 'AMC', 'external', 'fees'],
    ['fund_redemption', 'USDT', 'fund_custody:1', 'fund_custody:2'],
    ['fund_redemption', 'USDT', 'revenue', 'available'],
    ['fund_invest', 'USDT', 'fund_custody:1', 'revenue'],
    ['order_payment', 'USDT', 'external', 'fund_custody:1'],
    ['grant', 'RIF', 'available', 'external'],
    ['grant:reversal', 'RIF', 'external', 'available'],
    ['grant:reversal:reversal', 'RIF', 'external', 'available'],
    ['grant RIF external>available', '', '', ''],
    ['grant', 'RIF external>available', '', ''],
    ['unknown', 'RIF', 'external', 'available'],
  ])('refuses %s of %s from %s to %s, whoever inserts it', async (kind, asset, source, destination) => {
    await expect(insertPosting(kind, asset, source, destination)).rejects.toMatchObject({ code: '23514' })
  })

  test('works without a search path, as a restored dump needs', async () => {
    await db.transaction().execute(async (dbTx) => {
      await sql`set local search_path = ''`.execute(dbTx)
      await sql`insert into public.ledger_heads values (2, 1, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}')`.execute(
        dbTx,
      )
      await sql`insert into public.ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source,
          destination, posted_at, content_digest, idempotency_key, cause_type, cause_id)
        values (2, 1, 1, '2026-01-05', 1, 'grant', 'USDT', 'external', 'available', '2026-01-05', '\\x00', 'restored',
          'test', '1')`.execute(dbTx)
      await sql`insert into public.ledger_pool_days values ('suspense', 'USDT', '2026-01-05', 1)`.execute(
        dbTx,
      )
    })
  })
})

describe('posted rows', () => {
  test.each([
    'update ledger_entries set posted_at = posted_at',
    'update ledger_entries set amount = amount + 1 where member_id = 1',
    'delete from ledger_entries where seq = -1',
    'delete from ledger_entries',
    'truncate ledger_entries',
    'delete from ledger_heads',
    'truncate ledger_heads',
    'delete from ledger_pool_days',
    'truncate ledger_pools, ledger_pool_days, ledger_pool_parts',
    'delete from ledger_guarded',
    'truncate ledger_guarded',
  ])('stay, even for the superuser: %s', async (statement) => {
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: 'RL004' })
  })

  test('a member account never goes below zero, whoever updates it', async () => {
    const update = sql`update ledger_heads set balances[1] = -1 where member_id = 1`
    await expect(update.execute(db)).rejects.toMatchObject({ code: '23514' })
  })
})

describe('the role of the running server', () => {
  let app: TestDatabase

  beforeAll(async () => {
    app = await createTestDatabase({ max: 1, role: 'rif_app' })
  })
  afterAll(() => app.close())

  test('posts, reverses, locks, reads and audits', async () => {
    await ledger.post(app.db, grant('r1', 1n, 100n))
    await ledger.post(app.db, transfer('r2', 1n, 2n, 60n))
    await ledger.lock(app.db, { pools: ['suspense'], memberIds: [1n, 2n] })
    const time = { accountingDay: '2026-01-05', at: new Date() }
    await ledger.reverse(app.db, {
      key: 'r2',
      memberIds: [1n, 2n],
      cause: { type: 'test', id: '1' },
      ...time,
    })
    expect((await ledger.balances(app.db, 1n)).USDT.available).toBe(100n)
    expect(await auditLedger(app.db)).toEqual([])
  })

  test
    .skipIf(isOnCluster())
    .each([
      'ledger_heads',
      'ledger_entries',
      'ledger_pools',
      'ledger_pool_days',
      'ledger_pool_credits',
      'ledger_pool_parts',
    ])('has no way to write %s itself', async (table) => {
    const statements = [
      `insert into ${table} default values`,
      `update ${table} set ${table.startsWith('ledger_pool') ? 'asset = asset' : 'member_id = member_id'}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]
    for (const statement of statements) {
      await expect(sql.raw(statement).execute(app.db)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('cannot disable the guards', async () => {
    for (const statement of [
      'alter table ledger_entries disable trigger all',
      `set session_replication_role = replica`,
      'drop trigger append_only on ledger_entries',
    ]) {
      await expect(sql.raw(statement).execute(app.db)).rejects.toMatchObject({ code: '42501' })
    }
  })
})
