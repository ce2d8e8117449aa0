import { addDays, dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

let server: TestServer
let member: SignedIn
let now = new Date()

beforeAll(async () => {
  server = await startTestServer({ now: () => now })
  member = await signIn(server, newWallet())
})
afterAll(() => server.close())

const me = async () => (await call(server, 'me', { as: member })).data

// The last response is reused while the database returns the same data of the member, so every kind of change
// is made here.
test("every change of a member's data is in the next response", async () => {
  const id = sql`${member.memberId}::bigint`
  const changes = {
    'a level': sql`update members set level = 3 where member_id = ${id}`,
    'an invited member': sql`
      insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
      values ('0x' || repeat('7', 40), '77777777', ${id}, 'left', 7, now())`,
    'a role': sql`
      with person as (insert into persons (name, recorded_at) values ('Walt', now()) returning person_id),
        wallet as (
          insert into person_wallets select ${member.address.toLowerCase()}, person_id, now() from person
          returning address)
      insert into admins (address, role, granted_at) select address, 'viewer', now() from wallet`,
    'a balance': sql`
      insert into ledger_heads values (${id}, 0, '{0,0,0,0,0,0,0,5,0,0,0,0,0,0,0,0}')
      on conflict (member_id) do update set balances = excluded.balances`,
    'another balance': sql`
      update ledger_heads set balances[8] = 6 where member_id = ${id}`,
    'a debt': sql`
      insert into member_debts (member_id, asset, owed_micros, changed_at) values (${id}, 'USDT', 7, now())`,
    'a package': sql`
      insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
        full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, paid_sequence,
        collected_at)
      values (${id}, 1, 'Launch', 1, '0x00', '0x', 100000000, 500000, 70000000, 60000000, false, 'Paid', now(), now(),
        now(), 1, now())`,
    'a reward': sql`
      insert into reward_totals (member_id, type, paid_micros, usdt_micros, amc_micros)
      values (${id}, 'TeamReward', 10, 7, 3)`,
    'a reward of yesterday': sql`
      insert into reward_days (member_id, day, type, paid_micros, usdt_micros, amc_micros)
      values (${id}, ${addDays(dayOf(now.getTime()), -1)}, 'TeamReward', 10, 7, 3)`,
  }
  let before = await me()
  expect(await me()).toEqual(before)
  for (const [what, change] of Object.entries(changes)) {
    await change.execute(server.database.adminDb)
    const after = await me()
    expect(after, what).not.toEqual(before)
    before = after
  }
  expect(before.owed).toEqual([{ asset: 'USDT', amount: '0.000007' }])
  now = new Date(now.getTime() + 24 * 60 * 60_000)
  expect(await me(), 'the next day').toMatchObject({ register_days: 1, yesterday_profit: '0.000000' })
})
