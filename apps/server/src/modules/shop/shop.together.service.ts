import { dayOf, type Plan } from '@rif/rules'
import type { EventHandler } from '../../chain/indexer/events.ts'
import { unpackFundOrderId } from '../../chain/onchain-id.ts'
import type { Db } from '../../db/database.ts'
import type { TogetherKind } from '../checkout/checkout.together.service.ts'
import { OPERATOR_MEMBER_ID } from '../ledger/ledger.accounts.ts'
import type { JournalEntry } from '../ledger/ledger.service.ts'
import type { BatchWork, CommissionLine, CommissionLines } from '../rewards/rewards.service.ts'
import { commissionsKey, idsOf, type Payment, paymentEntry, paymentKey } from './shop.collection.ts'
import { rifKey, rifSettlement } from './shop.orders.service.ts'
import type { PaymentDeps } from './shop.payments.service.ts'
import type { OrderRow } from './shop.repository.ts'
import * as repository from './shop.repository.ts'
import { matchPayment, type Quote } from './shop.view.ts'

/** A payment that pays its order, which is collected with others. */
interface Due {
  readonly event: Payment
  readonly order: OrderRow
  readonly quote: Quote
  readonly line: CommissionLine
}

/**
 * Creates the collection of many package payments in one transaction, with few statements for any number of
 * payments. The effect equals `payments.onFinal` for each in turn, at one time. A payment that pays no order
 * is left to `payments`.
 */
export function createPaymentsTogether(deps: PaymentDeps, payments: EventHandler<'OrderPaid'>): TogetherKind {
  const { now, placement, plans, rewards, decimals } = deps

  return {
    takes: (event) =>
      event.name === 'OrderPaid' && unpackFundOrderId((event as Payment).args.orderId) === null,

    async begin(dbTx, events) {
      await placement.lockVolumes(dbTx)
      // Read after the lock, so that a settlement that takes the lock after midnight sees the whole previous
      // day.
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const known = await ordersOf(dbTx, events as Payment[])
      const lines = await rewards.commissionLines(
        dbTx,
        [...known.values()].map(({ member_id }) => member_id),
        plan,
      )
      const memberIds = new Set<bigint>()
      const expected = lines.afresh()
      for (const event of events as Payment[]) {
        const ids = idsOf(event)
        memberIds.add(ids?.memberId ?? OPERATOR_MEMBER_ID)
        const order = known.get(keyOf(event))
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

  async function apply(
    dbTx: Db,
    events: readonly Payment[],
    begun: { at: Date; plan: Plan; lines: CommissionLines; locked: ReadonlySet<bigint> },
  ): Promise<void> {
    const { at, plan, lines, locked } = begun
    const orders = await ordersOf(dbTx, events)
    let dues: Due[] = []
    const collectAll = async () => {
      if (dues.length > 0) await collect(deps, dbTx, dues, { at, plan })
      dues = []
    }
    for (const event of events) {
      const order = orders.get(keyOf(event))
      if (order?.status === 'Paid' && order.tx_hash === event.txHash) continue
      const quote = order === undefined ? 'unknown_order' : matchPayment(order, event.args, decimals)
      if (order === undefined || typeof quote === 'string') {
        await collectAll()
        await payments.onFinal(dbTx, event)
        continue
      }
      const line = await lines.of(dbTx, order.member_id)
      // An order changed before its member's head was locked, so levels rise differently than expected.
      if (!line.receiverIds.every((memberId) => locked.has(memberId)))
        throw new Error('a receiver of commissions is not locked')
      dues.push({ event, order, quote, line })
      lines.raise(order.member_id, order.level)
      orders.set(keyOf(event), { ...order, status: 'Paid', tx_hash: event.txHash })
    }
    await collectAll()
  }
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
  { ledger, members, rewards }: PaymentDeps,
  dbTx: Db,
  dues: readonly Due[],
  { at, plan }: { at: Date; plan: Plan },
): Promise<void> {
  const keys = await ledger.nextKeys(
    dbTx,
    dues.flatMap(({ order }) =>
      [paymentKey(order.order_id), rifKey(order)].map((key) => ({ memberId: order.member_id, key })),
    ),
  )
  const held = { ...(await ledger.poolBalances(dbTx, 'commission_pool')) }
  const entries: JournalEntry[] = []
  const works: BatchWork[] = []
  const add = (entry: JournalEntry) => {
    entries.push(entry)
    for (const { asset, source, destination, amountMicros } of entry.lines) {
      if (destination === 'commission_pool') held[asset as keyof typeof held] += amountMicros
      if (source === 'commission_pool') held[asset as keyof typeof held] -= amountMicros
    }
  }
  for (const [place, { order, quote, line }] of dues.entries()) {
    const [step, rif] = [keys[2 * place]!, keys[2 * place + 1]!]
    add(paymentEntry({ order, quote, plan, at, step }))
    const settled = rifSettlement(order, quote.rifMicros > 0n ? 'spend' : 'release', at)
    if (settled !== null) add(settled(rif))
    const work = rewards.workOutCommissions(
      {
        ...{ batch: commissionsKey(step), buyerId: order.member_id, orderId: order.order_id },
        ...{ baseMicros: quote.dueMicros, amcPriceMicros: order.amc_price_micros },
        ...{ line: line.members, plan, at },
      },
      held,
    )
    if (work === null) continue
    works.push(work)
    if (work.entry !== null) add(work.entry)
  }
  await ledger.postEach(dbTx, entries)
  await markPaid(dbTx, dues, at)
  await countSales(dbTx, dues, at)
  const purchases = dues.map(({ order, quote }) => ({
    ...{ memberId: order.member_id, packageLevel: order.level, baseMicros: quote.dueMicros },
  }))
  await members.recordPurchases(dbTx, purchases, at)
  await rewards.recordCommissions(dbTx, works)
  const copies = new Map<number, number>()
  for (const { order } of dues.filter((due) => due.order.seen_block === null))
    copies.set(order.package_id, (copies.get(order.package_id) ?? 0) + 1)
  await repository.addCopies(dbTx, copies)
}

async function markPaid(dbTx: Db, dues: readonly Due[], at: Date): Promise<void> {
  const places = await repository.nextPaidSequences(dbTx, dues.length)
  await repository.markPaid(
    dbTx,
    dues.map(({ event, order, quote }, index) => ({
      ...{ member_id: order.member_id, order_id: order.order_id, tx_hash: event.txHash },
      ...{ seen_block: event.blockNumber, paid_at: event.blockAt, collected_at: at },
      ...{ paid_sequence: places[index]!, use_hash_rate: quote.rifMicros > 0n },
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
