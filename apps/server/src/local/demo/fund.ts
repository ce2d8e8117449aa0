import { createHash } from 'node:crypto'
import { dayOf, parseMicros } from '@rif/rules'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { servicesAt } from './demo-clock.ts'
import { DEPOSITS, type DemoProduct, HISTORY, HOLDINGS, PROCEEDS, PRODUCTS } from './fund-products.ts'
import { proceedsDeposit } from './pay-in.ts'
import { OPERATOR, SECOND_OPERATOR, type Team } from './team.ts'

const DAY_MS = 86_400_000
const WEEKS = 52
/** The holdings that the operator attests for each product, far above those of the demonstration. */
const ASSETS = parseMicros('250000')

/**
 * Opens the fund's products, and has members deposit, buy and redeem over a year of NAVs, with the bills of its months:
 * through the services, on a clock of their own. All of it, once, or nothing. To be made before what members do today.
 */
export async function makeFundHistory(services: Services, team: Team): Promise<void> {
  const { db, adminLog } = services
  const made = logEntry(services, 'fund-history')
  if (await adminLog.has(db, made)) return
  const today = services.now().getTime()
  let clock = today
  const past = servicesAt(services, () => new Date(clock))
  await inDbTx(db, async (dbTx) => {
    const productIds: bigint[] = []
    clock = today - WEEKS * 7 * DAY_MS
    for (const product of PRODUCTS) productIds.push(await open(dbTx, past.fund, product))
    for (let week = 0; week < WEEKS; week++) {
      clock = today - (WEEKS - week) * 7 * DAY_MS
      await past.fund.bills.makeDue(dbTx)
      await past.fund.payouts.payDue(dbTx)
      await publishAll(dbTx, past.fund, { productIds, week })
      for (const event of DEPOSITS.filter((one) => one.week === week)) await deposit(dbTx, past, team, event)
      for (const event of HISTORY.filter((one) => one.week === week))
        await carryOut(dbTx, past.fund, { ...event, productId: productIds[event.product]!, team })
    }
    await adminLog.record(dbTx, { actor: OPERATOR, ...made })
  })
}

/**
 * Runs today's events of the fund: the operator returns the amount that a redemption waited for, units are bought, a NAV is
 * published, a redemption is asked for. All of it, once, or nothing.
 */
export async function makeFund(services: Services, team: Team): Promise<void> {
  const { db, adminLog, attestedRevenue, fund } = services
  const made = logEntry(services, 'fund')
  if (await adminLog.has(db, made)) return
  const yesterday = new Date(services.now().getTime() - DAY_MS)
  await inDbTx(db, async (dbTx) => {
    const productIds = [...(await fund.products.all(dbTx)).keys()]
    const proceeds = { pool: 'fund_proceeds', asset: 'USDT', source: 'Sale of a flat' } as const
    const { attestationId } = await attestedRevenue.prepare(dbTx, {
      ...{
        ...proceeds,
        productId: productIds[PROCEEDS.product]!,
        amountMicros: parseMicros(PROCEEDS.amount),
      },
      ...{ ...proceedsDeposit(), actor: OPERATOR },
    })
    await attestedRevenue.approve(dbTx, { attestationId, actor: SECOND_OPERATOR })
    await fund.payouts.payDue(dbTx)
    // Of yesterday, so that there is something to buy at, and to compare with.
    await publishAll(dbTx, servicesAt(services, () => yesterday).fund, { productIds, week: WEEKS - 0.5 })
    for (const { member, product, units } of HOLDINGS) {
      const wanted = { productId: productIds[product]!, units, payWith: 'available' } as const
      await fund.orders.buy(dbTx, team.get(member)!, wanted)
    }
    await publishAll(dbTx, fund, { productIds, week: WEEKS })
    await fund.redemptions.request(dbTx, team.get('Finn')!.memberId, productIds[0]!, 5n)
    await adminLog.record(dbTx, { actor: OPERATOR, ...made })
  })
}

function logEntry({ chain }: Services, what: string): { action: string; subject: string } {
  return { action: `demonstration.${what}`, subject: `bank/${chain.contracts.bank}` }
}

/** A test deposit, so that somebody had something to buy with. */
async function deposit(
  dbTx: Db,
  { ledger, now }: Services,
  team: Team,
  { member, amount }: (typeof DEPOSITS)[number],
): Promise<void> {
  const at = now()
  const { memberId } = team.get(member)!
  await ledger.post(dbTx, {
    key: `demonstration/fund-deposit/${memberId}`,
    kind: 'grant',
    cause: { type: 'demonstration', id: 'fund-deposit' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [
      {
        ...{ memberId, asset: 'USDT', source: 'external', destination: 'available' },
        amountMicros: parseMicros(amount),
      },
    ],
  })
}

/** Buys, or redeems and has two admins approve it. */
async function carryOut(
  dbTx: Db,
  { orders, redemptions, review }: Services['fund'],
  event: (typeof HISTORY)[number] & { productId: bigint; team: Team },
): Promise<void> {
  const { productId, units } = event
  const member = event.team.get(event.member)!
  if (event.do === 'buy') {
    await orders.buy(dbTx, member, { productId, units, payWith: 'available' })
    return
  }
  const { memberId } = member
  const { redemption_id } = await redemptions.request(dbTx, memberId, productId, units)
  const subject = { memberId, redemptionId: BigInt(redemption_id) }
  await review.review(dbTx, { ...subject, approve: true, reason: 'Looked at', actor: OPERATOR })
  await review.confirm(dbTx, { ...subject, actor: SECOND_OPERATOR })
}

async function open(dbTx: Db, fund: Services['fund'], product: DemoProduct): Promise<bigint> {
  const { navOf: _, ...draft } = product
  const text = `${product.name}\n\n${product.introduction.en}\n\nThis product belongs to a demonstration. There are no such assets.\n`
  const document = { title: 'About this product.txt', mediaType: 'text/plain; charset=utf-8' }
  const documents = [{ ...document, content: Buffer.from(text) }]
  const { productId } = await fund.products.prepare(dbTx, { ...draft, documents, actor: OPERATOR })
  await fund.products.approve(dbTx, { productId, actor: SECOND_OPERATOR })
  return productId
}

/** Publishes each product's NAV of a week. */
async function publishAll(
  dbTx: Db,
  fund: Services['fund'],
  { productIds, week }: { productIds: readonly bigint[]; week: number },
): Promise<void> {
  for (const [index, { navOf }] of PRODUCTS.entries()) {
    const nav = { productId: productIds[index]!, navMicros: navOf(week) }
    const documentHash = digest(`${nav.productId} ${nav.navMicros}`)
    const draft = { ...nav, assetsMicros: ASSETS, documentHash, actor: OPERATOR }
    const { navId } = await fund.navs.prepare(dbTx, draft)
    await fund.navs.approve(dbTx, { navId, actor: SECOND_OPERATOR })
  }
}

function digest(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}
