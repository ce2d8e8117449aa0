import { parseMicros } from '@rif/rules'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collectChanges } from '../../../db/changes.ts'
import { inTx } from '../../../db/database.ts'
import { fundActions } from '../../../testing/fund-actions.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'

let product: TestProduct
let ann: TestMember
let ben: TestMember
let heard: string[] = []

beforeAll(async () => {
  product = await startTestProduct()
  const root = await product.join(null)
  ;[ann, ben] = [await product.join(root), await product.join(root)]
  await product.publishPrice('AMC', '0.5')
  await product.grant(ann, 'USDT', '1000')
  await product.finalise()
  collectChanges(product.db, (notes) => heard.push(...notes))
})
afterAll(() => product.stop())

/** Returns the notes made during some work, each once, as `<who> <kind>`. */
async function notesOf(act: () => Promise<unknown>): Promise<string[]> {
  heard = []
  await act()
  const who = { [`${ann.memberId}`]: 'ann', [`${ben.memberId}`]: 'ben' }
  const named = heard.map((note) => note.replace(/^\S+/, (of) => who[of] ?? who[walletOwner(of)] ?? of))
  return [...new Set(named)].sort()
}
const walletOwner = (of: string) => {
  const owner = [ann, ben].find(({ wallet }) => wallet.toLowerCase() === of)
  return `${owner?.memberId ?? ''}`
}

it('an order is noted when it is created, cancelled, paid, and final', async () => {
  let id = ''
  const make = async () => {
    id = (await product.order(ann, 1)).order_id
  }
  expect(await notesOf(make)).toEqual(['ann order'])
  expect(await notesOf(() => product.cancelOrder(ann, id))).toEqual(['ann order'])
  await make()
  await product.pay(ann, id)
  expect(await notesOf(() => product.indexer.runOnce())).toEqual(['* final', 'ann order', 'ann send'])
  // Final events of several members are applied together.
  await product.pay(ben, (await product.order(ben, 1)).order_id)
  const paid = ['ann balance', 'ann order', 'ann send', 'ben balance', 'ben order', 'ben send']
  expect(await notesOf(() => product.finalise())).toEqual(expect.arrayContaining(['* final', ...paid]))
})

it('a transfer is noted for both sides, and for operators while it is held', async () => {
  const transferNotes = await notesOf(() => product.transfer(ann, ben, 'USDT', '101'))
  expect(transferNotes).toEqual(['ann balance', 'ann transfer', 'operators queue'])
  const { db, services } = product
  const [row] = (await services.transfers.list(db, ann.memberId, { limit: 1 })).items
  const decided = () =>
    inTx(db, (dbTx) =>
      services.transferReview.decide(dbTx, {
        memberId: ann.memberId,
        transferId: BigInt(row!.transfer_id),
        approve: true,
        actor: 'anna',
        reason: 'known',
      }),
    )
  const both = ['ann balance', 'ann transfer', 'ben balance', 'ben transfer']
  expect(await notesOf(decided)).toEqual(expect.arrayContaining(both))
  expect(await notesOf(() => product.transfer(ann, ben, 'USDT', '1'))).toEqual(both)
})

it('a withdrawal is noted when it is requested, cancelled, claimed, and final', async () => {
  let id = ''
  const ask = async () => {
    id = (await product.withdraw(ann, 'USDT', '20')).withdraw_id
  }
  const requestNotes = ['ann balance', 'ann withdrawal', 'operators queue']
  expect(await notesOf(ask)).toEqual(expect.arrayContaining(requestNotes))
  expect(await notesOf(() => product.cancelWithdrawal(ann, id))).toEqual(expect.arrayContaining(requestNotes))
  await ask()
  await product.claim(ann, id)
  const claimed = ['ann send', 'ann withdrawal']
  expect(await notesOf(() => product.indexer.runOnce())).toEqual(expect.arrayContaining(claimed))
  const settled = ['ann balance', ...claimed]
  expect(await notesOf(() => product.finalise())).toEqual(expect.arrayContaining(settled))
})

it('savings and fund units are noted: deposits, holdings and withdrawals', async () => {
  const { db, services } = product
  const saved = () =>
    inTx(db, (dbTx) =>
      services.savings.transferIn(dbTx, ann.memberId, { asset: 'USDT', amountMicros: parseMicros('5') }),
    )
  expect(await notesOf(saved)).toEqual(['ann balance'])
  const fund = fundActions(product)
  const productId = await fund.open('One', '10')
  expect(await notesOf(() => fund.buy(ann, productId, 1n, 'wallet'))).toEqual(['ann order'])
  const bought = await notesOf(() => fund.buy(ann, productId, 2n))
  expect(bought).toEqual(['ann balance', 'ann order'])
  const redeemed = await notesOf(() => fund.redeem(ann, productId, 1n))
  expect(redeemed).toEqual(['ann order', 'operators queue'])
})
