import { readFile, rm, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type Db, inTx } from '../db/database.ts'
import { setFrozen } from '../modules/access/gates/gates.service.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { startTestSigner, type TestSigner } from '../testing/test-signer.ts'
import { createSignerClient, type Signer } from './client.ts'
import { writableTables } from './reading.ts'

const HOUR_MS = 3_600_000
const usdt = (whole: number) => BigInt(whole) * 1_000_000n

let product: TestProduct
let root: TestMember
let member: TestMember
/** The access of a stolen API process: the application's login, and the signer's socket. */
let thief: { db: Db; signer: Signer }
beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  thief = { db: product.db, signer: createSignerClient(product.signer.access) }
})
afterAll(() => product.stop())
beforeEach(async () => {
  member = await product.join(root)
  await product.grant(member, 'USDT', '5000')
  await product.finalise()
})

const entries = async (path = product.signer.logPath) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const lastEntry = async () => (await entries()).at(-1)
const voucher = (id: string, of = member) =>
  product.services.claims.voucher(product.db, of.memberId, BigInt(id))
const steal = (id: string, of = member) => thief.signer.claim(of.memberId, BigInt(id))

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const restore of undo.splice(0).reverse()) await restore()
})

/**
 * Lets the stolen process write arbitrary values into a withdrawal, which becomes claimable. The change is
 * undone after the test.
 */
async function forge(id: string, changes: Record<string, unknown> = {}): Promise<void> {
  const own = thief.db.selectFrom('withdrawals').selectAll().where('withdrawal_id', '=', BigInt(id))
  const { withdrawal_id: _, member_id: __, ...row } = await own.executeTakeFirstOrThrow()
  undo.push(() =>
    thief.db.updateTable('withdrawals').set(row).where('withdrawal_id', '=', BigInt(id)).execute(),
  )
  const deadline = new Date(Math.ceil(product.now().getTime() / 1_000) * 1_000 + 600_000)
  const bank = product.testChain.contracts.bank.toLowerCase()
  await thief.db
    .updateTable('withdrawals')
    .set({ status: 'Withdrawable', bank, claim_expires_at: deadline, ...changes })
    .where('member_id', '=', member.memberId)
    .where('withdrawal_id', '=', BigInt(id))
    .execute()
}

