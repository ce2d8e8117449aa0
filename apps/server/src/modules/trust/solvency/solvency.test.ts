import { createHash } from 'node:crypto'
import { nextDay } from '@rif/rules'
import { checkList, checkProof, holds, readProofFile, rootOf } from '@rif/solvency'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, type Db } from '../../../db/database.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { createTestBooks, type TestBooks } from '../../settlement/testing/test-books.ts'
import { SOLVENCY_CHECKS } from './audit.ts'
import { sha256Into } from './snapshot/sha256.ts'
import { contextOf, reportOf } from './solvency.proofs.service.ts'
import * as repository from './solvency.repository.ts'
import { createSolvency } from './solvency.ts'

const FIRST_DAY = '2026-03-01'
const SECOND_DAY = nextDay(FIRST_DAY)
const SALT_KEY = Buffer.alloc(32, 7)

let database: TestDatabase
let db: Db
let books: TestBooks
let parts: ReturnType<typeof createSolvency>
let members: { memberId: bigint; address: string }[]

/** Two settled days of three members, and one member who joins after them. */
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  books = createTestBooks(database, FIRST_DAY)
  parts = createSolvency({ ...books, saltKey: SALT_KEY })
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'auto')
  const ids = [root, await books.join(root, 'left'), await books.join(root, 'right')]
  for (const [place, id] of ids.entries()) {
    await books.grant(id, 'USDT', 1_000_000_001n * BigInt(place + 1))
    await books.grant(id, 'AMC', 7n)
    await books.buy(id, 1 + place)
  }
  await books.attest('USDT', 50_000_000n)
  books.goTo(SECOND_DAY, 60_000)
  // Postings of the following day precede those of the settlement, and the report of the first day.
  for (const id of ids) await books.grant(id, 'USDT', 999n)
  await books.settlement.settle(FIRST_DAY)
  await parts.solvencySnapshots.catchUp()
  books.goTo(nextDay(SECOND_DAY), 60_000)
  await books.settlement.settle(SECOND_DAY)
  await parts.solvencySnapshots.catchUp()
  members = (
    await db.selectFrom('members').select(['member_id', 'address']).orderBy('member_id').execute()
  ).map((row) => ({ memberId: row.member_id, address: row.address }))
})
afterAll(() => database.close())

/** Runs statements as a superuser with the triggers disabled, and reverts them after `look`. */
async function tampered<T>(statements: readonly string[], look: (db: Db) => Promise<T>): Promise<T> {
  let result: T | undefined
  const undo = new Error('undo')
  await db
    .transaction()
    .execute(async (dbTx) => {
      await sql`set local session_replication_role = replica`.execute(dbTx)
      for (const statement of statements) await sql.raw(statement).execute(dbTx)
      result = await look(dbTx)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return result as T
}

/** Removes the ledger's hash chain and all reports. */
async function removeReports(): Promise<void> {
  await db.transaction().execute(async (connection) => {
    await sql`set local session_replication_role = replica`.execute(connection)
    for (const table of [
      'ledger_chain_days',
      'ledger_chain_members',
      'solvency_groups',
      'solvency_tops',
      'solvency_members',
      'solvency_days',
    ])
      await sql`delete from ${sql.table(table)}`.execute(connection)
  })
}

async function findings(on: Db): Promise<string[]> {
  const problems: string[] = []
  for (const check of SOLVENCY_CHECKS)
    for (const { subject } of await check.run(on)) problems.push(`${check.name}: ${subject}`)
  return problems
}

test('every member has a proof of all amounts, which add up to the books', async () => {
  for (const day of [FIRST_DAY, SECOND_DAY]) {
    const row = (await repository.findSolvencyDay(db, day))!
    const owed = await books.ledger.chain.owed(db, day)
    expect(row).toMatchObject({
      leaves: 3,
      members_usdt: owed.USDT.membersMicros,
      members_amc: owed.AMC.membersMicros,
    })
    for (const member of members) {
      const proof = readProofFile(await parts.solvencyProofs.proof(member, day))
      const publishedRoot = `0x${row.root.toString('hex')}`
      const expected = { ...contextOf(row), address: member.address, publishedTotals: null, publishedRoot }
      expect(holds(checkProof(proof, expected, sha256Into))).toBe(true)
    }
    expect(`0x${row.root.toString('hex')}`).toBe(rootOf(contextOf(row), reportOf(row), sha256Into))
  }
  const proofs = await Promise.all(members.map((member) => parts.solvencyProofs.proof(member, FIRST_DAY)))
  expect(new Set(proofs.map(({ leaf }) => leaf.salt)).size).toBe(3)
})

test('the books of a day agree with the leaf of the day, whatever was posted later', async () => {
  const member = members[1]!
  await books.grant(member.memberId, 'USDT', 5n)
  for (const day of [FIRST_DAY, SECOND_DAY]) {
    const { leaf } = await parts.solvencyProofs.proof(member, day)
    const { at_day, now } = await parts.solvency.mine(member.memberId, day)
    expect(leaf).toMatchObject(at_day)
    expect(BigInt(now.usdt) - BigInt(at_day.usdt)).toBeGreaterThanOrEqual(5n)
  }
})

test('the list of leaves contains no address and hashes to the root', async () => {
  const chunks: Buffer[] = []
  for await (const part of parts.solvencyProofs.leaves(SECOND_DAY)) chunks.push(part)
  const file = Buffer.concat(chunks)
  expect(checkList(file, sha256Into)).toBeNull()
  for (const { address } of members) expect(file.includes(Buffer.from(address.slice(2), 'hex'))).toBe(false)
})

test('the ledger head follows from the postings by the published definition', async () => {
  const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const { rows } = await sql<{
    member: bigint
    day: string
    numbers: (bigint | number)[]
    texts: string[]
    us: bigint
    reverses: bigint | null
  }>`
    select p.member_id as member, p.accounting_day as day, array[p.seq, p.line, p.amount] as numbers,
      array[p.kind, p.asset, p.source, p.destination, t.idempotency_key, encode(t.content_digest, 'hex'), t.cause_type, t.cause_id] as texts,
      (extract(epoch from t.posted_at) * 1000000)::bigint as us, t.reverses_seq as reverses
    from ledger_postings as p join ledger_transactions as t using (member_id, seq)
    order by p.accounting_day, p.member_id, p.seq, p.line`.execute(db)
  const hashes = new Map<bigint, Buffer>()
  let head = Buffer.alloc(32)
  for (const day of [FIRST_DAY, SECOND_DAY]) {
    const parts: Buffer[] = []
    const ofDay = rows.filter((row) => row.day === day)
    for (const member of new Set(ofDay.map((row) => row.member))) {
      const postings = ofDay
        .filter((row) => row.member === member)
        .map(({ numbers, texts, us, reverses }) => {
          const [seq, line, amount] = numbers
          const quoted = texts.map((text) => JSON.stringify(text))
          const elements = [seq, line, ...quoted.slice(0, 4), amount, ...quoted.slice(4), us, reverses]
          return sha256(Buffer.from(`[${elements.map((element) => `${element}`).join(', ')}]`))
        })
      const hash = sha256(hashes.get(member) ?? Buffer.alloc(32), ...postings)
      hashes.set(member, hash)
      const number = Buffer.alloc(8)
      number.writeBigUInt64BE(member)
      parts.push(number, hash)
    }
    head = sha256(head, ...parts)
    expect((await repository.findSolvencyDay(db, day))!.ledger_head.toString('hex')).toBe(
      head.toString('hex'),
    )
  }
})

test('a report that is rebuilt later is the same', async () => {
  const roots = () =>
    db.selectFrom('solvency_days').select(['day', 'root', 'ledger_head']).orderBy('day').execute()
  const first = await roots()
  await books.grant(members[0]!.memberId, 'USDT', 31n)
  await removeReports()
  await parts.solvencySnapshots.catchUp()
  expect(await roots()).toEqual(first)
})

/**
 * Opens connections; the one that gets the statement with this number breaks before it, as when the process
 * is killed.
 */
function dyingDatabase(statement: number): Database {
  const dying = createDatabase({
    url: database.url,
    max: 1,
    applicationName: 'rif-test-dying',
    isDistributed: isOnCluster(),
  })
  let sent = 0
  dying.pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const counted = (...args: unknown[]) => {
      sent += 1
      if (sent >= statement) connection.stream.destroy()
      return query(...args)
    }
    Object.assign(client, { query: counted })
  })
  return dying
}

