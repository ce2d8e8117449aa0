import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markSimulation } from '../../../db/simulation.ts'
import { signal } from '../../../testing/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { postAttested, recordAttestation } from '../../rewards/attested-revenue/testing/post-attested.ts'
import { auditLedger } from './audit.ts'
import { createLedgerService } from './ledger.service.ts'
import { AT, DAY, entry, grant, line, transfer } from './testing/entries.ts'

// An attacker with the login of the running server calls the functions of the ledger with arbitrary
// arguments.

const ledger = createLedgerService()
let database: TestDatabase
let db: TestDatabase['db']

beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  db = database.db
  await ledger.post(db, grant('start', 1n, 1_000n))
  await ledger.post(db, entry('save', 'savings_in', line(1n, 'available>savings', 600n)))
  const money = { asset: 'USDT', amountMicros: 50n, accountingDay: DAY, at: AT } as const
  await postAttested(db, { destination: 'savings_pool', ...money })
  await ledger.post(db, entry('interest', 'savings_interest', line(1n, 'savings_pool>savings', 5n)))
  await ledger.post(db, transfer('gift', 1n, 2n, 30n))
})
afterAll(() => database.close())

interface Attack {
  readonly key?: string
  readonly kind: string
  readonly cause?: readonly [type: string, id: string]
  readonly day?: string
  readonly at?: Date
  readonly reverses?: string
  readonly lines: readonly (readonly [
    member: number,
    asset: string,
    source: string,
    destination: string,
    amount: number,
  ])[]
}

let nonce = 0

/** Calls the posting function with the application's login. */
function post(on: TestDatabase['db'], { cause = ['test', '1'], lines, ...attack }: Attack): Promise<unknown> {
  const column = (index: number) => lines.map((of) => of[index])
  return sql`select ledger_post(${[attack.key ?? `attack/${++nonce}`]}, ${[attack.kind]}, ${[cause[0]]}, ${[cause[1]]},
    ${[attack.reverses ?? null]}, ${attack.day ?? DAY}, ${attack.at ?? AT}, ${lines.map(() => 1)}, ${column(0)}, ${column(1)},
    ${column(2)}, ${column(3)}, ${column(4)}) as posted`
    .execute(on)
    .then(({ rows }) => (rows[0] as { posted: boolean[] }).posted[0])
}

/** Expects a refusal that leaves every balance, pool and posting unchanged. */
async function refused(attack: Attack, code: string): Promise<void> {
  const before = await books()
  await expect(post(db, attack)).rejects.toMatchObject({ code })
  expect(await books()).toEqual(before)
}

async function books(): Promise<unknown> {
  const { rows } = await sql`
    select (select jsonb_agg(b order by member_id, asset, account) from ledger_balances as b) as balances,
      (select jsonb_agg(p order by account, asset) from ledger_pool_sums as p) as pools,
      (select count(*)::int from ledger_postings) as postings`.execute(db)
  return rows[0]
}

test('an exchange from outside cannot mint 777 USDT', async () => {
  await refused({ kind: 'exchange', lines: [[2, 'USDT', 'external', 'available', 777]] }, '23514')
  for (const kind of ['hash_power_purchase', 'order_payment', 'suspense_release', 'transfer', 'release']) {
    await refused({ kind, lines: [[2, 'USDT', 'external', 'available', 777]] }, '23514')
  }
})

test('a line of no member cannot put 777 USDT into a pool', async () => {
  const before = await books()
  const columns = {
    entries: [1, 1],
    members: [0, 0],
    assets: ['USDT', 'USDT'],
    sources: ['external', 'external'],
    destinations: ['revenue', 'commission_pool'],
    amounts: [1, 777],
  }
  for (const short of ['entries', 'members', 'assets', 'sources', 'destinations', 'amounts'] as const) {
    const attack = { ...columns, [short]: columns[short].slice(0, 1) }
    const attempt =
      sql`select ledger_post(${[short]}, '{order_payment}', '{test}', '{1}', '{null}', ${DAY}, ${AT}, ${attack.entries}, ${attack.members},
      ${attack.assets}, ${attack.sources}, ${attack.destinations}, ${attack.amounts})`.execute(db)
    await expect(attempt, short).rejects.toMatchObject({ code: 'RL003' })
  }
  for (const short of ['members', 'flows', 'amounts'] as const) {
    const lines = { members: [0, 0], flows: [1, 1], amounts: [1, 777] }
    const attack = { ...lines, [short]: lines[short].slice(0, 1) }
    const attempt =
      sql`select ledger_post_batches('test', '1', ${DAY}, ${AT}, ${[short]}, '{order_payment}', '{1}', '{USDT}',
      '{external}', '{commission_pool}', ${attack.members}, ${attack.flows}, ${attack.amounts}, 'none', 1)`.execute(
        db,
      )
    await expect(attempt, `batches ${short}`).rejects.toMatchObject({ code: 'RL003' })
  }
  expect(await books()).toEqual(before)
})

