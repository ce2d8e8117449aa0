import { ALL_WEEKDAYS } from '@rif/rules'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { ValuationDraft } from '../modules/fund/fund.service.ts'
import type { Services } from '../services.ts'
import type { NamedMember } from './result.ts'
import type { EventOf, EventType } from './scenario.ts'

/** Carries an event out through the services, in its own dbTx. Throws AppError for what the rules refuse. */
type Action<Type extends EventType> = (dbTx: Db, event: EventOf<Type>) => Promise<void>
export type Actions = { readonly [Type in EventType]?: Action<Type> }

/** The product that a name stands for. Throws PRODUCT_NOT_FOUND. */
function knownProduct(products: ReadonlyMap<string, bigint>, name: string): bigint {
  const productId = products.get(name)
  if (productId === undefined) throw new AppError('PRODUCT_NOT_FOUND')
  return productId
}

const EVIDENCE = { heldAt: 'scenario', document: null }
const NO_LIMITS = { maxMemberUnits: null, maxUnits: null, soldPpm: null }

/** The events of the fund, each with the two admins that it takes. */
export function fundActions(
  { fund }: Services,
  known: (name: string) => NamedMember,
  products: Map<string, bigint>,
): Actions {
  async function value(dbTx: Db, terms: Omit<ValuationDraft, 'evidence' | 'actor'>): Promise<void> {
    const draft = { ...terms, evidence: EVIDENCE, actor: 'preparer' }
    const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
    await fund.valuations.approve(dbTx, { valuationId, actor: 'approver' })
  }

  return {
    async fund_product(dbTx, { name, nav: openingMicros, ...event }) {
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
        ...{ openingMicros, limits: NO_LIMITS, documents: [] },
        actor: 'preparer',
      })
      await fund.products.approve(dbTx, { productId, actor: 'approver' })
      products.set(name, productId)
    },

    async fund_invest(dbTx, { product, amount: amountMicros }) {
      const productId = knownProduct(products, product)
      const { investment_id: investmentId } = await fund.investments.setAside(dbTx, {
        ...{ productId, amountMicros, destination: 'scenario', evidence: EVIDENCE },
        ...{ preparedBy: 'preparer', approvedBy: 'approver' },
      })
      await fund.investments.invest(dbTx, { investmentId })
    },

    async fund_valuation(dbTx, { product, value: valueMicros }) {
      await value(dbTx, { productId: knownProduct(products, product), valueMicros })
    },

    async fund_divest(dbTx, { product, amount: amountMicros, left: valueMicros }) {
      await value(dbTx, { productId: knownProduct(products, product), amountMicros, valueMicros })
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
