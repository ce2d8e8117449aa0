import { dayOf, type Plan } from '@rif/rules'
import type { EventSteps } from '../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../chain/onchain-id.ts'
import type { Db } from '../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../lib/caller.ts'
import type { Now } from '../../lib/clock.ts'
import type { BatchKind } from '../books/final-batch.service.ts'
import type { JournalEntry, LedgerService } from '../books/ledger/ledger.service.ts'
import type { Reversals } from '../books/reversals/reversals.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlacementService } from '../members/placement/placement.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type {
  BatchWork,
  CommissionLine,
  CommissionLines,
  RewardsService,
} from '../rewards/rewards.service.ts'
import type { Checkout, Mismatch } from './checkout/checkout.service.ts'
import { commissionsKey, idsOf, type Payment, paymentEntry, paymentKey } from './collection.ts'
import { rifKey, rifSettlement, type ShopOrders } from './shop.orders.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { chosenQuote, type Decimals, matchPayment, type Quote } from './view.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly placement: PlacementService
  readonly plans: PlansService
  readonly rewards: RewardsService
  readonly orders: ShopOrders
  readonly checkout: Checkout
  readonly reversals: Reversals
  readonly decimals: Decimals
}

/** A payment that pays its order. */
interface Due {
  readonly event: Payment
  readonly order: OrderRow
  readonly quote: Quote
  readonly line: CommissionLine
}

/** The moment of a batch of payments, the plan of its day, and what was read and locked for it. */
interface Moment {
  readonly at: Date
  readonly plan: Plan
  readonly lines: CommissionLines
  readonly locked: ReadonlySet<bigint>
}

/**
 * Creates the steps of payments on chain (rules, section 4). A seen payment makes its order Processing; one
 * that the chain drops makes it UnPaid again; final ones are collected: money, RIF, level, volume and
 * commissions in one transaction, with few statements for any number of payments. A final payment also pays an order
 * that was cancelled after its quote was signed. A payment that matches no order goes to `suspense`. Handling an event
 * twice changes nothing.
 */
export function createShopPayments(deps: Deps): {
  payments: EventSteps<'OrderPaid'>
  finalPayments: BatchKind
} {
  const { now, ledger, placement, plans, rewards, orders, checkout, decimals } = deps

  const finalPayments: BatchKind = {
    takes: (event) =>
      event.name === 'OrderPaid' && unpackFundOrderId((event as Payment).args.orderId) === null,

    async begin(dbTx, events) {
      await placement.lockVolumes(dbTx)
      // Read after the lock, so that a settlement that takes the lock after midnight sees the whole previous
      // day.
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const orders = await ordersOf(dbTx, events as Payment[])
      const lines = await rewards.commissionLines(
        dbTx,
        [...orders.values()].map(({ member_id }) => member_id),
        plan,
      )
      const memberIds = new Set<bigint>()
      const expected = lines.afresh()
      for (const event of events as Payment[]) {
        // This system never issued an order with an id that names no member.
        memberIds.add(idsOf(event)?.memberId ?? OPERATOR_MEMBER_ID)
        const order = orders.get(keyOf(event))
        if (order === undefined) continue
        for (const receiverId of (await expected.of(dbTx, order.member_id)).receiverIds)
          memberIds.add(receiverId)
        if (typeof matchPayment(order, event.args, decimals) !== 'string')
          expected.raise(order.member_id, order.level)
      }
      return {
        pools: ['commission_pool', 'suspense'],
        memberIds: [...memberIds],
        apply: (run) => apply(dbTx, run as Payment[], { at, plan, lines, locked: memberIds }),
      }
    },
  }

  async function apply(dbTx: Db, events: readonly Payment[], moment: Moment): Promise<void> {
    const { at, lines, locked } = moment
    const current = await ordersOf(dbTx, events)
    let dues: Due[] = []
    const collectAll = async () => {
      if (dues.length > 0) await collect(deps, dbTx, dues, moment)
      dues = []
    }
    for (const event of events) {
      const order = current.get(keyOf(event))
      if (order?.status === 'Paid' && order.tx_hash === event.txHash) continue
      const quote = order === undefined ? 'unknown_order' : matchPayment(order, event.args, decimals)
      if (order === undefined || typeof quote === 'string') {
        await collectAll()
        await suspend(dbTx, event, { order, reason: quote as Mismatch | 'unknown_order', at })
        continue
      }
      const line = await lines.of(dbTx, order.member_id)
      // An order changed before its member's head was locked, so levels rise differently than expected.
      if (!line.receiverIds.every((memberId) => locked.has(memberId)))
        throw new Error('a receiver of commissions is not locked')
      dues.push({ event, order, quote, line })
      lines.raise(order.member_id, order.level)
      current.set(keyOf(event), { ...order, status: 'Paid', tx_hash: event.txHash })
    }
    await collectAll()
  }

  /** Puts a payment that pays no order into `suspense`. */
  async function suspend(
    dbTx: Db,
    event: Payment,
    { order, reason, at }: { order: OrderRow | undefined; reason: Mismatch | 'unknown_order'; at: Date },
  ): Promise<void> {
    const memberId = idsOf(event)?.memberId ?? OPERATOR_MEMBER_ID
    await checkout.suspend(dbTx, event, { at, memberId, reason })
    if (order !== undefined) await repository.updateOrder(dbTx, order, { unmatched_tx_hash: event.txHash })
  }

  const payments: EventSteps<'OrderPaid'> = {
    ...orders.follow(idsOf, (order, { args }) => typeof matchPayment(order, args, decimals) !== 'string'),

    async onUndone(dbTx, event) {
      const ids = idsOf(event)
      await placement.lockVolumes(dbTx)
      const paid = ids && (await repository.findOrder(dbTx, ids.memberId, ids.id))
      if (paid?.status === 'Paid' && paid.tx_hash === event.txHash) await undoPaid(deps, dbTx, paid)
      else return (await checkout.unsuspend(dbTx, event)) ?? notBooked(event)
      return 'undone'
    },

    async onMoved(dbTx, from, to) {
      const ids = idsOf(to)
      if (ids === null) return false
      await ledger.lock(dbTx, { memberIds: [ids.memberId] })
      const order = await repository.findOrder(dbTx, ids.memberId, ids.id)
      if (order?.status !== 'Paid' || order.tx_hash !== from.txHash) return false
      const place = { tx_hash: to.txHash, seen_block: to.blockNumber, paid_at: to.blockAt }
      await repository.updateOrder(dbTx, order, place)
      return true
    },
  }
  return { payments, finalPayments }
}