test('a transaction that is posted with others is checked as alone, and none is posted', async () => {
  const before = await books()
  const attempt = (
    kind: string,
    [source, destination]: readonly [string, string],
    entries = [1, 2],
    members = [2, 2],
  ) =>
    sql`select ledger_post(${['together/1', 'together/2']}, ${['order_payment', kind]}, '{test,test}', '{1,1}', '{null,null}', ${DAY},
      ${AT}, ${entries}, ${members}, '{USDT,USDT}', ${['external', source]}, ${['revenue', destination]}, '{5,777}')`.execute(
      db,
    )
  const paid = ['external', 'revenue'] as const
  await expect(attempt('attested_revenue', ['external', 'yield_pool'])).rejects.toMatchObject({
    code: 'RL008',
  })
  await expect(attempt('transfer', ['clearing', 'available'])).rejects.toMatchObject({ code: 'RL003' })
  await expect(attempt('treasury_payout', ['exit_hold', 'external'])).rejects.toMatchObject({ code: 'RL001' })
  await expect(attempt('commission:reversal', ['available', 'commission_pool'])).rejects.toMatchObject({
    code: 'RL001',
  })
  await expect(attempt('savings_in', ['available', 'savings'])).rejects.toMatchObject({ code: 'RL001' })
  await expect(attempt('commission', paid)).rejects.toMatchObject({ code: '23514' })
  for (const entries of [[1, 1], [2, 2], [1, 3], [0, 1], [1]])
    await expect(attempt('order_payment', paid, entries), `${entries}`).rejects.toMatchObject({
      code: 'RL003',
    })
  await expect(attempt('order_payment', paid, [1, 2], [2])).rejects.toMatchObject({ code: 'RL003' })
  expect(await books()).toEqual(before)
})

test('what has checks of its own, and dividend rights and VC, are not posted for many', async () => {
  const before = await books()
  const attempt = (kind: string, asset: string, source: string, destination: string) =>
    sql`select ledger_post_batches('test', '1', ${DAY}, ${AT}, '{many}', ${[kind]}, '{1}', ${[asset]}, ${[source]}, ${[destination]},
      '{2}', '{1}', '{7}', 'none', 1)`.execute(db)
  for (const [kind, asset, source, destination] of [
    ['grant', 'RIF', 'external', 'available'],
    ['attested_revenue', 'USDT', 'external', 'yield_pool'],
    ['treasury_payout', 'USDT', 'exit_hold', 'external'],
    ['fund_redemption', 'USDT', 'fund_custody:1', 'available'],
    ['vc_subscription', 'VC', 'available', 'locked'],
    ['transfer', 'USDT', 'clearing', 'available'],
  ] as const)
    await expect(attempt(kind, asset, source, destination), kind).rejects.toMatchObject({ code: 'RL003' })
  expect(await books()).toEqual(before)
})

describe('attested revenue', () => {
  const money = {
    destination: 'yield_pool',
    asset: 'USDT',
    amountMicros: 40n,
    accountingDay: DAY,
    at: AT,
  } as const
  const line = (amount: number, pool = 'yield_pool', asset = 'USDT', member = 0) =>
    [member, asset, 'external', pool, amount] as const

  test('cannot be posted without an approved attestation', async () => {
    await refused({ kind: 'attested_revenue', lines: [line(40)] }, 'RL008')
    const waiting = `with deposit as (
        insert into revenue_deposits values ('77', '0x', '0x', 'USDT', 40, 0, '0x${'ab'.repeat(32)}', '0x', now()) returning *)
      insert into attestations (pool, asset, amount_micros, source, document_hash, deposit_id, prepared_by, prepared_at)
      select 'yield_pool', asset, amount_micros, 'test', document_hash, deposit_id, 'anna', now() from deposit
      returning attestation_id::text as id`
    const { rows } = await sql.raw<{ id: string }>(waiting).execute(db)
    const { id } = rows[0]!
    await refused(
      { key: `attestation/${id}`, kind: 'attested_revenue', cause: ['attestation', id], lines: [line(40)] },
      'RL008',
    )
  })

  test('is posted once, with the pool, the asset and the amount of its attestation', async () => {
    const id = `${await recordAttestation(db, money)}`
    const named = { key: `attestation/${id}`, kind: 'attested_revenue', cause: ['attestation', id] } as const
    for (const lines of [
      [line(41)],
      [line(40, 'dividend_pool')],
      [line(40, 'yield_pool', 'AMC')],
      [line(40, 'yield_pool', 'USDT', 1)],
      [line(40), line(40)],
    ]) {
      await refused({ ...named, lines }, 'RL008')
    }
    await refused({ ...named, key: 'another key', lines: [line(40)] }, 'RL008')
    expect(await post(db, { ...named, lines: [line(40)] })).toBe(true)
    expect(await post(db, { ...named, lines: [line(40)] })).toBe(false)
    await refused({ ...named, key: 'another key', lines: [line(40)] }, 'RL008')
  })

  test('has an attestation that is approved once, for a deposit of the same amount', async () => {
    const id = await recordAttestation(db, money)
    for (const statement of [
      sql`update attestations set amount_micros = 777 where attestation_id = ${id}`,
      sql`update attestations set approved_at = null, approved_by = null where attestation_id = ${id}`,
      sql`insert into attestations (pool, asset, amount_micros, source, document_hash, deposit_id, prepared_by,
        prepared_at, approved_by, approved_at) values ('yield_pool', 'USDT', 777, 'x', ${`0x${'ab'.repeat(32)}`}, '78',
        'anna', now(), 'ben', now())`,
    ]) {
      await expect(statement.execute(db)).rejects.toMatchObject({ code: 'RL008' })
    }
    await expect(recordAttestation(db, { ...money, amountMicros: 0n })).rejects.toMatchObject({
      code: '23514',
    })
  })
})

