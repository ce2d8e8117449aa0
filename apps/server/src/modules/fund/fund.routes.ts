import { parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { type IdempotentRequest, idempotent } from '../../lib/idempotency.ts'
import { register } from '../../plugins/route.ts'
import type { ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { Fund } from './fund.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly fund: Fund
  readonly consents: ConsentsService
}

type Change = <Answer>(
  call: { readonly idempotency: IdempotentRequest | undefined },
  run: (dbTx: Db) => Promise<Answer>,
) => Promise<Answer>

/** `fund/...`. */
export function fundRoutes(app: FastifyInstance, { db, now, fund, consents }: Deps): void {
  const change: Change = ({ idempotency }, run) =>
    inTx(db, (dbTx) => idempotent(dbTx, idempotency, now(), () => run(dbTx)))
  productRoutes(app, db, fund)
  purchaseRoutes(app, { db, fund, consents, change })
  redemptionRoutes(app, { db, fund, change })
  billRoutes(app, db, fund)
  incomeRoutes(app, { db, fund, change })
}

interface Parts {
  readonly db: Db
  readonly fund: Fund
  readonly change: Change
}

function productRoutes(app: FastifyInstance, db: Db, { products, desk }: Fund): void {
  register(app, 'fundProducts', async ({ locale }) => ({ items: await products.list(db, locale) }))
  register(app, 'fundProduct', async ({ params, locale }) => {
    const productId = BigInt(params.product_id)
    const detail = await products.detail(db, productId, locale)
    return { ...detail, books: await desk.books(db, productId) }
  })
  register(app, 'fundNavs', async ({ params, query }) => ({
    items: await products.history(db, BigInt(params.product_id), query.days),
  }))
  register(app, 'fundDocument', ({ params }) =>
    products.document(db, BigInt(params.product_id), BigInt(params.document_id)),
  )
}

function purchaseRoutes(
  app: FastifyInstance,
  { db, fund, consents, change }: Parts & Pick<Deps, 'consents'>,
): void {
  const { orders, overview } = fund
  register(app, 'fundQuote', ({ session, query }) =>
    orders.quote(db, session.memberId, {
      productId: BigInt(query.product_id),
      units: BigInt(query.units),
      payWith: query.pay_with,
    }),
  )
  register(app, 'fundBuy', async (call) => {
    const { session } = call
    const { product_id, units, pay_with: payWith, nav, signed } = call.body
    const request = {
      productId: BigInt(product_id),
      units: BigInt(units),
      payWith,
      navMicros: nav === undefined ? undefined : parseMicros(nav),
    }
    const price = signed && { totalMicros: parseMicros(signed.total), feeMicros: parseMicros(signed.fee) }
    const consent = price && (await consents.check(session, await orders.wishOf(db, request, price), signed))
    return change(call, (dbTx) => orders.buy(dbTx, session, request, consent))
  })
  register(app, 'fundApprove', ({ session, params }) =>
    orders.approval(db, session.memberId, BigInt(params.order_id)),
  )
  register(app, 'fundTx', ({ session, params }) =>
    orders.payment(db, session.memberId, BigInt(params.order_id)),
  )
  register(app, 'fundPay', (call) =>
    change(call, (dbTx) =>
      orders.reportPayment(dbTx, call.session.memberId, BigInt(call.body.order_id), call.body.tx_hash),
    ),
  )
  register(app, 'fundCancel', async (call) => {
    const orderId = BigInt(call.body.order_id)
    const unpaid = await orders.requireUnpaid(call.session.memberId, orderId)
    return change(call, (dbTx) => orders.cancel(dbTx, call.session.memberId, orderId, unpaid))
  })
  register(app, 'fundOrders', ({ session, query }) => orders.list(db, session.memberId, query))
  register(app, 'fundOrder', ({ session, params }) =>
    orders.get(db, session.memberId, BigInt(params.order_id)),
  )
  register(app, 'fundHoldings', ({ session }) => overview.holdings(db, session.memberId))
  register(app, 'fundRecords', ({ session, query }) =>
    overview.records(db, session.memberId, { ...query, productId: idOf(query.product_id) }),
  )
  register(app, 'fundTransactions', ({ session, query }) =>
    overview.transactions(db, session.memberId, query),
  )
}

function redemptionRoutes(app: FastifyInstance, { db, fund, change }: Parts): void {
  const { redemptions } = fund
  register(app, 'fundRedemptionPreview', ({ session, query }) =>
    redemptions.preview(db, session.memberId, BigInt(query.product_id), BigInt(query.units)),
  )
  register(app, 'fundRedeem', (call) =>
    change(call, (dbTx) =>
      redemptions.request(dbTx, call.session.memberId, BigInt(call.body.product_id), BigInt(call.body.units)),
    ),
  )
  register(app, 'fundCancelRedemption', (call) =>
    change(call, (dbTx) => redemptions.cancel(dbTx, call.session.memberId, BigInt(call.body.redemption_id))),
  )
  register(app, 'fundRedemptions', ({ session, query }) =>
    redemptions.list(db, session.memberId, { ...query, productId: idOf(query.product_id) }),
  )
  register(app, 'fundRedemption', ({ session, params }) =>
    redemptions.get(db, session.memberId, BigInt(params.redemption_id)),
  )
}

function billRoutes(app: FastifyInstance, db: Db, { bills }: Fund): void {
  register(app, 'fundBills', ({ session, query }) => bills.list(db, session.memberId, query))
  register(app, 'fundBill', ({ session, params }) => bills.get(db, session.memberId, params.month))
  register(app, 'fundBillCsv', ({ session, params }) => bills.csv(db, session.memberId, params.month))
  register(app, 'fundBillPdf', ({ session, params, locale }) =>
    bills.pdf(db, session.memberId, params.month, locale),
  )
}

function incomeRoutes(app: FastifyInstance, { db, fund, change }: Parts): void {
  const { income } = fund
  register(app, 'fundIncome', ({ session }) => income.sums(db, session.memberId))
  register(app, 'fundIncomeList', ({ session, query }) => income.list(db, session.memberId, query))
  register(app, 'fundIncomeWithdraw', (call) =>
    change(call, (dbTx) => income.withdraw(dbTx, call.session.memberId, parseMicros(call.body.amount))),
  )
}

function idOf(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : BigInt(text)
}
