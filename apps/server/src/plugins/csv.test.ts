import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTx } from '../db/database.ts'
import { csvOf } from '../lib/csv.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../testing/test-server.ts'

describe('csvOf', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "yes"', '"say ""yes"""'],
    ['two\nlines', '"two\nlines"'],
    ['-5.25', '-5.25'],
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['@sum(A1)', "'@sum(A1)"],
    ['-1+cmd|x', "'-1+cmd|x"],
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
    [';=1+1;=HYPERLINK("a")', `";'=1+1;'=HYPERLINK(""a"")"`],
    ['/api/v1/admin/x; =1+1;', "/api/v1/admin/x;' =1+1;"],
    ['a|@sum(A1)', "a|'@sum(A1)"],
    ['a\t+1', "a\t'+1"],
    ['a;"=1+1"', `"a;'""=1+1"""`],
    ['a\n=1+1', `"a\n'=1+1"`],
    ['a;＝1+1', "a;'＝1+1"],
    ['2026-01-30; 5 = 5', '2026-01-30; 5 = 5'],
    [' =1', "' =1"],
    ['＝1+1', "'＝1+1"],
    ['＠sum(A1)', "'＠sum(A1)"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('%j is %j', (value, cell) => {
    expect(csvOf([[value]])).toBe(`${cell}\r\n`)
  })

  it('leaves the cell of null empty', () => {
    expect(csvOf([[null, 0, '']])).toBe(',0,\r\n')
  })
})

describe('a list as a file', () => {
  let server: TestServer
  let member: SignedIn
  let other: SignedIn
  const ORDERS = 2_500

  beforeAll(async () => {
    server = await startTestServer()
    ;[member, other] = await Promise.all([signIn(server, newWallet()), signIn(server, newWallet())])
    await inTx(server.database.db, (dbTx) =>
      server.services.pricing.publish(dbTx, { asset: 'AMC', priceMicros: 500_000n, actor: 'test' }),
    )
    const { data } = await call(server, 'order', { as: member, payload: { product_id: '1' } })
    // The rows are copies of one order, because only their number matters here.
    const columns = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'orders' and column_name not in ('order_id')`.execute(server.database.db)
    const names = sql.join(columns.rows.map(({ name }) => sql.ref(name)))
    await sql`insert into orders (${names}) select ${names} from orders, generate_series(2, ${ORDERS})
      where order_id = ${data.order_id}`.execute(server.database.db)
  })
  afterAll(() => server.close())

  const file = (path: string, as?: SignedIn) =>
    server.app.inject({
      url: `/api/v1/${path}`,
      headers: as ? { authorization: `Bearer ${as.token}`, 'x-wallet-address': as.address } : {},
    })

  it('contains every row once, for any page size', async () => {
    const { body, headers, statusCode } = await file('order/all/csv?limit=7', member)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="orders.csv"',
      'cache-control': 'no-store',
    })
    const lines = body.trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFForder_id,/)
    expect(lines).toHaveLength(ORDERS + 1)
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(ORDERS + 1)
    expect(lines[1]).toContain('Launch 100')
  })

  it("keeps the filter and lists only the caller's rows", async () => {
    const lines = (body: string) => body.trimEnd().split('\r\n').length - 1
    expect(lines((await file('order/all/csv?status=Paid', member)).body)).toBe(0)
    expect(lines((await file('order/all/csv', other)).body)).toBe(0)
    for (const path of ['order/all/csv', 'withdraws/csv', 'profit/all/csv', 'transfer/csv']) {
      expect((await file(path)).statusCode).toBe(401)
      expect((await file(path, member)).statusCode).toBe(200)
    }
    expect((await file('order/all/csv?status=odd', member)).json()).toMatchObject({ code: 400 })
  })
})