describe('a reversal', () => {
  test('of another transaction does not move savings to the interest pool', async () => {
    const savings = [1, 'USDT', 'savings', 'savings_pool', 600] as const
    await refused({ kind: 'savings_interest:reversal', reverses: 'start', lines: [savings] }, 'RL007')
    await refused({ kind: 'savings_interest:reversal', reverses: 'interest', lines: [savings] }, 'RL007')
    await refused({ kind: 'savings_interest:reversal', reverses: 'nothing', lines: [savings] }, 'RL007')
    await refused({ kind: 'savings_interest:reversal', lines: [savings] }, '23514')
    const interest = [1, 'USDT', 'savings', 'savings_pool', 5] as const
    await refused(
      { kind: 'savings_interest:reversal', reverses: 'interest', lines: [interest, interest] },
      'RL007',
    )
    const foreign = [2, 'USDT', 'savings', 'savings_pool', 5] as const
    await refused({ kind: 'savings_interest:reversal', reverses: 'interest', lines: [foreign] }, 'RL007')
  })

  test('mirrors all lines of all members, and only once', async () => {
    const back = [2, 'USDT', 'available', 'clearing', 30] as const
    const home = [1, 'USDT', 'clearing', 'available', 30] as const
    const reversal = { kind: 'transfer:reversal', reverses: 'gift' } as const
    await refused({ ...reversal, lines: [home, back] }, 'RL007')
    await refused({ ...reversal, lines: [back] }, 'RL003')
    await refused({ ...reversal, kind: 'suspense_release:reversal', lines: [back, home] }, 'RL007')
    expect(await post(db, { ...reversal, key: 'gift:reversal', lines: [back, home] })).toBe(true)
    await refused({ ...reversal, key: 'again', lines: [back, home] }, '23505')
    // A reversal cannot be reversed.
    const repeatedLines = [
      [1, 'USDT', 'available', 'clearing', 30],
      [2, 'USDT', 'clearing', 'available', 30],
    ] as const
    await refused(
      { kind: 'transfer:reversal:reversal', reverses: 'gift:reversal', lines: repeatedLines },
      '23514',
    )
  })
})

