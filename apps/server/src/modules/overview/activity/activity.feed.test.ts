import { addDays, dayOf, formatMicros, startOfDay } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { postAttested } from '../../rewards/attested-revenue/testing/post-attested.ts'

// Root and buyer each buy a package, and the buyer's order pays root commissions. Another member has 40 grants of 1 to 40.

let product: TestProduct
let root: TestMember
let buyer: TestMember
let many: TestMember
let orderId: string

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  await product.services.settlement.begin(dayOf(product.now().getTime()))
  root = await product.join(null)
  buyer = await product.join(root, 'left')
  many = await product.join(root, 'right')
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
  const order = await product.order(buyer, 3)
  orderId = order.order_id
  await product.pay(buyer, orderId)
  await product.finalise()
  for (let amount = 1; amount <= 40; amount++) await product.grant(many, 'USDT', `${amount}`)
})
afterAll(() => product.stop())

const activity = () => product.services.activity
type Query = Parameters<ReturnType<typeof activity>['list']>[2]
const list = (member: TestMember, query: Partial<Query> = {}) =>
  activity().list(product.db, member.memberId, { limit: 20, ...query })
const kinds = async (member: TestMember, query: Partial<Query>) =>
  (await list(member, query)).items.map(({ kind }) => kind)

/** Returns the sums of a member's reward records: amounts due and paid. */
async function rewardsOf({ memberId }: TestMember) {
  const { rows } = await sql<{ due: bigint; paid: bigint }>`
    select sum(value_micros)::bigint as due, sum(paid_micros)::bigint as paid
    from rewards where member_id = ${memberId}`.execute(product.db)
  return { due: formatMicros(rows[0]!.due), paid: formatMicros(rows[0]!.paid) }
}

/** Returns the amounts that a transaction posted to a member, by asset. */
async function ledgerSums({ memberId }: TestMember, seq: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ asset: string; micros: bigint }>`
    select asset, sum(amount)::bigint as micros from ledger_postings
    where member_id = ${memberId} and seq = ${BigInt(seq)} and destination in ('available', 'locked')
    group by asset`.execute(product.db)
  return Object.fromEntries(rows.map(({ asset, micros }) => [asset, formatMicros(micros)]))
}

describe('the feed', () => {
  test('returns pages without gaps under every filter', async () => {
    for (const query of [{}, { news: true }, { group: 'exchange' as const }, { kinds: 'grant' }]) {
      const amounts: string[] = []
      let cursor: string | undefined
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(many, {
          ...query,
          limit: 7,
          ...(cursor !== undefined && { cursor }),
        })
        amounts.push(...page.items.map((item) => item.amounts[0]!.amount))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
      expect(amounts).toEqual(Array.from({ length: 40 }, (_, index) => `${40 - index}.000000`))
    }
  })

  test('finds an amount, an order number, part of a package name, and the kinds that a text names', async () => {
    expect((await list(many, { q: '17' })).items.map(({ amounts }) => amounts[0]!.amount)).toEqual([
      '17.000000',
    ])
    expect((await list(many, { q: '17.5' })).items).toEqual([])
    expect(await kinds(buyer, { q: 'launch' })).toEqual(['order_payment'])
    expect(await kinds(buyer, { q: orderId })).toEqual(['order_payment'])
    expect(await kinds(buyer, { q: 'Launch 9000' })).toEqual([])
    expect(await kinds(root, { q: 'zzz', kinds: 'commission,static' })).toEqual(['commission'])
    // A search never reaches another member's books.
    expect(await kinds(many, { q: 'Launch' })).toEqual([])
  })

  test('filters by period and group', async () => {
    const now = product.now().getTime()
    const tomorrow = new Date(now + 86_400_000).toISOString()
    expect((await list(many, { from: tomorrow })).items).toEqual([])
    expect((await list(many, { until: new Date(0).toISOString() })).items).toEqual([])
    const today = new Date(startOfDay(dayOf(now))).toISOString()
    expect((await list(many, { from: today, until: tomorrow, limit: 100 })).items).toHaveLength(40)
    expect(await kinds(root, { group: 'rewards' })).toEqual(['commission'])
    expect(await kinds(root, { group: 'withdrawals' })).toEqual([])
  })
})

