import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase, type Db } from '../../db/database.ts'
import { MIGRATIONS_DIR, migrate } from '../../db/migrate.ts'
import { migrateSimulation } from '../../db/simulation.ts'
import { createEmptyDatabase } from '../../testing/test-database.ts'
import { auditLedger } from './ledger.audit.ts'
import { createLedgerService, type JournalEntry } from './ledger.service.ts'
import { DAY, entry, line, transfer } from './testing/entries.ts'

const BEFORE = '0052'

/** Posts as the server of that version did. */
async function postBefore(
  db: Db,
  { key, cause, lines, ...entry }: Omit<JournalEntry, 'kind'> & { readonly kind: string },
  reversesKey: string | null = null,
): Promise<void> {
  await sql`select ledger_post(${key}, ${entry.kind}, ${cause.type}, ${cause.id}, ${entry.accountingDay}, ${entry.at},
    ${lines.map(({ memberId }) => memberId)}, ${lines.map(({ asset }) => asset)}, ${lines.map(({ source }) => source)},
    ${lines.map(({ destination }) => destination)}, ${lines.map(({ amountMicros }) => amountMicros)}, ${reversesKey})`.execute(
    db,
  )
}

test('books in several tables, with balances of clearing, unfolded flows and pools, are converted and remain correct', async () => {
  const { urls, drop } = await createEmptyDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'rif-migrations-'))
  const { db, close } = createDatabase({ url: urls.owner, max: 2, applicationName: 'rif-test' })
  try {
    for (const file of await readdir(MIGRATIONS_DIR))
      if (file < BEFORE) await copyFile(join(MIGRATIONS_DIR, file), join(dir, file))
    await migrate({ url: urls.owner, dir })
    await sql`update ledger_simulation set is_simulation = true`.execute(db)
    await postBefore(db, entry('g', 'grant', line(1n, 'external>available', 100n)))
    await postBefore(db, transfer('t', 1n, 2n, 60n))
    const undone = entry(
      't:reversal',
      'transfer',
      line(2n, 'available>clearing', 60n),
      line(1n, 'clearing>available', 60n),
    )
    await postBefore(db, { ...undone, kind: 'transfer:reversal' }, 't')
    await postBefore(db, transfer('u', 1n, 2n, 7n))
    await postBefore(
      db,
      entry('w', 'grant', line(1n, 'external>available', 5n, 'RIF'), line(1n, 'external>available', 6n)),
    )
    await postBefore(db, entry('p', 'order_payment', line(3n, 'external>commission_pool', 9n)))
    const clearing = sql`select from ledger_balances where account = 'clearing'`
    expect((await clearing.execute(db)).rows).toHaveLength(2)
    const lines = sql`select p.*, t.idempotency_key, t.content_digest, t.cause_type, t.cause_id, t.posted_at, t.reverses_seq
      from ledger_postings as p join ledger_transactions as t using (member_id, seq) order by member_id, seq, line`
    const hashes = sql`select p.member_id, ledger_posting_hash(p, t) as hash
      from ledger_postings as p join ledger_transactions as t using (member_id, seq) order by member_id, p.seq, p.line`
    const held = sql`select * from ledger_balances
      where ledger_account_class(account) = 'member' and balance <> 0 order by member_id, asset, account`
    const before = [await lines.execute(db), await hashes.execute(db), await held.execute(db)].map(
      ({ rows }) => rows,
    )

    await migrateSimulation(urls.owner)
    expect((await clearing.execute(db)).rows).toHaveLength(0)
    const hashesNow = sql`select p.member_id, ledger_posting_hash(p, t) as hash from ledger_entries as p
      join ledger_entries as t using (member_id, seq) where t.idempotency_key is not null order by member_id, p.seq, p.line`
    const after = [await lines.execute(db), await hashesNow.execute(db), await held.execute(db)].map(
      ({ rows }) => rows,
    )
    expect(after).toEqual(before)
    const ledger = createLedgerService()
    expect(await auditLedger(db)).toEqual([])
    const [flow] = await ledger.flows(db, { from: DAY, to: DAY }, ['transfer'])
    expect(flow).toMatchObject({ source: 'available', destination: 'clearing', micros: 67n, postings: 2 })
    expect(await ledger.post(db, transfer('u', 1n, 2n, 7n))).toEqual({ posted: false })
    await ledger.post(db, transfer('v', 2n, 1n, 7n))
    await ledger.post(db, entry('q', 'commission', line(2n, 'commission_pool>available', 9n)))
    expect((await ledger.balances(db, 1n)).USDT.available).toBe(106n)
    expect(await auditLedger(db)).toEqual([])
  } finally {
    await close()
    await rm(dir, { recursive: true })
    await drop()
  }
}, 60_000)