describe('a stolen API process', () => {
  test('gets no voucher for a withdrawal that nobody approved, with any data in the database', async () => {
    const foreign = product.wallets[0]!
    const { withdraw_id, status } = await product.withdraw(member, 'USDT', '20', foreign)
    expect(status).toBe('Auditing')
    await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
    await forge(withdraw_id, { reasons: [], reviewed_by: 'admin', reviewed_at: product.now() })
    await inTx(thief.db, (dbTx) =>
      product.services.adminLog.record(dbTx, {
        actor: 'admin',
        action: 'withdrawal.approve',
        subject: `member/${member.memberId}/withdrawal/${withdraw_id}`,
      }),
    )
    await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_NOT_APPROVED' })
    expect(await lastEntry()).toMatchObject({ decision: 'refuse', reason: 'not_reviewed' })
  })

  test.each([
    ['another amount', { amount_micros: usdt(900) }],
    ['no fee and another amount', { amount_micros: usdt(51), fee_micros: 0n }],
    ['no fee', { fee_micros: 0n }],
    ['no fee, as if it were a refund', { fee_micros: 0n, refund_micros: usdt(50) }],
    ['less than the fee', { fee_micros: usdt(1) - 1n }],
    ['more than the fee', { fee_micros: usdt(2) }],
    ['another asset', { asset: 'AMC' }],
    [
      'a deadline in a month',
      { claim_expires_at: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 90 * 86_400_000) },
    ],
  ])('gets no voucher with terms that the ledger does not hold: %s', async (_what, changes) => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
    await forge(withdraw_id, changes)
    await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await lastEntry()).toMatchObject({ reason: 'bad_terms' })
  })

  test('gets no second voucher for a paid withdrawal', async () => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
    await product.claim(member, withdraw_id)
    await product.finalise()
    await forge(withdraw_id, {
      status: 'Withdrawable',
      completed_at: null,
      claimed_at: null,
      seen_block: null,
    })
    await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
    expect(await lastEntry()).toMatchObject({ reason: 'not_withdrawable' })
  })

  test('cannot name terms: the socket accepts two numbers and nothing else', async () => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
    await voucher(withdraw_id)
    const url = product.signer.access.url.slice('unix:'.length)
    const post = (path: string, body: string) => postTo(url, path, body)
    const ids = { member: `${member.memberId}`, withdrawal: withdraw_id }
    expect((await post('/claim', JSON.stringify(ids))).status).toBe(200)
    for (const more of [{ amount: '1' }, { to: root.wallet }, { deadline: 1 }])
      expect((await post('/claim', JSON.stringify({ ...ids, ...more }))).status).toBe(400)
    const long = JSON.stringify({ ...ids, withdrawal: '9'.repeat(19) })
    for (const body of ['', '{', '[]', '{"member":"-1","withdrawal":"1"}', 'x'.repeat(1_000), long])
      expect((await post('/claim', body)).status).toBe(400)
    expect((await post('/sign', JSON.stringify(ids))).status).toBe(400)
  })

  test('gets no voucher before L1 has finalised the events on which it depends, regardless of the API', async () => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
    await forge(withdraw_id, { booked_block: 10n ** 9n, booked_block_at: product.now() })
    await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'CLAIM_NOT_FINAL_YET' })
  })

  test('cannot fill the disk with refusals', async () => {
    const before = (await entries()).length
    for (let id = 0; id < 200; id++)
      await expect(steal('999999999')).rejects.toMatchObject({ code: 'NOTHING_TO_CLAIM' })
    expect((await entries()).length - before).toBeLessThanOrEqual(60)
  })
})

test('a frozen member gets no voucher, regardless of the API', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  await voucher(withdraw_id)
  const freeze = { memberId: member.memberId, reason: 'a stolen phone' }
  await inTx(product.db, (dbTx) => setFrozen(dbTx, product.services.ledger, freeze))
  await expect(steal(withdraw_id)).rejects.toMatchObject({ code: 'MEMBER_FROZEN' })
})

describe('a quote takes package and limit from the order and the plan in force', () => {
  const quote = (orderId: string) => product.services.signer.quote('shop', member.memberId, BigInt(orderId))
  const forgeOrder = (orderId: string, values: object) =>
    product.db
      .updateTable('orders')
      .set(values)
      .where('member_id', '=', member.memberId)
      .where('order_id', '=', BigInt(orderId))
      .execute()

  test('signs the level and the copies of the plan', async () => {
    const { order_id } = await product.order(member, 4)
    await forgeOrder(order_id, { quoted_at: product.now() })
    expect((await quote(order_id)).order).toMatchObject({ package: 4n, limit: 200n })
    await product.cancelOrder(member, order_id)
  })

  test('refuses no package, two packages and one that the plan does not have', async () => {
    const { order_id } = await product.order(member, 4)
    await forgeOrder(order_id, { quoted_at: product.now() })
    for (const [packageId, level] of [
      [0, 0],
      [0, 4],
      [3, 4],
      [4, 3],
      [6, 6],
    ]) {
      await forgeOrder(order_id, { package_id: packageId, level })
      await expect(quote(order_id)).rejects.toMatchObject({ code: 'INTERNAL' })
    }
    await forgeOrder(order_id, { package_id: 4, level: 4 })
    await product.cancelOrder(member, order_id)
  })

  test('refuses an order that does not say that it is quoted, because its RIF may go back', async () => {
    const { order_id } = await product.order(member, 4)
    await expect(quote(order_id)).rejects.toMatchObject({ code: 'ORDER_FINAL' })
    await product.cancelOrder(member, order_id)
  })
})

