import { ALL_WEEKDAYS, dayOf, MAX_MICROS, type Micros, ONE_PPM, type PaymentAsset } from '@rif/rules'
import type { Db } from '../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../lib/caller.ts'
import { AppError } from '../lib/errors.ts'
import type { Services } from '../services.ts'
import type { NamedMember } from './result.ts'
import type { EventOf, EventType } from './scenario.ts'

/** Carries out an event through the services, in the given dbTx. Throws AppError if the rules refuse it. */
type Action<Type extends EventType> = (dbTx: Db, event: EventOf<Type>) => Promise<void>
export type Actions = { readonly [Type in EventType]?: Action<Type> }

/** Fund products by name, filled by `fund_product`. */
export type Products = Map<string, bigint>

const PREPARER = 'preparer'
const APPROVER = 'approver'
const MOST_LOCK_DAYS = 36_500
/** In a simulation a product has no limits, and no document proves its investments. */
const NO_LIMITS = { maxMemberUnits: null, maxUnits: null, soldPpm: null }
const NO_EVIDENCE = { heldAt: 'scenario', document: null }

/** Returns the product of a name. Throws PRODUCT_NOT_FOUND. */
function knownProduct(products: Products, name: string): bigint {
  const productId = products.get(name)
  if (productId === undefined) throw new AppError('PRODUCT_NOT_FOUND')
  return productId
}

/** Throws INVALID_AMOUNT if an amount from `external` would take that account out of the 64-bit range. */
export async function requireFromOutside(
  db: Db,
  { ledger }: Pick<Services, 'ledger'>,
  asset: PaymentAsset | 'RIF',
  amountMicros: Micros,
): Promise<void> {
  const sums = await ledger.flows.accountsNow(db, ['external'])
  const external = sums.find((sum) => sum.asset === asset)?.micros ?? 0n
  if (external - amountMicros < -MAX_MICROS - 1n) throw new AppError('INVALID_AMOUNT')
}

/**
 * Creates the actions by which a product receives and invests money, each with the two admins that it
 * requires.
 */
export function productActions(services: Services, products: Products): Actions {
  const { fund } = services

  async function value(
    dbTx: Db,
    terms: { productId: bigint; valueMicros: Micros; amountMicros?: Micros },
  ): Promise<void> {
    const { valuation_id } = await fund.valuations.propose(dbTx, {
      ...terms,
      evidence: NO_EVIDENCE,
      actor: PREPARER,
    })
    await fund.valuations.approve(dbTx, { valuationId: valuation_id, actor: APPROVER })
  }

  return {
    async fund_product(dbTx, { name, nav, lock_days: lockDays, ...event }) {
      if (products.has(name)) throw new AppError('PRODUCT_EXISTS')
      const rates = [event.subscription_ppm, event.redemption_ppm, event.management_ppm]
      const areInRange = rates.every((rate) => rate >= 0 && rate <= ONE_PPM)
      if (!areInRange || lockDays < 0 || lockDays > MOST_LOCK_DAYS) throw new AppError('INVALID_AMOUNT')
      const { productId } = await fund.products.prepare(dbTx, {
        name,
        introduction: { en: name },
        riskLevel: 1,
        estimatedAnnualReturnPpm: 0,
        terms: {
          minimumMicros: event.minimum_usd,
          lockDays,
          redeemableWeekdays: ALL_WEEKDAYS,
          subscriptionPpm: event.subscription_ppm,
          redemptionPpm: event.redemption_ppm,
          managementPpm: event.management_ppm,
        },
        openingMicros: nav,
        limits: NO_LIMITS,
        documents: [],
        actor: PREPARER,
      })
      await fund.products.approve(dbTx, { productId, actor: APPROVER })
      products.set(name, productId)
    },

    async fund_invest(dbTx, { product, amount: amountMicros }) {
      const { investment_id } = await fund.investments.setAside(dbTx, {
        productId: knownProduct(products, product),
        amountMicros,
        destination: 'scenario',
        evidence: NO_EVIDENCE,
        preparedBy: PREPARER,
        approvedBy: APPROVER,
      })
      await fund.investments.invest(dbTx, { investmentId: investment_id })
    },

    async fund_valuation(dbTx, { product, value: valueMicros }) {
      await value(dbTx, { productId: knownProduct(products, product), valueMicros })
    },

    async fund_divest(dbTx, { product, amount: amountMicros, left: valueMicros }) {
      const productId = knownProduct(products, product)
      await requireFromOutside(dbTx, services, 'USDT', amountMicros)
      await value(dbTx, { productId, valueMicros, amountMicros })
    },
  }
}

/** Creates the actions of members who hold units, and of the admins who decide on their redemptions. */
export function holderActions(
  { fund }: Services,
  memberNamed: (name: string) => NamedMember,
  products: Products,
): Actions {
  return {
    async fund_buy(dbTx, { member, product, units }) {
      const buyer = memberNamed(member)
      const productId = knownProduct(products, product)
      await fund.orders.buy(dbTx, buyer, { productId, units, payWith: 'available' })
    },

    async fund_redeem(dbTx, { member, product, units }) {
      const { memberId } = memberNamed(member)
      await fund.redemptions.request(dbTx, memberId, knownProduct(products, product), units)
    },

    async fund_review(dbTx, { member, product, decision, line }) {
      const { memberId } = memberNamed(member)
      const pending = await fund.review.oldestPending(dbTx, memberId, knownProduct(products, product))
      if (pending === undefined) throw new AppError('NOTHING_TO_REVIEW')
      const subject = { memberId, redemptionId: pending.redemption_id }
      const review = { approve: decision === 'approve', reason: `line ${line}` }
      await fund.review.review(dbTx, { ...subject, ...review, actor: 'reviewer' })
      await fund.review.confirm(dbTx, { ...subject, actor: APPROVER })
    },

    async fund_income_out(dbTx, { member, amount }) {
      await fund.income.withdraw(dbTx, memberNamed(member).memberId, amount)
    },
  }
}

/** Creates the action that pays out the operator's own money; no exit waits in a simulation. */
export function treasuryActions({ ledger, now }: Services): Actions {
  return {
    async treasury(dbTx, { from, asset, amount: amountMicros, line }) {
      if (asset !== 'USDT' && asset !== 'AMC') throw new AppError('ASSET_NOT_ALLOWED')
      if (amountMicros <= 0n || amountMicros > MAX_MICROS) throw new AppError('INVALID_AMOUNT')
      const sums = await ledger.flows.accountsNow(dbTx, [from])
      const balance = sums.find((sum) => sum.asset === asset)?.micros ?? 0n
      if (balance < amountMicros) throw new AppError('INSUFFICIENT_BALANCE')
      const at = now()
      await ledger.post(dbTx, {
        key: `treasury/${line}`,
        kind: 'treasury_payout',
        cause: { type: 'scenario', id: `${line}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [{ memberId: OPERATOR_MEMBER_ID, asset, source: from, destination: 'external', amountMicros }],
      })
    },
  }
}