function notBooked({ txHash }: Payment): never {
  throw new Error(`nothing is booked for the payment ${txHash}`)
}

/**
 * Reverses the collection of an order, newest step first: commissions, RIF, payment, level, volume and
 * figures. The order becomes UnPaid again, or Cancelled if it was paid after that. Results that settled days computed from it remain, because their
 * pools paid for them. The caller holds the lock of volumes.
 */
async function undoPaid(deps: Deps, dbTx: Db, unlockedOrder: OrderRow): Promise<void> {
  const { ledger, members, rewards, reversals } = deps
  const { member_id: memberId, order_id: orderId } = unlockedOrder
  const payment = (await ledger.steps.standingKey(dbTx, memberId, paymentKey(orderId)))!
  const batch = commissionsKey(payment)
  const receivers = await rewards.receiversOf(dbTx, batch)
  await ledger.lock(dbTx, {
    pools: ['commission_pool'],
    memberIds: [OPERATOR_MEMBER_ID, memberId, ...receivers],
  })
  const order = (await repository.findOrder(dbTx, memberId, orderId))!
  const rif = await ledger.steps.standingKey(dbTx, memberId, `order/${orderId}/rif`)
  await reversals.undo(dbTx, {
    keys: [batch, ...(rif === undefined ? [] : [rif]), payment],
    memberIds: [...new Set([memberId, ...receivers])],
    cause: { type: 'order', id: `${orderId}` },
    released: await rewards.releasedOf(dbTx, batch),
  })
  await rewards.undoBatch(dbTx, batch)
  const quote = chosenQuote(order)
  const at = order.collected_at!
  await repository.updateOrder(dbTx, order, {
    status: order.cancelled_at === null ? 'UnPaid' : 'Cancelled',
    holds_rif: rif !== undefined,
    paid_at: null,
    collected_at: null,
    paid_sequence: null,
    tx_hash: null,
    reported_at: null,
    seen_block: null,
  })
  await repository.countSale(dbTx, order.package_id, at, {
    orders: -1,
    baseMicros: -quote.dueMicros,
    usdtMicros: -quote.usdtMicros,
    amcMicros: -quote.amcMicros,
    rifMicros: -quote.rifMicros,
  })
  const left = await repository.paidSummary(dbTx, memberId)
  await rewards.lowerStanding(dbTx, memberId, left.level)
  await repository.addCopies(dbTx, new Map([[order.package_id, -1]]))
  await members.undoPurchase(dbTx, { memberId, baseMicros: quote.dueMicros, at, left })
}

