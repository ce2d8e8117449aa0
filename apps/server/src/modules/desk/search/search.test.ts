import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AdminMembersQuery } from '@rif/api-schema'
import { defaultPlan, formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packFundOrderId, packOnChainId } from '../../../chain/onchain-id.ts'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createServices, type Services } from '../../../services.ts'
import { parseScenario } from '../../../simulate/scenario.ts'
import { simulatedChain } from '../../../simulate/simulated-chain.ts'
import { SIMULATION_SETTINGS, simulate } from '../../../simulate/simulation.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createDayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import { readSearch } from './reading.ts'
import { createMemberList } from './search.members.service.ts'

const HASH = `0x${'ab'.repeat(32)}`
const WALLET = `0x${'cd'.repeat(20)}`

let database: TestDatabase
let services: Services
beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  const text = await readFile(
    join(import.meta.dirname, '../../../simulate/fixtures/worked-example.jsonl'),
    'utf8',
  )
  await simulate(database.db, parseScenario(text), defaultPlan)
  services = createServices({
    db: database.db,
    now: () => new Date(),
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: SIMULATION_SETTINGS,
  })
})
afterAll(() => database.close())

/** Creates a withdrawal that is not completed. */
async function withdraw(memberId: bigint): Promise<bigint> {
  const order = { asset: 'USDT', amountMicros: 20_000_000n, address: undefined } as const
  const { withdraw_id } = await inTx(database.db, (dbTx) =>
    services.withdrawals.request(dbTx, memberId, order),
  )
  return BigInt(withdraw_id)
}

it.each([
  [HASH.toUpperCase().replace('0X', '0x'), 'hash'],
  ['ab'.repeat(32), 'hash'],
  [` ${WALLET.toUpperCase().replace('0X', '0x')} `, 'address'],
  ['0xcdcd', 'address_start'],
  ['0xcdcd…cdcd', 'address_start'],
  ['0xcdcdcd...cd', 'address_start'],
  ['0xcd', 'nothing'],
  ['abcd-2345', 'code'],
  ['abc', 'code'],
  ['17', 'number'],
  ['23456789', 'number'],
  [`${packOnChainId(7n, 3n)}`, 'chain_id'],
  [`${packFundOrderId(7n, 3n)}`, 'chain_id'],
  ['9'.repeat(77), 'nothing'],
  ['hello world', 'nothing'],
])('reads %s as %s', (text, reading) => {
  expect(readSearch(text).reading).toBe(reading)
})

it('finds a member by wallet, its short form, code, number, order, withdrawal and hash', async () => {
  const { search } = services
  const { rows } = await sql<{
    memberId: bigint
    address: string
    code: string
    orderId: bigint
    hash: string
  }>`
    select m.member_id as "memberId", address, invite_code as code, order_id as "orderId", tx_hash as hash
    from members as m join orders as o using (member_id) where status = 'Paid' order by order_id desc limit 1`.execute(
    database.db,
  )
  const sample = rows[0]!
  const member = { member_id: `${sample.memberId}`, invite_code: sample.code }
  const finds = async (q: string) => (await search.search(database.db, q)).items
  const asMember = expect.objectContaining({
    found: 'member',
    id: null,
    member: expect.objectContaining(member),
  })
  for (const q of [
    sample.address,
    `${sample.address.slice(0, 10)}…${sample.address.slice(-4)}`,
    sample.code,
    sample.code.toLowerCase(),
    `${sample.memberId}`,
  ]) {
    expect(await finds(q), q).toContainEqual(asMember)
  }
  const asOrder = expect.objectContaining({
    found: 'order',
    id: `${sample.orderId}`,
    member: expect.objectContaining(member),
  })
  for (const q of [`${sample.orderId}`, `${packOnChainId(sample.memberId, sample.orderId)}`, sample.hash]) {
    expect(await finds(q), q).toContainEqual(asOrder)
  }
  const { memberId } = (await services.members.root(database.db))!
  const id = await withdraw(memberId)
  expect(await finds(`${id}`)).toContainEqual(expect.objectContaining({ found: 'withdrawal', id: `${id}` }))
  expect(await finds(`${packOnChainId(memberId, id)}`)).toContainEqual(
    expect.objectContaining({ found: 'withdrawal', id: `${id}` }),
  )
  expect(await finds(WALLET)).toEqual([])
  expect((await search.search(database.db, 'what is this')).reading).toBe('nothing')
})

it('finds a payment without a known member', async () => {
  await sql`
    insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros,
      amc_micros, usdt_dust, amc_dust, paid_at, collected_at)
    values (0, ${HASH}, 0, 5, ${WALLET}, 'unknown_order', 1, 0, 0, 0, now(), now())`.execute(database.db)
  const { items } = await services.search.search(database.db, HASH)
  expect(items).toContainEqual({ found: 'payment', id: null, member: null })
})

