import { ACTIVITY_KINDS } from '@rif/api-schema'
import { dayOf, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import type { LedgerAccount } from '../../books/ledger/accounts.ts'
import { flowTable } from '../../books/ledger/flows.ts'
import type { ActivityFacts } from './sources.ts'
import { activityView, isNews, SKIPPED_KINDS } from './view.ts'

// Root and buyer each buy a package. The buyer's order pays root 200: 140 USDT, and 120 AMC that are released
// later.

let product: TestProduct
let root: TestMember
let buyer: TestMember
let other: TestMember
let orderId: string

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  await product.services.settlement.begin(today())
  root = await product.join(null)
  buyer = await product.join(root, 'left')
  other = await product.join(root, 'right')
  await product.pay(root, (await product.order(root, 5)).order_id)
  await product.finalise()
  await product.grant(buyer, 'RIF', '10')
  await product.publishPrice('RIF', '1')
  const order = await product.order(buyer, 3, true)
  orderId = order.order_id
  await product.pay(buyer, orderId)
  await product.finalise()
})
afterAll(() => product.stop())

const SKIPPED: readonly string[] = SKIPPED_KINDS
/** The kinds of the operator's own transactions, which appear in no member's books. */
const OPERATORS = /^(attested_.*|exit_.*|treasury_payout|fund_(invest|divest|remainder))$/
const today = () => dayOf(product.now().getTime())
const activity = () => product.services.activity
const list = (member: TestMember, query: { cursor?: string; news?: boolean; limit?: number } = {}) =>
  activity().list(product.db, member.memberId, { limit: 20, ...query })
const unseen = async (member: TestMember) =>
  (await activity().notifications(product.db, member.memberId)).unseen