/** The key of an order in a map. */
const keyOf = (event: Payment): string => {
  const ids = idsOf(event)
  return `${ids?.memberId}/${ids?.id}`
}

async function ordersOf(dbTx: Db, events: readonly Payment[]): Promise<Map<string, OrderRow>> {
  const rows = await repository.findOrders(
    dbTx,
    events.flatMap((event) => idsOf(event) ?? []),
  )
  return new Map(rows.map((row) => [`${row.member_id}/${row.order_id}`, row]))
}

/**
 * Posts matched payments, marks their orders paid, raises the buyers' levels and pays commissions; all locks
 * are held.
 */
async function collect(
  { ledger, members, rewards }: Deps,
  dbTx: Db,
  dues: readonly Due[],
  { at, plan }: Moment,
): Promise<void> {
  const keys = await ledger.steps.nextKeys(
    dbTx,
    dues.flatMap(({ order }) =>
      [paymentKey(order.order_id), rifKey(order)].map((key) => ({ memberId: order.member_id, key })),
    ),
  )
  const poolBalance = { ...(await ledger.pools.balances(dbTx, 'commission_pool')) }
  const entries: JournalEntry[] = []
  const works: BatchWork[] = []
  const add = (entry: JournalEntry) => {
    entries.push(entry)
    for (const { asset, source, destination, amountMicros } of entry.lines) {
      if (destination === 'commission_pool') poolBalance[asset as keyof typeof poolBalance] += amountMicros
      if (source === 'commission_pool') poolBalance[asset as keyof typeof poolBalance] -= amountMicros
    }
  }
  for (const [place, { order, quote, line }] of dues.entries()) {
    const [step, rif] = [keys[2 * place]!, keys[2 * place + 1]!]
    add(paymentEntry({ order, quote, plan, at, step }))
    const settled = rifSettlement(order, quote.rifMicros > 0n ? 'spend' : 'release', at)
    if (settled !== null) add(settled(rif))
    const work = rewards.workOutCommissions(
      {
        batch: commissionsKey(step),
        buyerId: order.member_id,
        orderId: order.order_id,
        baseMicros: quote.dueMicros,
        amcPriceMicros: order.amc_price_micros,
        line: line.members,
        plan,
        at,
      },
      poolBalance,
    )
    if (work === null) continue
    works.push(work)
    if (work.entry !== null) add(work.entry)
  }
  await ledger.postAll(dbTx, entries)
  await markPaid(dbTx, dues, at)
  await countSales(dbTx, dues, at)
  await rewards.recordCommissions(dbTx, works)
  const copies = new Map<number, number>()
  for (const { order } of dues.filter((due) => due.order.seen_block === null))
    copies.set(order.package_id, (copies.get(order.package_id) ?? 0) + 1)
  await repository.addCopies(dbTx, copies)
  const purchases = dues.map(({ order, quote }) => ({
    memberId: order.member_id,
    packageLevel: order.level,
    baseMicros: quote.dueMicros,
  }))
  await members.recordPurchases(dbTx, purchases, at)
}

async function markPaid(dbTx: Db, dues: readonly Due[], at: Date): Promise<void> {
  const places = await repository.nextPaidSequences(dbTx, dues.length)
  await repository.markPaid(
    dbTx,
    dues.map(({ event, order, quote }, index) => ({
      member_id: order.member_id,
      order_id: order.order_id,
      tx_hash: event.txHash,
      seen_block: event.blockNumber,
      paid_at: event.blockAt,
      collected_at: at,
      paid_sequence: places[index]!,
      use_hash_rate: quote.rifMicros > 0n,
    })),
  )
}

async function countSales(dbTx: Db, dues: readonly Due[], at: Date): Promise<void> {
  for (const packageId of new Set(dues.map(({ order }) => order.package_id))) {
    const sold = dues.filter(({ order }) => order.package_id === packageId)
    const sum = (amount: (quote: Quote) => bigint) =>
      sold.reduce((total, { quote }) => total + amount(quote), 0n)
    await repository.countSale(dbTx, packageId, at, {
      orders: sold.length,
      baseMicros: sum((quote) => quote.dueMicros),
      usdtMicros: sum((quote) => quote.usdtMicros),
      amcMicros: sum((quote) => quote.amcMicros),
      rifMicros: sum((quote) => quote.rifMicros),
    })
  }
}