it('shows a complete member: place, balances, limits, books', async () => {
  const { rows } = await sql<{ memberId: bigint; sponsorId: bigint; parentId: bigint; side: string }>`
    select member_id as "memberId", sponsor_id as "sponsorId", parent_id as "parentId", side
    from members join placements using (member_id) where sponsor_id is not null order by member_id limit 1`.execute(
    database.db,
  )
  const sample = rows[0]!
  await withdraw(sample.memberId)
  const view = await services.search.member(database.db, sample.memberId)
  expect(view).toMatchObject({
    profile: { member_id: `${sample.memberId}` },
    sponsor: { member_id: `${sample.sponsorId}` },
    parent: { member_id: `${sample.parentId}`, side: sample.side },
    notes: 0,
    risk: null,
    own_day_cap: null,
  })
  const cap = { memberId: sample.memberId, capMicros: 5_000_000n, actor: WALLET }
  await createDayCapsService(services).set(database.db, cap)
  expect(await services.search.member(database.db, sample.memberId)).toMatchObject({
    own_day_cap: '5.000000',
  })
  const parent = await services.search.member(database.db, sample.parentId)
  expect(parent[sample.side as 'left' | 'right']).toMatchObject({ member_id: `${sample.memberId}` })
  await expect(services.search.member(database.db, 999_999n)).rejects.toMatchObject({
    code: 'MEMBER_NOT_FOUND',
  })

  const all = await services.search.ledger(database.db, sample.memberId, { limit: 100 })
  const some = await services.search.ledger(database.db, sample.memberId, {
    limit: 100,
    asset: 'USDT',
    group: 'withdrawals',
  })
  expect(some.items).toEqual(
    all.items.filter((entry) => entry.asset === 'USDT' && entry.kind.startsWith('withdrawal_')),
  )
})

it('lists all members, newest first, by state, level, day of joining and holdings', async () => {
  const { list } = services.search
  const { rows } = await sql<{ id: string; level: number; day: string; holds: boolean }>`
    with holders as materialized (
      select distinct member_id from ledger_balances as held where asset = 'USDT' and balance > 0
        and account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income')
    )
    select member_id::text as id, level, (joined_at at time zone 'UTC')::date::text as day,
      member_id in (select member_id from holders) as holds
    from members order by joined_at desc, member_id desc`.execute(database.db)
  const idsOf = async (query: Partial<AdminMembersQuery>, from = list) => {
    const ids: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await from.page(database.db, { limit: 2, ...query, cursor })
      expect(page.items.length).toBeLessThanOrEqual(query.limit ?? 2)
      ids.push(...page.items.map(({ member_id: id }) => id))
      if (page.next === null) return ids
      cursor = page.next
    }
  }
  const all = rows.map(({ id }) => id)
  expect(await idsOf({})).toEqual(all)
  const holders = rows.filter(({ holds }) => holds).map(({ id }) => id)
  expect(holders.length).toBeGreaterThan(0)
  expect(holders.length).toBeLessThan(all.length)
  expect(await idsOf({ holds: 'USDT' })).toEqual(holders)
  // Even with few members tested for each page, nobody is left out.
  const hasty = createMemberList({ ...services, mostWalked: 3 })
  expect(await idsOf({ holds: 'USDT', limit: 1 }, hasty)).toEqual(holders)
  expect(await idsOf({ holds: 'fund' })).toEqual([])
  const level = rows.find((row) => row.level > 0)!.level
  const ofLevel = rows.filter((row) => row.level === level).map(({ id }) => id)
  expect(await idsOf({ level: `${level}` as '1' })).toEqual(ofLevel)
  const { day } = rows.at(-1)!
  const thatDay = rows.filter((row) => row.day === day).map(({ id }) => id)
  expect(await idsOf({ from: day, to: day })).toEqual(thatDay)
  await sql`update members set state = 'deactivated', freeze_reason = 'x' where member_id = ${all[1]}`.execute(
    database.db,
  )
  expect(await idsOf({ state: 'frozen' })).toEqual([all[1]])
  expect(await idsOf({ state: 'active' })).toEqual(all.filter((id) => id !== all[1]))
  await sql`update members set state = 'active', freeze_reason = null where member_id = ${all[1]}`.execute(
    database.db,
  )
  const [item] = (await list.page(database.db, { limit: 1, holds: 'USDT' })).items
  const { USDT } = await services.ledger.balances(database.db, BigInt(item!.member_id))
  expect(item!.usdt).toBe(formatMicros(Object.values(USDT).reduce((sum, part) => sum + part, 0n)))
})

it('keeps notes permanently, newest first, and logs them', async () => {
  const { search, members } = services
  const { memberId } = (await members.root(database.db))!
  for (const text of ['asked about an order', 'answered']) {
    await inTx(database.db, (dbTx) => search.addNote(dbTx, { memberId, text, actor: WALLET }))
  }
  const first = await search.notes(database.db, memberId, { limit: 1 })
  expect(first.items).toMatchObject([{ text: 'answered', written_by: WALLET }])
  const second = await search.notes(database.db, memberId, { limit: 1, cursor: first.next! })
  expect(second).toMatchObject({ items: [{ text: 'asked about an order' }], next: null })
  const change = sql`update member_notes set text = 'x'`.execute(database.db)
  await expect(change).rejects.toMatchObject({ code: '42501' })
  const logged = await sql`select from admin_actions where action = 'member.note'`.execute(database.db)
  expect(logged.rows).toHaveLength(2)
  await expect(
    inTx(database.db, (dbTx) => search.addNote(dbTx, { memberId: 999_999n, text: 'x', actor: WALLET })),
  ).rejects.toMatchObject({ code: 'MEMBER_NOT_FOUND' })
})
