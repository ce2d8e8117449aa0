import { SEARCH_SHOWN } from '@rif/api-schema'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, newWallet, signIn, startTestServer, type TestServer } from '../../../testing/test-server.ts'
import { type FundProduct, startFundProduct } from '../../fund/testing/fund-product.ts'

// The member has ten package orders, a fund purchase, grants, a claimed withdrawal, names and notes; the
// other member has the same kinds of records, which the member must never find.
let product: FundProduct['product']
let root: FundProduct['root']
let member: FundProduct['member']
let other: FundProduct['other']
let fundOrder: { order_id: string; chain_order_id: string }
let paid: { order_id: string; chain_order_id: string }
let paidHash: string
let claimHash: string
let othersOrder: string

const find = (by: FundProduct['member'], q: string, kinds?: string) =>
  product.services.memberSearch.find(product.db, by.memberId, { q, kinds })
const orders = async (q: string, by = member) =>
  (await find(by, q)).orders.items.map(({ kind, order_id }) => `${kind} ${order_id}`)
const addresses = async (q: string, by = member) => (await find(by, q)).addresses.items

beforeAll(async () => {
  const fundProduct = await startFundProduct()
  ;({ product, root, member, other } = fundProduct)
  const { fund } = fundProduct
  await product.publishPrice('AMC', '0.5')
  const productId = await fund.open('Harbour bonds', '10')
  fundOrder = await fund.buy(member, productId, 2n, 'wallet')
  await fund.pay(member, fundOrder as never)
  paid = await product.order(member, 1)
  paidHash = (await product.pay(member, paid.order_id)).hash
  await product.finalise()
  othersOrder = (await product.order(other, 1)).order_id
  await product.grant(member, 'USDT', '17.25')
  await product.grant(other, 'USDT', '99.75')
  const { withdraw_id } = await product.withdraw(member, 'USDT', '30')
  await product.claim(member, withdraw_id)
  await product.finalise()
  const { rows } = await sql<{ hash: string }>`select tx_hash as hash from withdrawals`.execute(product.db)
  claimHash = rows[0]!.hash
})
afterAll(() => product.stop())

describe('orders', () => {
  test('are found by part of the name, for packages and funds', async () => {
    expect(await orders('LAUNCH')).toEqual([`package ${paid.order_id}`])
    expect(await orders('harb')).toEqual([`fund ${fundOrder.order_id}`])
  })

  test('are found by number, on-chain id and payment hash', async () => {
    expect(await orders(paid.order_id)).toContain(`package ${paid.order_id}`)
    expect(await orders(paid.chain_order_id)).toEqual([`package ${paid.order_id}`])
    expect(await orders(fundOrder.chain_order_id)).toEqual([`fund ${fundOrder.order_id}`])
    expect(await orders(paidHash.toUpperCase().replace('0X', '0x'))).toEqual([`package ${paid.order_id}`])
  })

  test('of others are never found', async () => {
    const { rows } = await sql<{ id: string }>`
      select ((member_id::numeric * 18446744073709551616) + order_id)::text as id from orders
      where member_id = ${other.memberId}`.execute(product.db)
    for (const q of [othersOrder, rows[0]!.id]) {
      expect(await orders(q)).not.toContain(`package ${othersOrder}`)
    }
    expect(await orders(paid.order_id, other)).not.toContain(`package ${paid.order_id}`)
    expect(await orders(paid.chain_order_id, other)).toEqual([])
    expect(await orders(paidHash, other)).toEqual([])
    expect(await orders('harb', other)).toEqual([])
  })
})

describe('activity', () => {
  const kinds = async (q: string, by = member, named?: string) =>
    (await find(by, q, named)).activity.items.map(({ kind }) => kind)

  test("is found by amount, claim and the kinds that the text names, and includes only the member's own", async () => {
    expect(await kinds('17.25')).toEqual(['grant'])
    expect(await kinds('99.75')).toEqual([])
    expect(await kinds(claimHash)).toEqual(['withdrawal_paid', 'withdrawal_request'])
    expect(await kinds(claimHash, other)).toEqual([])
    expect(await kinds('claim', member, 'withdrawal_paid')).toEqual(['withdrawal_paid'])
    expect(await kinds('nothing at all')).toEqual([])
  })
})

describe('addresses', () => {
  test('are found by name, note, number and prefix, including the team', async () => {
    const { labels, notes } = product.services.members
    const { db } = product
    await labels.set(db, root.memberId, { aboutId: member.memberId, label: 'Cousin', pinned: false })
    await notes.set(db, root.memberId, { address: other.address.toLowerCase(), note: 'Met in Osaka' })
    const cousin = {
      address: getAddress(member.address),
      name: 'Cousin',
      note: null,
      member_id: `${member.memberId}`,
    }
    expect(await addresses('cous', root)).toEqual([cousin])
    expect(await addresses(`${member.memberId}`, root)).toContainEqual(cousin)
    expect(await addresses(member.address.slice(0, 12), root)).toEqual([cousin])
    expect(await addresses('osaka', root)).toEqual([
      {
        address: getAddress(other.address),
        name: null,
        note: 'Met in Osaka',
        member_id: `${other.memberId}`,
      },
    ])
  })

  test('of others are not found: neither their notes nor members outside the team', async () => {
    expect(await addresses('osaka')).toEqual([])
    expect(await addresses(root.address.slice(0, 12))).toEqual([])
    expect(await addresses(`${root.memberId}`)).toEqual([])
  })
})

test('each group has a limit and reports when there are more', async () => {
  const { notes } = product.services.members
  for (let index = 1; index <= SEARCH_SHOWN + 1; index++) {
    await product.grant(member, 'USDT', '3.5')
    const address = `0x${`${index}`.padStart(40, '0')}`
    await notes.set(product.db, member.memberId, { address, note: 'one of many' })
    await product.services.shop.cancel(
      product.db,
      member.memberId,
      BigInt((await product.order(member, 1)).order_id),
    )
  }
  expect(await find(member, '3.5')).toMatchObject({ activity: { more: true } })
  expect((await find(member, '3.5')).activity.items).toHaveLength(SEARCH_SHOWN)
  const { addresses: noted } = await find(member, 'one of many')
  expect([noted.items.length, noted.more]).toEqual([SEARCH_SHOWN, true])
  const { orders: named } = await find(member, 'launch')
  expect([named.items.length, named.more]).toEqual([SEARCH_SHOWN, true])
})

describe('the call', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test('refuses an empty text, a text that is too long and unknown kinds, and accepts any other text', async () => {
    const as = await signIn(server, newWallet())
    const search = (query: string) => call(server, `me/search?${query}`, { as })
    for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(81)}`, 'q=a&kinds=A;drop']) {
      expect(await search(query)).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
    }
    const odd = ["'; drop table orders; --", '%', '_', '\u0000', '0x', '9'.repeat(80), '🎲']
    for (const q of odd) {
      const answer = await search(`q=${encodeURIComponent(q)}`)
      expect([200, 400]).toContain(answer.status)
    }
    expect(await search('q=a')).toMatchObject({
      data: { activity: { items: [], more: false }, orders: { items: [] }, addresses: { items: [] } },
    })
  })
})