describe('limits of the signer', () => {
  let own: TestSigner
  let signer: Signer
  let clockMs = 0
  beforeEach(async () => {
    clockMs = 0
    const limit = { hour: usdt(90), day: usdt(150), member: usdt(120) }
    own = await startTestSigner(product.database, product.testChain, {
      limits: { USDT: limit, quotes: { hour: 2n, day: 2n, member: 2n } },
      now: () => new Date(product.now().getTime() + clockMs),
    })
    signer = createSignerClient(own.access)
  })
  /** Returns a withdrawal with a voucher that is valid by the signer's clock. */
  async function claimable(amount: string, of = member): Promise<() => Promise<unknown>> {
    const { withdraw_id } = await product.withdraw(of, 'USDT', amount)
    await voucher(withdraw_id, of)
    return async () => {
      const deadline = new Date(Math.ceil((product.now().getTime() + clockMs) / 1_000) * 1_000 + 600_000)
      await product.db
        .updateTable('withdrawals')
        .set({ claim_expires_at: deadline })
        .where('withdrawal_id', '=', BigInt(withdraw_id))
        .execute()
      return signer.claim(of.memberId, BigInt(withdraw_id))
    }
  }

  test('apply within an hour, a day and for a member, and count a withdrawal once', async () => {
    const [first, second, third] = [await claimable('61'), await claimable('31'), await claimable('5')]
    await first()
    await first()
    await second()
    const other = await product.join(root)
    await product.grant(other, 'USDT', '100')
    await product.finalise()
    const foreign = await claimable('41', other)
    await expect(foreign()).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
    clockMs = HOUR_MS + 1
    await foreign()
    clockMs = 2 * HOUR_MS + 2
    // 130 of the day's 150 are signed, 90 of the member's 120.
    await third()
    const last = await claimable('3', other)
    clockMs = 3 * HOUR_MS + 3
    await last()
    expect((await entries(own.logPath)).filter(({ reason }) => reason === 'limit_hour')).toHaveLength(1)
    await own.close()
  })

  test('concurrent claims never exceed the limit', async () => {
    const claims = []
    for (let count = 0; count < 8; count++) claims.push(await claimable('11'))
    const others = await product.join(root)
    await product.grant(others, 'USDT', '100')
    await product.finalise()
    for (let count = 0; count < 4; count++) claims.push(await claimable('11', others))
    const results = await Promise.allSettled(claims.map((claim) => claim()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    await own.close()
  })

  test('survive a restart, and a clock that is set back', async () => {
    const [first, second] = [await claimable('61'), await claimable('39')]
    await first()
    await expect(second()).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
    const again = await own.restart()
    signer = createSignerClient(again.access)
    await expect(second()).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
    clockMs = -2 * HOUR_MS
    await expect(second()).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
    clockMs = HOUR_MS + 1
    await second()
    await again.close()
  })

  test('apply to quotes', async () => {
    const orders: { order_id: string }[] = []
    for (const level of [1, 2, 3]) orders.push(await product.order(member, level))
    // As the API notes before it asks.
    await sql`update orders set quoted_at = created_at where member_id = ${member.memberId}`.execute(
      product.db,
    )
    const quote = (index: number) => signer.quote('shop', member.memberId, BigInt(orders[index]!.order_id))
    await quote(0)
    await quote(0)
    await quote(1)
    await expect(quote(2)).rejects.toMatchObject({ code: 'SIGNER_LIMIT' })
    await own.close()
  })
})

describe('the log of decisions', () => {
  /** Returns a closed signer that has signed something, with the text of its log. */
  async function closedSigner(): Promise<{ own: TestSigner; text: string }> {
    const own = await startTestSigner(product.database, product.testChain, { now: product.now })
    const signer = createSignerClient(own.access)
    const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
    await voucher(withdraw_id)
    await signer.claim(member.memberId, BigInt(withdraw_id))
    await own.stop()
    return { own, text: await readFile(own.logPath, 'utf8') }
  }

  test.each([
    [
      'a changed amount',
      (text: string) => text.replace('"amount":"49000000"', '"amount":"1"'),
      /was changed at line 2/,
    ],
    ['a removed line', (text: string) => text.replace(/^.*\n/, ''), /lacks the lines before line 2/],
    ['a log that was cut', (text: string) => text.replace(/.*\n$/, ''), /ends at line 1, before line 2/],
    ['an empty log', () => '', /ends at line 0, before line 2/],
  ])('%s stops the start with one line', async (_what, change, refusal) => {
    const { own, text } = await closedSigner()
    expect(change(text)).not.toBe(text)
    await writeFile(own.logPath, change(text))
    await expect(own.restart()).rejects.toThrow(refusal)
    await own.remove()
  })

  test('a line that a kill cut off is dropped, and the next one follows', async () => {
    const { own, text } = await closedSigner()
    await writeFile(own.logPath, `${text}{"number":3,"decision":"si`)
    const again = await own.restart()
    expect((await entries(own.logPath)).map(({ number }) => number)).toEqual([1, 2, 3])
    await again.close()
  })

  test('a kill between the line and the update of its head loses neither, and nothing counts twice', async () => {
    const { own, text } = await closedSigner()
    const [first] = text.split('\n')
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha256').update(first!).digest('hex')
    await writeFile(`${own.logPath}.head`, JSON.stringify({ number: 1, hash, first: 1 }))
    const again = await own.restart()
    expect((await entries(own.logPath)).map(({ decision }) => decision)).toEqual(['start', 'sign', 'start'])
    await again.close()
  })

  test('cannot be removed together with its head', async () => {
    const { own } = await closedSigner()
    await rm(own.logPath)
    await expect(own.restart()).rejects.toThrow(/ends at line 0/)
    await own.remove()
  })
})

test('a clock that differs from the database by more than the limit stops signing, which resumes afterwards', async () => {
  let clockMs = 0
  const own = await startTestSigner(product.database, product.testChain, {
    now: () => new Date(Date.now() + clockMs),
    maxClockSkewMs: 5_000,
  })
  const signer = createSignerClient(own.access)
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  for (const jump of [300_000, -300_000]) {
    clockMs = jump
    await expect(signer.claim(member.memberId, BigInt(withdraw_id))).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
    })
    expect(await signer.status()).toMatchObject({ trouble: 'clock' })
    clockMs = 0
    expect(await signer.status()).toMatchObject({ trouble: null })
  }
  await own.close()
})

