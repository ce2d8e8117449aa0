import { ALL_WEEKDAYS, type Micros } from '@rif/rules'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { Services } from '../services.ts'
import type { NamedMember } from './result.ts'
import type { EventOf, EventType } from './scenario.ts'

/** Carries an event out through the services, in its own dbTx. Throws AppError for what the rules refuse. */
type Action<Type extends EventType> = (dbTx: Db, event: EventOf<Type>) => Promise<void>
export type Actions = { readonly [Type in EventType]?: Action<Type> }

/** The product that a name stands for. Throws PRODUCT_NOT_FOUND. */
export function knownProduct(products: ReadonlyMap<string, bigint>, name: string): bigint {
  const productId = products.get(name)
  if (productId === undefined) throw new AppError('PRODUCT_NOT_FOUND')
  return productId
}

/** The events of the fund, each with the two admins that it takes. */
export function fundActions(
  { fund }: Services,
  known: (name: string) => NamedMember,
  products: Map<string, bigint>,
): Actions {
  async function publish(
    dbTx: Db,
    productId: bigint,
    { navMicros, assetsMicros }: { navMicros: Micros; assetsMicros: Micros | null },
  ): Promise<void> {
    const draft = { productId, navMicros, assetsMicros, documentHash: null, actor: 'preparer' }
    const { navId } = await fund.navs.prepare(dbTx, draft)
    await fund.navs.approve(dbTx, { navId, actor: 'approver' })
  }

  return {
    async fund_product(dbTx, { name, nav: navMicros, ...event }) {
      const { productId } = await fund.products.prepare(dbTx, {
        name,
        introduction: { en: name },
        riskLevel: 1,
        estimatedAnnualReturnPpm: 0,
        terms: {
          minimumMicros: event.minimum_usd,
          lockDays: event.lock_days,
          redeemableWeekdays: ALL_WEEKDAYS,
          subscriptionPpm: event.subscription_ppm,
          redemptionPpm: event.redemption_ppm,
          managementPpm: event.management_ppm,
        },
        documents: [],
        actor: 'preparer',
      })
      await fund.products.approve(dbTx, { productId, actor: 'approver' })
      await publish(dbTx, productId, { navMicros, assetsMicros: null })
      products.set(name, productId)
    },

    async nav(dbTx, { product, nav: navMicros, assets }) {
      await publish(dbTx, knownProduct(products, product), { navMicros, assetsMicros: assets ?? null })
    },

    async fund_buy(dbTx, { member, product, units }) {
      const buyer = known(member)
      const productId = knownProduct(products, product)
      await fund.orders.buy(dbTx, buyer, { productId, units, payWith: 'available' })
    },

    async fund_redeem(dbTx, { member, product, units }) {
      const { memberId } = known(member)
      await fund.redemptions.request(dbTx, memberId, knownProduct(products, product), units)
    },

    async fund_review(dbTx, { member, product, decision, line }) {
      const { memberId } = known(member)
      const pending = await fund.review.oldestPending(dbTx, memberId, knownProduct(products, product))
      if (pending === undefined) throw new AppError('NOTHING_TO_REVIEW')
      const subject = { memberId, redemptionId: pending.redemption_id }
      const review = { approve: decision === 'approve', reason: `line ${line}` }
      await fund.review.review(dbTx, { ...subject, ...review, actor: 'reviewer' })
      await fund.review.confirm(dbTx, { ...subject, actor: 'approver' })
    },

    async fund_income_out(dbTx, { member, amount }) {
      await fund.income.withdraw(dbTx, known(member).memberId, amount)
    },
  }
}
