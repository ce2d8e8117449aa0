import { addDays, dayOf, formatMicros, parseMicros, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { madeFile, rowsOf, sumOf } from './testing/read-file.ts'

// Root has rewards of the buyer's order, a transfer, a withdrawal and grants, on two days.

const OPERATOR = { admin: '0x00000000000000000000000000000000000000aa' }
const OWN = ['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income']

let product: TestProduct
let root: TestMember
let buyer: TestMember
let first: string
let second: string

const statements = () => product.services.statements
const owner = (member: TestMember) => ({ memberId: member.memberId })
const today = () => dayOf(product.now().getTime())
const longAgo = () => new Date(product.now().getTime() - 5 * 60_000)
const yearOf = (day: string) => ({ from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` })

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  await product.publishPrice('RIF', '2')
  first = today()
  await product.services.settlement.begin(first)
  root = await product.join(null)
  buyer = await product.join(root, 'left')
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
  await product.pay(buyer, (await product.order(buyer, 3)).order_id)
  await product.finalise()
  await product.grant(root, 'RIF', '7')
  await product.advance(startOfDay(addDays(first, 1)) - product.now().getTime() + 60_000)
  await product.services.settlement.settle(first)
  second = today()
  await product.services.members.labels.set(product.db, root.memberId, {
    aboutId: buyer.memberId,
    label: '=HYPERLINK("http://x")',
    pinned: false,
  })
  await product.transfer(root, buyer, 'USDT', '12.5')
  await product.withdraw(root, 'USDT', '50')
})
afterAll(() => product.stop())

/** Returns the changes of a member's own accounts up to the end of a day, by asset and account, from the postings alone. */
async function balancesAt(memberId: bigint, day: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; micros: bigint }>`
    select p.asset || ' ' || side.account as name, sum(side.delta)::bigint as micros
    from ledger_postings as p join ledger_transactions as t using (member_id, seq)
    cross join lateral (values (p.source, -p.amount), (p.destination, p.amount)) as side (account, delta)
    where member_id = ${memberId} and t.posted_at < (${day}::date + 1)::timestamp at time zone 'UTC'
      and side.account = any(${OWN}::text[])
    group by 1`.execute(product.db)
  return Object.fromEntries(rows.map(({ name, micros }) => [name, formatMicros(micros)]))
}

const byAccount = (rows: readonly Record<string, string>[]) =>
  Object.fromEntries(rows.map((row) => [`${row.asset} ${row.account}`, row.balance!]))

describe('the statement of an account', () => {
  test('leads from the opening to the closing balances of the ledger, entry by entry', async () => {
    const { content, statement } = await madeFile(statements(), product.db, owner(root), {
      kind: 'account',
      format: 'csv',
      from: second,
      to: second,
    })
    const rows = rowsOf(content)
    const of = (type: string) => rows.filter(({ row }) => row === type)
    const opening = byAccount(of('opening'))
    expect(opening).toEqual(await balancesAt(root.memberId, first))
    const entries = of('entry')
    expect(statement.entries).toBe(entries.length)
    const running = new Map(Object.entries(opening))
    for (const entry of entries) {
      const account = `${entry.asset} ${entry.account}`
      const balance = parseMicros(running.get(account) ?? '0') + parseMicros(entry.amount!)
      expect(parseMicros(entry.balance!)).toBe(balance)
      running.set(account, formatMicros(balance))
    }
    const closing = byAccount(of('closing'))
    expect(closing).toEqual(Object.fromEntries(running))
    expect(closing).toMatchObject(await balancesAt(root.memberId, second))
    expect(byAccount(of('ledger'))).toMatchObject(closing)
    const balances = await product.services.ledger.balances(product.db, root.memberId)
    expect(parseMicros(closing['USDT withdrawing']!)).toBe(balances.USDT.withdrawing)
    expect(balances.USDT.withdrawing).toBe(parseMicros('50'))
    expect(entries.every(({ at }) => at!.startsWith(second))).toBe(true)
  })

  test('names the counterparty, and no cell can run as a spreadsheet formula', async () => {
    const { content } = await madeFile(statements(), product.db, owner(root), {
      kind: 'account',
      format: 'csv',
      from: first,
      to: second,
    })
    const transfer = rowsOf(content).find(({ kind, row }) => row === 'entry' && kind!.startsWith('transfer'))!
    expect(transfer.counterparty!.toLowerCase()).toBe(buyer.address.toLowerCase())
    expect(transfer.amount).toBe('-12.500000')
    expect(content.toString()).toContain(`"'=HYPERLINK(""http://x"")"`)
  })

  test('of days without entries has equal opening and closing balances', async () => {
    const { content } = await madeFile(statements(), product.db, owner(root), {
      kind: 'account',
      format: 'csv',
      from: addDays(first, -30),
      to: addDays(first, -20),
    })
    expect(rowsOf(content).every(({ row, balance }) => row === 'ledger' && balance === '0.000000')).toBe(true)
  })

  test('has what was booked late on its own day, in the order of time, and every other day without it', async () => {
    const member = await product.join(root, 'right')
    const [may, august] = [addDays(first, -190), addDays(first, -100)]
    const book = (key: string, at: string | null, amount: string) =>
      product.services.ledger.post(product.db, {
        key,
        kind: 'grant',
        cause: { type: 'test', id: key },
        accountingDay: today(),
        at: at === null ? product.now() : new Date(startOfDay(at) + 3_600_000),
        lines: [
          {
            memberId: member.memberId,
            asset: 'USDT',
            source: 'external',
            destination: 'available',
            amountMicros: parseMicros(amount),
          },
        ],
      } as const)
    await book('now', null, '7')
    await book('august', august, '20')
    await book('may', may, '150')
    const file = async (from: string, to: string) => {
      const { content } = await madeFile(statements(), product.db, owner(member), {
        kind: 'account',
        format: 'csv',
        from,
        to,
      })
      const rows = rowsOf(content)
      const of = (type: string) => rows.filter(({ row }) => row === type)
      return {
        opening: byAccount(of('opening'))['USDT available'],
        entries: of('entry').map(({ at, amount, balance }) => [at!.slice(0, 10), amount, balance]),
        closing: byAccount(of('closing'))['USDT available'],
        ledger: byAccount(of('ledger'))['USDT available'],
      }
    }
    expect(await file(addDays(may, -3), addDays(may, 3))).toEqual({
      opening: undefined,
      entries: [[may, '150.000000', '150.000000']],
      closing: '150.000000',
      ledger: '150.000000',
    })
    expect(await file(second, second)).toEqual({
      opening: '170.000000',
      entries: [[second, '7.000000', '177.000000']],
      closing: '177.000000',
      ledger: '177.000000',
    })
    const whole = await file(may, second)
    expect(whole.entries.map(([day]) => day)).toEqual([may, august, second])
    const { items } = await product.services.activity.list(product.db, member.memberId, {
      limit: 20,
      from: new Date(startOfDay(may)).toISOString(),
      until: new Date(startOfDay(addDays(may, 1))).toISOString(),
    })
    expect(items.map(({ amounts }) => amounts)).toEqual([[{ asset: 'USDT', amount: '150.000000' }]])
    // The file of the year is in the same order, and adds up to the ledger.
    const { content } = await madeFile(statements(), product.db, owner(member), {
      kind: 'tax',
      format: 'csv',
      ...yearOf(second),
    })
    const days = rowsOf(content).flatMap(({ at }) => (at ? [at.slice(0, 10)] : []))
    expect(days).toEqual(days.toSorted())
  })

  test.each(['en', 'zh-Hans', 'ja', 'ko'] as const)('is a PDF in %s', async (locale) => {
    const { content, statement } = await madeFile(statements(), product.db, owner(root), {
      kind: 'account',
      format: 'pdf',
      from: first,
      to: second,
      locale,
    })
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(statement.file!.filename).toBe(`account-${first}-${second}.pdf`)
    expect(statement.entries).toBeGreaterThan(5)
  })
})

describe('the tax file of a year', () => {
  test("equals the ledger's holdings, at the prices of the days, with costs that are conserved", async () => {
    const { content } = await madeFile(statements(), product.db, owner(root), {
      kind: 'tax',
      format: 'csv',
      ...yearOf(second),
    })
    const rows = rowsOf(content)
    const of = (...types: string[]) => rows.filter(({ row }) => types.includes(row!))
    expect(of('note').some(({ note }) => note!.includes('FIFO'))).toBe(true)
    for (const asset in await product.services.ledger.balances(product.db, root.memberId)) {
      const balances = await balancesAt(root.memberId, yearOf(second).to)
      const amounts = Object.entries(balances).filter(([name]) => name.startsWith(`${asset} `))
      const sum = amounts.reduce((all, [, micros]) => all + parseMicros(micros), 0n)
      const ofAsset = (...types: string[]) => of(...types).filter((row) => row.asset === asset)
      expect(sumOf(ofAsset('closing'), 'held')).toBe(sum)
      expect(sumOf(ofAsset('ledger'), 'held')).toBe(sum)
      for (const [column, total] of [
        ['quantity', 'held'] as const,
        ['cost_usdt', 'held_cost_usdt'] as const,
      ]) {
        const change =
          sumOf(ofAsset('reward', 'acquired', 'moved_in'), column) -
          sumOf(ofAsset('disposed', 'moved_out'), column)
        expect(sumOf(ofAsset('opening'), total) + change).toBe(sumOf(ofAsset('closing'), total))
      }
    }
    const commission = of('reward').find(({ kind, asset }) => kind === 'commission' && asset === 'AMC')!
    expect(commission).toMatchObject({ price_usdt: '0.500000', price_source: `settlement ${first}` })
    expect(parseMicros(commission.value_usdt!)).toBe(parseMicros(commission.quantity!) / 2n)
    expect(of('reward').find(({ asset }) => asset === 'RIF')).toMatchObject({
      price_source: `published ${first}`,
      value_usdt: '14.000000',
    })
    expect(of('moved_out').find(({ kind }) => kind === 'transfer')).toMatchObject({
      quantity: '12.500000',
      cost_usdt: '12.500000',
      gain_usdt: '',
    })
    const rewards = of('reward').filter(({ asset }) => asset === 'USDT')
    expect(
      sumOf(
        of('sum_rewards').filter(({ asset }) => asset === 'USDT'),
        'value_usdt',
      ),
    ).toBe(sumOf(rewards, 'value_usdt'))
  })

  test('has what left before it was acquired in time at its value, and then closes as the ledger', async () => {
    const member = await product.join(root, 'right')
    const book = (
      key: string,
      kind: string,
      at: Date,
      lines: readonly [TestMember, string, string, bigint][],
    ) =>
      product.services.ledger.post(product.db, {
        key: `early ${key}`,
        kind,
        at,
        accountingDay: today(),
        cause: { type: 'test', id: `early ${key}` },
        lines: lines.map(([{ memberId }, source, destination, amountMicros]) => ({
          memberId,
          asset: 'AMC',
          source,
          destination,
          amountMicros,
        })),
      } as never)
    const now = product.now()
    await book('in', 'grant', now, [[member, 'external', 'available', 7_000_000n]])
    await book('out', 'transfer', new Date(now.getTime() - 1_000), [
      [member, 'available', 'clearing', 5_000_000n],
      [buyer, 'clearing', 'available', 5_000_000n],
    ])
    const { content } = await madeFile(statements(), product.db, owner(member), {
      kind: 'tax',
      format: 'csv',
      ...yearOf(second),
    })
    const rows = rowsOf(content).filter(({ asset }) => asset === 'AMC')
    const cellsOf = (type: string) => {
      const {
        value_usdt,
        cost_usdt,
        held: quantity,
        held_cost_usdt,
        note,
      } = rows.find(({ row }) => row === type)!
      return [value_usdt, cost_usdt, quantity, held_cost_usdt, note]
    }
    const early = 'booked before it was acquired: cost counted as its value'
    expect(cellsOf('moved_out')).toEqual(['2.500000', '2.500000', '-5.000000', '-2.500000', early])
    expect(cellsOf('reward')).toEqual(['3.500000', '3.500000', '2.000000', '1.000000', ''])
    expect(cellsOf('closing').slice(2, 4)).toEqual(['2.000000', '1.000000'])
    expect(cellsOf('ledger')[2]).toBe('2.000000')
  })

  test('is available as a PDF too', async () => {
    const { content } = await madeFile(statements(), product.db, owner(root), {
      kind: 'tax',
      format: 'pdf',
      ...yearOf(second),
      locale: 'ja',
    })
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe("the operators' exports", () => {
  test('the trial balance has every account of the ledger, and each asset sums to zero', async () => {
    const { content } = await madeFile(statements(), product.db, OPERATOR, {
      kind: 'trial_balance',
      format: 'csv',
      from: second,
      to: second,
    })
    const rows = rowsOf(content)
    const accounts = rows.filter(({ row }) => row === 'account')
    const { rows: posted } = await sql<{ asset: string; account: string; came: bigint; went: bigint }>`
      select asset, side.account, coalesce(sum(amount) filter (where side.incoming), 0)::bigint as came,
        coalesce(sum(amount) filter (where not side.incoming), 0)::bigint as went
      from ledger_postings, lateral (values (destination, true), (source, false)) as side (account, incoming)
      group by asset, side.account order by asset, side.account`.execute(product.db)
    expect(accounts.map(({ asset, account, debit, credit }) => [asset, account, debit, credit])).toEqual(
      posted.map(({ asset, account, came, went }) => [
        asset,
        account,
        formatMicros(came),
        formatMicros(went),
      ]),
    )
    for (const asset of new Set(posted.map((row) => row.asset)))
      expect(
        sumOf(
          accounts.filter((row) => row.asset === asset),
          'balance',
        ),
      ).toBe(0n)
    expect(rows.filter(({ row }) => row === 'sum').every(({ balance }) => balance === '0.000000')).toBe(true)
    expect(rows.at(-1)!.row).toBe('ledger')
    await madeFile(statements(), product.db, OPERATOR, {
      kind: 'trial_balance',
      format: 'pdf',
      from: first,
      to: first,
    })
  })

  test('the journal has every posting of its days', async () => {
    const { content } = await madeFile(statements(), product.db, OPERATOR, {
      kind: 'journal',
      format: 'csv',
      from: first,
      to: second,
    })
    const rows = rowsOf(content)
    const { rows: posted } = await sql<{ entry: string; micros: bigint }>`
      select member_id || '/' || seq || '.' || line as entry, amount as micros from ledger_postings
      where accounting_day between ${first} and ${second}
      order by accounting_day, member_id, seq, line`.execute(product.db)
    const entries = rows.filter(({ row }) => row === 'entry')
    expect(entries.map(({ member, entry, amount }) => [`${member}/${entry}`, amount])).toEqual(
      posted.map(({ entry, micros }) => [entry, formatMicros(micros)]),
    )
    expect(
      sumOf(
        rows.filter(({ row }) => row === 'sum'),
        'amount',
      ),
    ).toBe(sumOf(entries, 'amount'))
  })

  test("a customer statement equals the member's own without private names, and is logged", async () => {
    const range = { format: 'csv', from: first, to: second } as const
    const own = await madeFile(statements(), product.db, owner(root), { kind: 'account', ...range })
    const { content } = await madeFile(statements(), product.db, OPERATOR, {
      kind: 'customer',
      customerId: root.memberId,
      ...range,
    })
    expect(content.toString()).not.toContain('HYPERLINK')
    const figures = (file: Buffer) => rowsOf(file).map(({ name: _, ...row }) => row)
    expect(figures(content)).toEqual(figures(own.content))
    const { rows } = await sql`
      select actor from admin_actions where action = 'statement.request' and subject = ${`member/${root.memberId}`}`.execute(
      product.db,
    )
    expect(rows).toEqual([{ actor: OPERATOR.admin }])
  })
})

describe('a request', () => {
  const request = (from: string, format: 'csv' | 'pdf' = 'csv') =>
    statements().request(product.db, owner(buyer), {
      kind: 'account',
      format,
      from,
      to: second,
      locale: 'en',
    })

  test('is made once, is limited, can be cancelled, and belongs to its owner', async () => {
    const [statement, again] = await Promise.all([request(first), request(first)])
    expect(again).toEqual(statement)
    const others = [await request(second), await request(second, 'pdf')]
    await expect(request(addDays(first, -1))).rejects.toMatchObject({ code: 'STATEMENTS_OPEN' })
    const id = BigInt(statement.statement_id)
    await expect(statements().get(product.db, owner(root), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(statements().open(product.db, owner(buyer), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(statements().remove(product.db, owner(root), id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await statements().remove(product.db, owner(buyer), id)
    while (await statements().makeNext(product.db));
    const { items } = await statements().list(product.db, owner(buyer))
    expect(items.map(({ statement_id, step }) => [statement_id, step])).toEqual(
      others.reverse().map(({ statement_id }) => [statement_id, 'done']),
    )
    await expect(
      statements().open(product.db, owner(root), BigInt(others[0]!.statement_id)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('for an impossible range is refused', async () => {
    const refused = (kind: 'account' | 'tax', from: string, to: string) =>
      expect(
        statements().request(product.db, owner(buyer), { kind, format: 'csv', from, to, locale: 'en' }),
      ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await refused('account', second, first)
    await refused('account', addDays(second, 1), addDays(second, 2))
    await refused('tax', first, second)
  })

  test('is deleted a week after it was made', async () => {
    const [made] = (await statements().list(product.db, owner(buyer))).items
    expect(await statements().removeOverdue(product.db)).toBe(0)
    await sql`update statements set expires_at = now() - interval '1 day' where step = 'done' and member_id = ${buyer.memberId}`.execute(
      product.db,
    )
    expect(await statements().removeOverdue(product.db)).toBeGreaterThan(0)
    const { rows } = await sql`
      select from statement_chunks where statement_id = ${BigInt(made!.statement_id)}
      union all select from statement_files where statement_id = ${BigInt(made!.statement_id)}`.execute(
      product.db,
    )
    expect(rows).toEqual([])
  })
})

describe('a worker that dies', () => {
  const stored = async (statementId: bigint) => {
    const { rows } = await sql<{ chunks: bigint; files: bigint }>`
      select (select count(*) from statement_chunks where statement_id = ${statementId}) as chunks,
        (select count(*) from statement_files where statement_id = ${statementId}) as files`.execute(
      product.db,
    )
    return rows[0]
  }
  const requested = async () => {
    const range = { kind: 'account', format: 'csv', from: first, to: second, locale: 'en' } as const
    return BigInt((await statements().request(product.db, owner(buyer), range)).statement_id)
  }

  test('while it writes leaves nothing behind, and the next one makes the whole file', async () => {
    const statementId = await requested()
    const { db } = product
    // Blocks the worker after the chunks are written, and then breaks its connection, as when its process
    // dies.
    await db.transaction().execute(async (blocker) => {
      await sql`lock table statement_files in share mode`.execute(blocker)
      const made = statements().makeNext(db)
      const waiting = async () => {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_locks where relation = 'statement_files'::regclass and not granted`.execute(
          blocker,
        )
        return rows[0]?.pid
      }
      let pid: number | undefined
      await expect.poll(async () => (pid = await waiting())).toBeDefined()
      await sql`select pg_terminate_backend(${pid}::integer)`.execute(blocker)
      await made
    })
    expect(await stored(statementId)).toEqual({ chunks: 0n, files: 0n })
    await sql`
      update statements set step = 'running', beat_at = ${longAgo()}
      where statement_id = ${statementId}`.execute(db)
    expect(await statements().makeNext(db)).toBe(true)
    expect(await stored(statementId)).toMatchObject({ files: 1n })
    expect(await statements().get(db, owner(buyer), statementId)).toMatchObject({ step: 'done' })
  })

  test('after it wrote leaves a file that the next one offers without making it again', async () => {
    const statementId = await requested()
    const { db } = product
    expect(await statements().makeNext(db)).toBe(true)
    const { file } = await statements().get(db, owner(buyer), statementId)
    await sql`
      update statements set step = 'running', finished_at = null, expires_at = null,
        beat_at = ${longAgo()} where statement_id = ${statementId}`.execute(db)
    await expect(statements().open(db, owner(buyer), statementId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await statements().makeNext(db)).toBe(true)
    expect((await statements().get(db, owner(buyer), statementId)).file).toEqual(file)
  })

  test('three times in a row makes the file fail', async () => {
    const statementId = await requested()
    await sql`update statements set attempts = 3 where statement_id = ${statementId}`.execute(product.db)
    expect(await statements().makeNext(product.db)).toBe(true)
    expect(await statements().get(product.db, owner(buyer), statementId)).toMatchObject({
      step: 'failed',
      failure: 'INTERNAL',
      file: null,
    })
  })
})
