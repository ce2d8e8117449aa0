import { dayOf, parseMicros } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import type { ValuationDraft } from '../../modules/fund/fund.service.ts'
import type { Services } from '../../services.ts'
import { servicesAt } from './demo-clock.ts'
import {
  type DemoProduct,
  FUND_DEPOSITS,
  HISTORY,
  HOLDINGS,
  INVESTMENTS,
  PROCEEDS,
  PRODUCTS,
} from './fund-products.ts'
import { proceedsDeposit } from './pay-in.ts'
import { type DemoTeam, OPERATOR, SECOND_OPERATOR } from './team.ts'

const DAY_MS = 86_400_000
const WEEKS = 52

/**
 * Opens the fund's products, and lets members deposit, buy and redeem over a year of valuations, with its
 * monthly bills: through the services, with a separate clock. Does everything once, or nothing. Call it
 * before the members' actions of today.
 */
export async function makeFundHistory(services: Services, team: DemoTeam): Promise<void> {
  const { db, adminLog } = services
  const made = logEntry(services, 'fund-history')
  if (await adminLog.has(db, made)) return
  const today = services.now().getTime()
  let clock = today
  const past = servicesAt(services, () => new Date(clock))
  await inTx(db, async (dbTx) => {
    const productIds: bigint[] = []
    clock = today - WEEKS * 7 * DAY_MS
    for (const product of PRODUCTS) productIds.push(await openProduct(dbTx, past.fund, product))
    for (let week = 0; week < WEEKS; week++) {
      clock = today - (WEEKS - week) * 7 * DAY_MS
      await past.fund.bills.makeDue(dbTx)
      await valueAll(dbTx, past.fund, { productIds, from: week - 1, to: week })
      await past.fund.payouts.payDue(dbTx)
      for (const event of FUND_DEPOSITS.filter((item) => item.week === week))
        await deposit(dbTx, past, team, event)
      for (const event of HISTORY.filter((item) => item.week === week))
        await carryOut(dbTx, past.fund, { ...event, productId: productIds[event.product]!, team })
      for (const { product, amount } of INVESTMENTS.filter((item) => item.week === week))
        await invest(dbTx, past.fund, { productId: productIds[product]!, amount })
    }
    await adminLog.record(dbTx, { actor: OPERATOR, ...made })
  })
}

/**
 * Runs today's events of the fund: a divestment brings the cash that a redemption waited for, units are
 * bought, the investments are valued, and a redemption is requested. Does everything once, or nothing.
 */
export async function makeFund(
  services: Services,
  team: DemoTeam,
  { hasHistory }: { hasHistory: boolean },
): Promise<void> {
  const { db, adminLog, fund } = services
  const made = logEntry(services, 'fund')
  if (await adminLog.has(db, made)) return
  const yesterday = new Date(services.now().getTime() - DAY_MS)
  await inTx(db, async (dbTx) => {
    const productIds = [...(await fund.products.all(dbTx)).keys()]
    if (!hasHistory) {
      // Of yesterday, to allow a comparison.
      const past = servicesAt(services, () => yesterday).fund
      await valueAll(dbTx, past, { productIds, from: WEEKS - 1, to: WEEKS - 0.5 })
      await divest(dbTx, fund, productIds[PROCEEDS.product]!)
    }
    await fund.payouts.payDue(dbTx)
    for (const { member, product, units } of HOLDINGS) {
      const wanted = { productId: productIds[product]!, units, payWith: 'available' } as const
      await fund.orders.buy(dbTx, team.get(member)!, wanted)
    }
    await valueAll(dbTx, fund, { productIds, from: WEEKS - 0.5, to: WEEKS })
    await fund.redemptions.request(dbTx, team.get('Finn')!.memberId, productIds[0]!, 5n)
    await adminLog.record(dbTx, { actor: OPERATOR, ...made })
  })
}

function logEntry({ chain }: Services, what: string): { action: string; subject: string } {
  return { action: `demonstration.${what}`, subject: `bank/${chain.contracts.bank}` }
}