describe('the detail', () => {
  test('returns the ledger lines, which sum to zero for each asset, and the rewards that they paid', async () => {
    for (const member of [root, buyer, many]) {
      for (const { activity_id, kind } of (await list(member)).items) {
        const detail = await activity().detail(product.db, member.memberId, BigInt(activity_id))
        expect(detail.kind).toBe(kind)
        const { rows } = await sql<{ account: string; asset: string; micros: bigint }>`
          select side.account, asset, sum(side.delta)::bigint as micros from ledger_postings
          cross join lateral (values (source, -amount), (destination, amount)) as side (account, delta)
          where member_id = ${member.memberId} and seq = ${BigInt(activity_id)}
          group by side.account, asset having sum(side.delta) <> 0`.execute(product.db)
        const posted = rows.map(({ account, asset, micros }) => [account, asset, formatMicros(micros)])
        const shown = detail.lines.map(({ account, asset, amount }) => [account, asset, amount])
        expect(shown.sort()).toEqual(posted.sort())
        const sums = new Map<string, number>()
        for (const { asset, amount } of detail.lines) {
          sums.set(asset, (sums.get(asset) ?? 0) + Math.round(Number(amount) * 1e6))
        }
        expect([...sums.values()].every((sum) => sum === 0)).toBe(true)
      }
    }
    const [commission] = (await list(root, { group: 'rewards' })).items
    const detail = await activity().detail(product.db, root.memberId, BigInt(commission!.activity_id))
    expect(detail.rewards.map(({ type }) => type)).toEqual(['ReferralReward', 'TeamReward'])
    expect(new Set(detail.rewards.map((reward) => reward.order_id))).toEqual(new Set([orderId]))
  })

  test('names the order that paid a commission, and the amounts due and paid as in the ledger', async () => {
    const [commission] = (await list(root, { group: 'rewards' })).items
    const records = await rewardsOf(root)
    expect(commission!.source).toEqual({
      address: expect.stringMatching(new RegExp(buyer.address, 'i')),
      label: null,
      name: 'Launch 1000',
      rewards: 2,
      base: null,
      ratio_ppm: null,
    })
    expect(commission!.due).toEqual([{ asset: 'USDT', due: records.due, paid: records.paid }])
    // 20% of 1000 were due. The pool received 35% of it, so all of it was paid: 140 USDT, and 120 AMC at
    // 0.50.
    expect(records).toMatchObject({ due: '200.000000', paid: '200.000000' })
    const posted = await ledgerSums(root, commission!.activity_id)
    expect(posted).toEqual({ USDT: '140.000000', AMC: '120.000000' })

    const own = (await list(buyer)).items.find(({ kind }) => kind === 'order_payment')!
    expect(own).toMatchObject({ title: 'Launch 1000', due: [], source: { rewards: 0, address: null } })
    const { labels } = product.services.members
    await labels.set(product.db, root.memberId, { aboutId: buyer.memberId, label: 'Cousin', pinned: false })
    const detail = await activity().detail(product.db, root.memberId, BigInt(commission!.activity_id))
    expect(detail.source.label).toBe('Cousin')
    // The label is private to the member.
    expect((await list(buyer)).items.every(({ source }) => source.label === null)).toBe(true)
  })

  test('names the other member of a transfer and the wallet of a withdrawal', async () => {
    await product.transfer(many, buyer, 'USDT', '2')
    const sent = (await list(many, { group: 'transfers' })).items[0]!
    expect(sent.source.address?.toLowerCase()).toBe(buyer.address.toLowerCase())
    const { withdraw_id, address } = await product.withdraw(many, 'USDT', '20')
    const request = (await list(many, { group: 'withdrawals' })).items[0]!
    expect(request).toMatchObject({ cause: { id: withdraw_id }, source: { address } })
  })

  test('links earlier and later events of the same withdrawal', async () => {
    const { withdraw_id } = await product.withdraw(many, 'USDT', '50')
    await product.claim(many, withdraw_id)
    await product.finalise()
    const [paid, request] = (await list(many, { group: 'withdrawals' })).items
    const detail = (id: string) => activity().detail(product.db, many.memberId, BigInt(id))
    expect((await detail(request!.activity_id)).later).toEqual([paid])
    expect((await detail(paid!.activity_id)).earlier).toEqual([request])
  })

  test("does not show another member's transaction", async () => {
    const { items } = await list(many, { limit: 1 })
    const seq = BigInt(items[0]!.activity_id)
    await expect(activity().detail(product.db, root.memberId, seq)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(activity().detail(product.db, many.memberId, 999_999n)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('the packages', () => {
  test('show the cost, the static rewards paid of those due, and the rest of the ceiling', async () => {
    const before = await activity().packages(product.db, buyer.memberId)
    expect(before).toMatchObject({
      count: 1,
      months: [],
      sums: {
        price: '1000.000000',
        ceiling: '2000.000000',
        ceiling_left: '2000.000000',
        static_paid: '0.000000',
      },
      items: [{ order_id: orderId, name: 'Launch 1000', last_day: null }],
    })
    expect(await activity().packages(product.db, many.memberId)).toMatchObject({
      count: 0,
      items: [],
      months: [],
    })
    const first = dayOf(product.now().getTime())
    const nextDay = () =>
      product.advance(
        startOfDay(addDays(dayOf(product.now().getTime()), 1)) - product.now().getTime() + 60_000,
      )
    await nextDay()
    await product.services.settlement.settle(first)
    const day = addDays(first, 1)
    await postAttested(product.db, {
      destination: 'yield_pool',
      asset: 'USDT',
      amountMicros: 20_000_000n,
      accountingDay: day,
      at: product.now(),
    })
    await nextDay()
    await product.services.settlement.settle(day)
    const own = await activity().packages(product.db, buyer.memberId)
    const { rows } = await sql<{ due: bigint; paid: bigint }>`
      select sum(value_micros)::bigint as due, sum(paid_micros)::bigint as paid from rewards
      where member_id = ${buyer.memberId} and type = 'Interest'`.execute(product.db)
    const { due, paid } = rows[0]!
    expect(paid > 0n && paid < due).toBe(true)
    // The feed has the same figures: the payment was reduced because the pool held only 20.
    const reward = (await list(buyer, { group: 'rewards' })).items.find(({ kind }) => kind === 'static')!
    expect(reward.due).toEqual([{ asset: 'USDT', due: formatMicros(due), paid: formatMicros(paid) }])
    expect(reward.source).toMatchObject({ rewards: 1, base: '1000.000000' })
    expect(await ledgerSums(buyer, reward.activity_id)).toEqual({ USDT: formatMicros(paid) })
    const sums = { due: formatMicros(due), paid: formatMicros(paid) }
    expect(own.months).toEqual([{ month: day.slice(0, 7), ...sums }])
    expect(own.items[0]).toMatchObject({
      static_paid: sums.paid,
      ceiling: '2000.000000',
      ceiling_left: formatMicros(2_000_000_000n - paid),
      last_30_days: { ...sums, days: 1 },
      last_day: { day, ...sums },
    })
  })
})
