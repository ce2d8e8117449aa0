import { beforeAll, describe, expect, it } from 'vitest'
import { refuseUnfit } from './judged-statements.ts'
import { judgeStatement, loadParser } from './statement-judge.ts'

beforeAll(loadParser)

/** [the statement, the reason why it cannot run on distributed tables] */
const BREACHES: [string, string][] = [
  [
    'select 1 from ledger_heads where member_id = any($1) order by member_id for update',
    'rows of several members locked: ledger_heads',
  ],
  [
    'select o.price from orders as o join rewards as r on r.order_id = o.order_id where o.member_id = $1',
    'orders and rewards joined by something else than the member',
  ],
  [
    'select 1 from orders as o, transfers as t where o.created_at = t.created_at',
    'orders and transfers joined by something else than the member',
  ],
  [
    'update orders set status = $1 from transfers as t where t.transfer_id = orders.order_id',
    'orders and transfers joined by something else than the member',
  ],
  [
    'update orders set paid_at = now() where member_id = $1',
    'now() in a change of orders: pass the value in',
  ],
  [
    'insert into member_visits (member_id, at) values ($1, $2) on conflict (member_id) do update set at = clock_timestamp()',
    'clock_timestamp() in a change of member_visits: pass the value in',
  ],
  [
    "update alarms set since = since - interval '1 hour' where name = $1",
    'an interval beside a column in a change of alarms: pass the time in, or to_timestamp',
  ],
  [
    'update ledger_balances set balance = balance + case account when $1 then 1 else 2 end where member_id = $2',
    '`case x when` in a change: `case when x =`',
  ],
  [
    'select exists (select from member_debts where member_id = $1) as owes, (select min(area) from pauses) as paused',
    'a subquery without columns beside other values: select 1',
  ],
  [
    'select 1 from members where exists (select 1 from risk_flags as r where r.member_id = members.member_id)',
    'risk_flags read for each row of what is not distributed',
  ],
  [
    'select package_id from packages, lateral (select count(*) as held from orders where level = packages.level) as counted',
    'orders read for each row of what is not distributed',
  ],
  [
    'select count(*), (select count(*) from proposals) from orders',
    'proposals read beside columns of all members: select these in a materialized part first',
  ],
  [
    'with recursive days (n) as (select 1 union all select n + 1 from days) select * from days, orders',
    'a recursive query on distributed tables',
  ],
  [
    'select asset, account, sum(balance) from ledger_balances group by rollup (asset, account)',
    'grouping sets on distributed tables',
  ],
]

describe('finds', () => {
  it.each(BREACHES)('%s', (statement, problem) => {
    expect(judgeStatement(statement)).toContain(problem)
  })
})

it.each([
  'select 1 from ledger_heads where member_id = $1 for update',
  'select 1 from members where member_id = any($1) for update',
  'select * from orders as o join rewards as r using (member_id) where o.day = r.day',
  'select * from orders as o, rewards as r where o.member_id = r.member_id and r.day = $1',
  'select * from orders as o left join transfers as t on (t.member_id, t.day) = (o.member_id, o.day)',
  'select * from orders as o, rewards as r where o.member_id = $1 and r.member_id = $1::bigint',
  'select * from orders as o join members as m on m.member_id = o.member_id',
  'update orders set status = case when status = $1 then $2 end, paid_at = $3 where member_id = $4',
  'select case status when $1 then 1 end from orders',
  'with orders as (select 1 as n) select * from orders, members where n = member_id for update',
  'select order_id, (select count(*) from sessions) from orders where member_id = $1',
  'with o as materialized (select count(*) from orders) select o.*, (select count(*) from proposals) from o',
  'update sessions set seen_at = now()',
  "update sessions set seen_at = $1::timestamptz - interval '1 hour' where token_hash = $2",
  'select 1 from members where member_id in (select member_id from risk_flags)',
  'select 1 from orders as o where exists (select from rewards as r where r.member_id = o.member_id)',
])('allows %s', (statement) => {
  expect(judgeStatement(statement)).toEqual([])
})

it('a test file fails at its end when it executed such a statement', async () => {
  await expect(refuseUnfit(['select 1', BREACHES[0]![0]])).rejects.toThrow('rows of several members locked')
  await refuseUnfit(['select nonsense from', 'truncate orders', 'select 1 from members for update'])
})