/** Books a test deposit, which pays for later purchases. */
async function deposit(
  dbTx: Db,
  { ledger, now }: Services,
  team: DemoTeam,
  { member, amount }: (typeof FUND_DEPOSITS)[number],
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
        memberId,
        asset: 'USDT',
        source: 'external',
        destination: 'available',
        amountMicros: parseMicros(amount),
      },
    ],
  })
}

/** Buys units, or redeems units with the approval of two admins. */
export async function carryOut(
  dbTx: Db,
  { orders, redemptions, review }: Services['fund'],
  event: { do: 'buy' | 'redeem'; member: string; units: bigint; productId: bigint; team: DemoTeam },
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

export async function openProduct(dbTx: Db, fund: Services['fund'], product: DemoProduct): Promise<bigint> {
  const { courseOf: _, ...draft } = product
  const text = `${product.name}\n\n${product.introduction.en}\n\nThis product belongs to a demonstration. There are no such assets.\n`
  const document = { title: 'About this product.txt', mediaType: 'text/plain; charset=utf-8' }
  const documents = [{ ...document, content: Buffer.from(text) }]
  const { productId } = await fund.products.prepare(dbTx, {
    ...draft,
    documents,
    actor: OPERATOR,
    // The team buys a large amount at once.
    limits: { maxMemberUnits: null, maxUnits: null, soldPpm: null },
  })
  await fund.products.approve(dbTx, { productId, actor: SECOND_OPERATOR })
  return productId
}

/** Invests cash of a product. */
async function invest(
  dbTx: Db,
  { investments }: Services['fund'],
  { productId, amount }: { productId: bigint; amount: string },
): Promise<void> {
  const amountMicros = parseMicros(amount)
  const { investment_id: investmentId } = await investments.setAside(dbTx, {
    productId,
    amountMicros,
    destination: 'Custodian of the demonstration',
    evidence: evidence(`Placement of ${amount} USDT`),
    preparedBy: OPERATOR,
    approvedBy: SECOND_OPERATOR,
  })
  await investments.invest(dbTx, { investmentId })
}

/** Values the investments of each product according to their change between two weeks. */
async function valueAll(
  dbTx: Db,
  fund: Services['fund'],
  { productIds, from, to }: { productIds: readonly bigint[]; from: number; to: number },
): Promise<void> {
  for (const [index, { courseOf }] of PRODUCTS.entries()) {
    const productId = productIds[index]!
    const { is_invested, invested_micros } = await fund.products.get(dbTx, productId)
    if (!is_invested) continue
    const valueMicros = (invested_micros * courseOf(to)) / courseOf(from)
    await decideValuation(dbTx, fund, {
      productId,
      valueMicros,
      evidence: evidence(`Statement of week ${to}`),
    })
  }
}

/** Returns cash through the deposit that was paid into the bank. */
async function divest(dbTx: Db, fund: Services['fund'], productId: bigint): Promise<void> {
  const { invested_micros } = await fund.products.get(dbTx, productId)
  const amountMicros = parseMicros(PROCEEDS.amount)
  await decideValuation(dbTx, fund, {
    productId,
    amountMicros,
    valueMicros: invested_micros - amountMicros,
    evidence: evidence('Sale of a flat'),
    depositId: `${proceedsDeposit().depositId}`,
  })
}

/** Lets two admins propose and approve a valuation. */
export async function decideValuation(
  dbTx: Db,
  { valuations }: Services['fund'],
  draft: Omit<ValuationDraft, 'actor'>,
) {
  const { valuation_id: valuationId } = await valuations.propose(dbTx, { ...draft, actor: OPERATOR })
  await valuations.approve(dbTx, { valuationId, actor: SECOND_OPERATOR })
}

/** Returns the document of a valuation or an investment. */
export function evidence(text: string) {
  const content = Buffer.from(`${text}\n\nThis belongs to a demonstration. There are no such assets.\n`)
  const document = { title: 'Statement.txt', mediaType: 'text/plain; charset=utf-8', content }
  return { heldAt: 'Custodian of the demonstration', document }
}