test('a build killed before any of its statements continues to the same report', async () => {
  const roots = () =>
    db.selectFrom('solvency_days').select(['day', 'root', 'ledger_head']).orderBy('day').execute()
  const expected = await roots()
  let kills = 0
  // Up to the end of the first of two days; every day has the same statements.
  for (let built = 0; built === 0; kills++) {
    await removeReports()
    const dying = dyingDatabase(kills + 1)
    const killed = createSolvency({ ...books, db: dying.db, saltKey: SALT_KEY }).solvencySnapshots
    await expect(killed.catchUp()).rejects.toThrow()
    await dying.close().catch(() => undefined)
    built = (await roots()).length
    await parts.solvencySnapshots.catchUp()
    expect(await roots()).toEqual(expected)
  }
  expect(kills).toBeGreaterThan(15)
  expect(await findings(db)).toEqual([])
})

test('the audit finds nothing in untampered books', async () => {
  expect(await findings(db)).toEqual([])
  expect(
    (await auditLedger(db, { checks: SOLVENCY_CHECKS })).filter(({ check }) => check.startsWith('ledger')),
  ).toEqual([])
})

test('a rewritten posting of a closed day is found, with its member', async () => {
  const member = members[1]!.memberId
  const rewrite = `update ledger_entries set amount = amount + 1 where member_id = ${member} and seq = 1`
  const problems = await tampered([rewrite], findings)
  expect(problems).toContain(`ledger chain: postings of member ${member}`)
  expect(problems).toContain(`ledger chain: postings up to the end of ${FIRST_DAY}`)
  const earlier = `update ledger_entries set posted_at = '2020-01-01Z' where member_id = ${member} and seq = 1`
  expect(await tampered([earlier], findings)).toContain(`ledger chain: postings of member ${member}`)
})

test('an audit of changes finds a rewritten posting of a closed day of a member with new postings, and of no other', async () => {
  const [quiet, busy] = [members[0]!.memberId, members[2]!.memberId]
  const changes = async (on: Db) => {
    const problems: string[] = []
    for (const { runFor } of SOLVENCY_CHECKS)
      for (const { subject } of (await runFor?.(on, { since: 0n, memberIds: [busy] })) ?? [])
        problems.push(subject)
    return problems
  }
  expect(await changes(db)).toEqual([])
  // The hash of the member's postings detects a change that the balance would hide.
  const rewrite = (member: bigint) => [
    `update ledger_entries set amount = amount + 1 where member_id = ${member} and seq = 1`,
    `update ledger_heads set balances[1] = balances[1] + 1 where member_id = ${member}`,
  ]
  expect(await tampered(rewrite(busy), changes)).toEqual([`postings of member ${busy}`])
  expect(await tampered(rewrite(quiet), changes)).toEqual([])
  expect(await tampered(rewrite(quiet), findings)).toContain(`ledger chain: postings of member ${quiet}`)
})