describe('a settled day', () => {
  beforeAll(async () => {
    await sql`insert into settlement_start values ('2026-01-01')`.execute(db)
    for (const day of ['2026-01-01', '2026-01-02']) await settle(day)
  })

  async function settle(day: string): Promise<void> {
    await sql`insert into settlement_days (day, state, fixed_at) values (${day}, 'fixed', now())`.execute(db)
    await sql`update settlement_days set state = 'staged' where day = ${day}`.execute(db)
    await sql`update settlement_days set state = 'settled', settled_at = now() where day = ${day}`.execute(db)
  }

  test('takes no posting, nor does a day before it; a known posting stays known', async () => {
    const gift = { kind: 'grant', lines: [[2, 'RIF', 'external', 'available', 7]] } as const
    for (const day of ['2026-01-02', '2026-01-01', '2025-12-31']) await refused({ ...gift, day }, 'RL005')
    expect(await post(db, { ...gift, key: 'open', day: '2026-01-03' })).toBe(true)
    expect(await post(db, { ...gift, key: 'open', day: '2026-01-02' })).toBe(false)
    const many = sql`select ledger_post_batches('test', '1', '2026-01-02', ${AT}, '{m}', '{release}', '{1}', '{AMC}', '{locked}',
      '{available}', '{2}', '{1}', '{1}', 'none', 1)`
    await expect(many.execute(db)).rejects.toMatchObject({ code: 'RL005' })
  })

  test('accepts none from a transaction with an older snapshot either', async () => {
    const attempt = db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((dbTx) => post(dbTx, { kind: 'grant', lines: [[2, 'RIF', 'external', 'available', 7]] }))
    await expect(attempt).rejects.toMatchObject({ code: 'RL005' })
  })

  test('waits for postings to it that are in progress', async () => {
    const gift = {
      kind: 'grant',
      day: '2026-01-03',
      lines: [[2, 'RIF', 'external', 'available', 7]],
    } as const
    const posted = signal()
    const commit = signal()
    const posting = db.transaction().execute(async (dbTx) => {
      await post(dbTx, { ...gift, key: 'in flight' })
      posted.give()
      await commit.promise
    })
    await posted.promise
    // Postings of the day run concurrently.
    const beside = [[3, 'RIF', 'external', 'available', 7]] as const
    expect(await post(db, { ...gift, key: 'beside', lines: beside })).toBe(true)
    let isSettled = false
    const settling = settle('2026-01-03').then(() => {
      isSettled = true
    })
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())) as waits`.execute(
          db,
        )
        return rows[0]!.waits
      })
      .toBe(true)
    expect(isSettled).toBe(false)
    commit.give()
    await Promise.all([posting, settling])
    await refused({ ...gift, key: 'too late' }, 'RL005')
    expect(await post(db, { ...gift, key: 'in flight' })).toBe(false)
  })

  test.each([
    ["update settlement_days set state = 'staged', settled_at = null where day = '2026-01-02'", 'RL010'],
    ["update settlement_days set day = '2027-01-01' where day = '2026-01-02'", 'RL010'],
    ["insert into settlement_days (day, state, fixed_at) values ('2026-01-09', 'fixed', now())", 'RL010'],
    [
      "insert into settlement_days (day, state, fixed_at, settled_at) values ('2026-01-04', 'settled', now(), now())",
      'RL010',
    ],
    ["delete from settlement_days where day = '2026-01-02'", '42501'],
    ["update settlement_start set first_day = '2027-01-01'", '42501'],
  ])('is not opened, skipped or closed in another way: %s', async (statement, code) => {
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code })
  })
})

describe('a database that is not a simulation', () => {
  beforeAll(() => markSimulation(database.adminUrl, false))
  afterAll(() => markSimulation(database.adminUrl, true))

  const rif = (at: Date): Attack => ({
    kind: 'grant',
    at,
    day: '2026-06-01',
    lines: [[2, 'RIF', 'external', 'available', 1]],
  })

  test('refuses postings whose clock is more than a second behind or ahead', async () => {
    for (const offsetMs of [-300_000, -1_500, 1_500, 300_000]) {
      await refused(rif(new Date(Date.now() + offsetMs)), 'RL006')
    }
    for (const offsetMs of [-500, 0, 500]) {
      expect(await post(db, rif(new Date(Date.now() + offsetMs)))).toBe(true)
    }
  })

  test('accepts a posting of a transaction that had to wait for a lock', async () => {
    await db.transaction().execute(async (dbTx) => {
      const at = new Date()
      await sql`select pg_sleep(1.2)`.execute(dbTx)
      expect(await post(dbTx, rif(at))).toBe(true)
    })
  })

  test('has no test deposits', async () => {
    for (const asset of ['USDT', 'AMC', 'VC', 'DIV']) {
      const attack = {
        kind: 'grant',
        at: new Date(),
        lines: [[2, asset, 'external', 'available', 777]],
      } as const
      await refused({ ...attack, day: '2026-06-01' }, 'RL009')
    }
  })

  test('settles no day that has not ended by its own clock', async () => {
    const attempt = sql`do $$
      declare
        v_day date;
      begin
        for v_day in select generate_series('2026-01-04', current_date + 1, interval '1 day') loop
          insert into settlement_days (day, state, fixed_at) values (v_day, 'fixed', now());
          update settlement_days set state = 'staged' where day = v_day;
          update settlement_days set state = 'settled', settled_at = now() where day = v_day;
        end loop;
      end $$`.execute(db)
    const today = new Date().toISOString().slice(0, 10)
    await expect(attempt).rejects.toMatchObject({
      code: 'RL010',
      message: `day ${today} cannot be settled now`,
    })
  })

  test('cannot be made a simulation by the application', async () => {
    for (const statement of [
      'update ledger_simulation set is_simulation = true',
      'insert into ledger_simulation values (true)',
      'delete from ledger_simulation',
    ]) {
      await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' })
    }
  })
})

test('the books agree after all these attacks', async () => {
  expect(await auditLedger(db)).toEqual([])
})