test('the login of the signer can write no table, and another login is refused', async () => {
  const reader = createDatabase({ url: product.database.readUrl, max: 1, applicationName: 'test' })
  expect(await writableTables(reader.db)).toEqual([])
  await reader.close()
  expect(await inTx(product.db, writableTables)).toContain('withdrawals')
})

test('an unavailable signer refuses claims and purchases, and both work again when it is available', async () => {
  const { withdraw_id } = await product.withdraw(member, 'USDT', '50')
  const order = await product.order(member, 1)
  await product.approve(member, order.order_id)
  const payment = () =>
    product.services.shop.payment(product.db, {
      memberId: member.memberId,
      orderId: BigInt(order.order_id),
      useHashRate: false,
    })
  const { bankWatch } = product.services
  const isAway = async () => (await bankWatch.report()).alarms.some(({ kind }) => kind === 'signer_away')
  await bankWatch.look()
  expect(await isAway()).toBe(false)
  await product.signer.stop()
  await bankWatch.look()
  expect(await isAway()).toBe(true)
  await expect(voucher(withdraw_id)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  await expect(payment()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  const { signer } = await product.services.system.status(product.db)
  expect(signer).toEqual({ ok: false, problem: 'does not answer' })
  const again = await product.signer.restart()
  await bankWatch.look()
  expect(await isAway()).toBe(false)
  expect((await product.claim(member, withdraw_id)).status).toBe('success')
  expect((await product.send(member, (await payment()).tx)).status).toBe('success')
  await product.finalise()
  expect(await product.audit()).toEqual([])
  await again.stop()
})

/** Posts a text to a socket. */
async function postTo(socketPath: string, path: string, body: string): Promise<{ status: number }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method: 'POST' }, (answer) => {
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0 }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