describe('activity', () => {
  test("has a name in the API for every kind of transaction in members' books", async () => {
    const { rows } = await sql<{ flow: string }>`select unnest(ledger_flow_list()) as flow`.execute(
      product.db,
    )
    const kinds = rows.map(({ flow }) => flow.split(' ')[0]!)
    const isOfMembers = (kind: string) => !OPERATORS.test(kind) && !SKIPPED.includes(kind)
    expect([...new Set(kinds.filter(isOfMembers))].sort()).toEqual([...ACTIVITY_KINDS].sort())
  })

  test('has an amount in every row, for every kind of transaction that the ledger allows', async () => {
    const flows = await flowTable(product.db)
    const bare = flows.flatMap(({ kind, asset, ...sides }) => {
      const { source, destination } = sides as Record<'source' | 'destination', LedgerAccount>
      const lines = [{ asset, source, destination, amountMicros: 30_000_000n }]
      const entry = { kind, lines, seq: 1n, key: kind, cause: { type: 'test', id: '1' } }
      const when = { accountingDay: today(), postedAt: product.now() }
      const { amounts } = activityView({ ...entry, ...when }, {} as ActivityFacts)
      return amounts.length === 1 && parseMicros(amounts[0]!.amount.replace('-', '')) === 30_000_000n
        ? []
        : [kind]
    })
    expect(bare).toEqual([])
  })

  test('a move between own accounts shows its sum and is no news', async () => {
    const lines = [
      { asset: 'USDT', source: 'savings', destination: 'savings_leaving', amountMicros: 30_000_000n },
    ] as const
    const entry = { kind: 'savings_out', lines, seq: 1n, key: 'out', cause: { type: 'test', id: '1' } }
    const left = { ...entry, accountingDay: today(), postedAt: product.now() }
    expect(activityView(left, {} as ActivityFacts).amounts).toEqual([{ asset: 'USDT', amount: '30.000000' }])
    expect(isNews(left)).toBe(false)
  })

  test('lists each transaction once, with its changes and its cause', async () => {
    const { items, next } = await list(buyer)
    expect(next).toBeNull()
    expect(items.map(({ kind, place, amounts, title }) => ({ kind, place, amounts, title }))).toEqual([
      {
        kind: 'order_discount_spend',
        place: 'account',
        title: 'Launch 1000',
        amounts: [{ asset: 'RIF', amount: '-10.000000' }],
      },
      {
        kind: 'order_payment',
        place: 'wallet',
        title: 'Launch 1000',
        amounts: [
          { asset: 'USDT', amount: '-693.000000' },
          { asset: 'AMC', amount: '-594.000000' },
        ],
      },
      {
        kind: 'grant',
        place: 'account',
        title: null,
        amounts: [{ asset: 'RIF', amount: '10.000000' }],
      },
    ])
    expect(items[1]!.cause).toEqual({ type: 'order', id: orderId })
  })

  test('links the reward record where there is one, and none where there are two', async () => {
    const { items } = await list(root)
    // The referral and organisation rewards of one order are one transaction; the order is another member's.
    expect(items[0]).toMatchObject({ kind: 'commission', reward_id: null, title: null })
  })

  test('comes in pages without gaps', async () => {
    const whole = await list(buyer)
    const first = await list(buyer, { limit: 2 })
    const second = await list(buyer, { limit: 2, cursor: first.next! })
    expect([...first.items, ...second.items]).toEqual(whole.items)
    expect(second.next).toBeNull()
    await expect(list(buyer, { cursor: 'nonsense' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test("as news omits the member's own actions", async () => {
    const { items } = await list(buyer, { news: true })
    expect(items.map(({ kind }) => kind)).toEqual(['order_payment', 'grant'])
    const paged = await list(buyer, { news: true, limit: 1 })
    const rest = await list(buyer, { news: true, limit: 1, cursor: paged.next! })
    expect([...paged.items, ...rest.items]).toEqual(items)
  })

  test("shows only the member's own transactions", async () => {
    expect((await list(other)).items).toEqual([])
  })
})

describe('notifications', () => {
  test('count news since the last visit, which never moves back', async () => {
    expect(await unseen(buyer)).toBe(2)
    const { items } = await list(buyer)
    const see = (id: bigint) => activity().see(product.db, buyer.memberId, id)
    expect(await see(BigInt(items[1]!.activity_id))).toMatchObject({
      unseen: 0,
      seen_up_to: items[1]!.activity_id,
      seen_at: expect.any(String),
    })
    // A device that has seen less changes nothing, and a future position is not accepted.
    expect(await see(1n)).toMatchObject({ unseen: 0, seen_up_to: items[1]!.activity_id })
    expect(await see(999n)).toMatchObject({ seen_up_to: items[0]!.activity_id })
    await product.grant(buyer, 'USDT', '300')
    expect(await unseen(buyer)).toBe(1)
  })

  test("omit the member's actions and include their results", async () => {
    const before = await unseen(buyer)
    const { withdraw_id } = await product.withdraw(buyer, 'USDT', '50')
    expect(await unseen(buyer)).toBe(before)
    expect((await list(buyer)).items[0]).toMatchObject({
      kind: 'withdrawal_request',
      amounts: [{ asset: 'USDT', amount: '-50.000000' }],
    })
    await product.claim(buyer, withdraw_id)
    await product.finalise()
    expect(await unseen(buyer)).toBe(before + 1)
    expect((await list(buyer)).items[0]).toMatchObject({
      kind: 'withdrawal_paid',
      place: 'wallet',
      cause: { type: 'withdrawal', id: withdraw_id },
      amounts: [{ asset: 'USDT', amount: '49.000000' }],
    })
  })

  test('omit AMC that the member converted into RIF', async () => {
    await product.grant(buyer, 'AMC', '4')
    const before = await unseen(buyer)
    await inTx(product.db, async (dbTx) => {
      const { hashPower } = product.services
      const { quote_id } = await hashPower.quote(dbTx, buyer.memberId, parseMicros('4'))
      await hashPower.buy(dbTx, buyer.memberId, BigInt(quote_id))
    })
    expect(await unseen(buyer)).toBe(before)
    const [newest] = (await list(buyer)).items
    expect(newest).toMatchObject({
      kind: 'hash_power_purchase',
      amounts: [
        { asset: 'AMC', amount: '-4.000000' },
        { asset: 'RIF', amount: '2.000000' },
      ],
    })
    expect((await list(buyer, { news: true })).items).not.toContainEqual(newest)
  })
})

test('are counted up to a limit in a long history too', async () => {
  await grantMany(other, 600)
  expect(await activity().notifications(product.db, other.memberId)).toMatchObject({ unseen: 99 })
})

async function grantMany({ memberId }: TestMember, count: number) {
  const { ledger } = product.services
  const line = { memberId, asset: 'USDT', source: 'external', destination: 'available' } as const
  for (let index = 0; index < count; index++) {
    await ledger.post(product.db, {
      key: `many/${index}`,
      kind: 'grant',
      cause: { type: 'test', id: `${index}` },
      at: product.now(),
      accountingDay: today(),
      lines: [{ ...line, amountMicros: 1_000_000n }],
    })
  }
}

test('team investment is reported by month and side', async () => {
  const months = await product.services.placement.monthVolumes(product.db, root.memberId, 3)
  expect(months).toHaveLength(3)
  expect(months.reduce((sum, { leftMicros }) => sum + leftMicros, 0n)).toBe(990_000_000n)
  expect(months.every(({ rightMicros }) => rightMicros === 0n)).toBe(true)
  const [own] = await product.services.placement.monthVolumes(product.db, buyer.memberId, 1)
  expect(own).toMatchObject({ leftMicros: 0n, rightMicros: 0n })
})
