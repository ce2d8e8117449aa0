import type { FastifyInstance } from 'fastify'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { registerCsv } from '../../plugins/csv.ts'
import { type Call, register } from '../../plugins/route.ts'
import { ORDER_COLUMNS } from './csv.ts'
import type { Shop } from './shop.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly shop: Shop
}

/** `products` and `order...`. */
export function shopRoutes(app: FastifyInstance, { db, now, shop }: Deps): void {
  register(app, 'products', async () => ({ items: await shop.products(db) }))

  register(app, 'createOrder', ({ session, body, idempotency }) =>
    shop.order(
      db,
      session,
      {
        productId: BigInt(body.product_id),
        useHashRate: body.useHashRate,
        expected: body.expected,
      },
      idempotency,
    ),
  )

  register(app, 'orderPreview', ({ session, query }) =>
    shop.preview(db, {
      memberId: session.memberId,
      address: session.address,
      productId: BigInt(query.product_id),
      useHashRate: query.useHashRate ?? false,
    }),
  )

  register(app, 'orders', ({ session, query }) => shop.list(db, session.memberId, query))
  registerCsv(app, 'orders', ORDER_COLUMNS, ({ memberId }, query) => shop.list(db, memberId, query))

  register(app, 'order', ({ session, params }) => shop.get(db, session.memberId, BigInt(params.order_id)))

  register(app, 'approveUsdt', (call) => shop.approval(db, 'usdt', paymentOf(call)))
  register(app, 'approveAmc', (call) => shop.approval(db, 'amc', paymentOf(call)))
  register(app, 'orderTx', (call) => shop.payment(db, paymentOf(call)))

  register(app, 'payOrder', ({ session, body, idempotency }) =>
    inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        shop.reportPayment(dbTx, session.memberId, BigInt(body.order_id), body.tx_hash),
      ),
    ),
  )

  register(app, 'cancelOrder', ({ session, body, idempotency }) =>
    shop.cancelUnpaid(db, session.memberId, BigInt(body.order_id), idempotency),
  )
}

function paymentOf({ session, params, query }: Call<'approveUsdt' | 'approveAmc' | 'orderTx'>) {
  return {
    memberId: session.memberId,
    orderId: BigInt(params.order_id),
    useHashRate: query.useHashRate,
  }
}
