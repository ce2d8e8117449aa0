import type { Order } from '@rif/api-schema'
import type { RawTx } from '../../chain/raw-tx.ts'
import { inTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import type { Buyer } from '../../modules/shop/shop.ordering.service.ts'
import type { Services } from '../../services.ts'
import type { DemoPurchase } from './cast.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import type { DemoTeam } from './team.ts'

/**
 * Places orders, pays them on chain and reports them, together in one block and in the given order. Skips
 * completed steps. Call it when the modules have processed everything on the chain.
 */
export async function payTogether(
  services: Services,
  chain: DemoChain,
  team: DemoTeam,
  purchases: readonly DemoPurchase[],
): Promise<void> {
  const txs: DemoTx[] = []
  const payments: { memberId: bigint; orderId: bigint; index: number }[] = []
  for (const purchase of purchases) {
    const { memberId, address, wallet } = team.get(purchase.buyer)!
    const order = await payableOrder(services, { memberId, address }, purchase)
    if (order.status !== 'UnPaid') continue
    const orderId = BigInt(order.order_id)
    for (const tx of await paymentTxs(services, memberId, orderId)) txs.push({ from: wallet, tx })
    payments.push({ memberId, orderId, index: txs.length - 1 })
  }
  const hashes = await chain.mineTogether(txs)
  for (const { memberId, orderId, index } of payments) {
    await inTx(services.db, (dbTx) => services.shop.reportPayment(dbTx, memberId, orderId, hashes[index]!))
  }
}

/** Places an order and leaves it unpaid. */
export async function leaveUnpaid(services: Services, team: DemoTeam, purchase: DemoPurchase): Promise<void> {
  await payableOrder(services, team.get(purchase.buyer)!, purchase)
}

/** Places an order that its member cancels. */
export async function cancelPurchase(
  services: Services,
  team: DemoTeam,
  purchase: DemoPurchase,
): Promise<void> {
  const buyer = team.get(purchase.buyer)!
  const order = await place(services, buyer, purchase, 1)
  if (order.status === 'UnPaid') await cancel(services, buyer, order)
}

/**
 * Returns the order of a purchase, and places it when there is none. It may be paid, in payment, or unpaid.
 * An order whose quote expired while the demonstration was interrupted is replaced.
 */
async function payableOrder(services: Services, buyer: Buyer, purchase: DemoPurchase): Promise<Order> {
  for (let attempt = 1; ; attempt++) {
    const order = await place(services, buyer, purchase, attempt)
    const isOver = order.status === 'UnPaid' && new Date(order.expires_at) <= services.now()
    if (isOver) await cancel(services, buyer, order)
    else if (order.status !== 'Cancelled') return order
  }
}

/** Places an order once per attempt, as a client does with its Idempotency-Key. */
async function place(
  { db, now, shop }: Services,
  buyer: Buyer,
  { level, useHashRate = false, copy }: DemoPurchase,
  attempt: number,
): Promise<Order> {
  const { memberId } = buyer
  const request = { productId: BigInt(level), useHashRate }
  const which = copy === undefined ? `${level}` : `${level}-${copy}`
  const key = `demonstration/package/${which}/${attempt}`
  const input = { level, useHashRate }
  const placed = await inTx(db, (dbTx) =>
    idempotent(dbTx, { memberId, key, operation: 'createOrder', input }, now(), () =>
      shop.create(dbTx, buyer, request),
    ),
  )
  return shop.get(db, memberId, BigInt(placed.order_id))
}

async function cancel({ db, shop }: Services, { memberId }: Buyer, order: Order): Promise<void> {
  await inTx(db, (dbTx) => shop.cancel(dbTx, memberId, BigInt(order.order_id)))
}

/** Returns the transactions of both approvals and, last, of the payment. */
async function paymentTxs({ db, shop }: Services, memberId: bigint, orderId: bigint): Promise<RawTx[]> {
  const request = { memberId, orderId, useHashRate: undefined }
  const txs: RawTx[] = []
  for (const token of ['amc', 'usdt'] as const) {
    const { before, tx } = await shop.approval(db, token, request)
    txs.push(...before, ...(tx === null ? [] : [tx]))
  }
  return [...txs, (await shop.payment(db, request)).tx]
}
