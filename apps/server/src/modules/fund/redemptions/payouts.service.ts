import {
  dayOf,
  formatMicros,
  fundIncome,
  type Micros,
  payUnits,
  type RedemptionFigures,
  redemptionFigures,
} from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { eachDespiteFailures } from '../../../lib/despite-failures.ts'
import { custodyAccount } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import { notify } from '../../messages/notices/notices.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import { insertIncome } from '../income/income.repository.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import { productTermsOf } from '../products/products.repository.ts'
import type { FundProducts } from '../products/products.service.ts'
import type { RedemptionRow } from './redemptions.repository.ts'
import * as repository from './redemptions.repository.ts'
import type { FundRedemptions } from './redemptions.service.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly products: FundProducts
  readonly assets: FundAssetsService
  readonly redemptions: FundRedemptions
}

/**
 * Creates the payments of approved redemptions: in the order of approval, at the NAV of the payment, as far as the product's
 * own custody has cash. Rules, section 8.
 */
export function createFundPayouts(deps: Deps) {
  const { now, ledger, members, plans, products, assets, redemptions } = deps

  /** Posts a payment and the sponsor's share of the management fee. Custody and heads are locked. */
  async function post(
    dbTx: Db,
    redemption: RedemptionRow,
    payment: { figures: RedemptionFigures; sponsorId: bigint | undefined; at: Date },
  ): Promise<void> {
    const { figures, sponsorId, at } = payment
    const { member_id: memberId, redemption_id: redemptionId, product_id: productId } = redemption
    const { netMicros, redemptionFeeMicros, managementFeeMicros } = figures
    const line = { memberId, asset: 'USDT', source: custodyAccount(productId) } as const
    const entry = {
      cause: { type: 'fund_redemption', id: `${redemptionId}` },
      accountingDay: dayOf(at.getTime()),
      at,
    }
    await ledger.post(dbTx, {
      ...entry,
      key: `fund-redemption/${redemptionId}`,
      kind: 'fund_redemption',
      lines: [
        { ...line, destination: 'available' as const, amountMicros: netMicros },
        { ...line, destination: 'fees' as const, amountMicros: redemptionFeeMicros + managementFeeMicros },
      ].filter(({ amountMicros }) => amountMicros > 0n),
    })
    const plan = await plans.planAt(dbTx, entry.accountingDay)
    const amountMicros: Micros = fundIncome(managementFeeMicros, plan)
    if (sponsorId === undefined || amountMicros === 0n) return
    await ledger.post(dbTx, {
      ...entry,
      key: `fund-redemption/${redemptionId}/income`,
      kind: 'fund_income',
      lines: [
        { memberId: sponsorId, asset: 'USDT', source: 'fees', destination: 'fund_income', amountMicros },
      ],
    })
    await insertIncome(dbTx, {
      member_id: sponsorId,
      source_member_id: memberId,
      redemption_id: redemptionId,
      product_id: productId,
      management_fee_micros: managementFeeMicros,
      amount_micros: amountMicros,
      received_at: at,
    })
  }

  /**
   * Pays the first redemption of a product's queue at the current NAV, if it is due, the product deals and
   * the cash suffices. Returns false if there was nothing to pay.
   */
  async function payNext(dbTx: Db, productId: bigint): Promise<boolean> {
    const product = await products.lock(dbTx, productId)
    const [next] = await repository.queueOf(dbTx, productId, 1)
    if (next === undefined || next.due_at! > now()) return false
    if ((await assets.stopNow(dbTx, product)) !== null) return false
    const { member_id: memberId, redemption_id: redemptionId, units, cost_micros: costMicros } = next
    const [sponsor] = await members.sponsorLine(dbTx, memberId, 1)
    const isLast = product.units_outstanding === units
    const locked = await assets.lock(dbTx, productId, [
      ...(isLast ? [OPERATOR_MEMBER_ID] : []),
      memberId,
      ...(sponsor === undefined ? [] : [sponsor.memberId]),
    ])
    const paid = payUnits(locked.assets, units)
    if (paid === null) return false
    const { navMicros } = locked.assets
    const figures = redemptionFigures({ units, navMicros, costMicros }, productTermsOf(product))
    if (!figures.ok) throw new Error(`redemption ${redemptionId} is worth more than an amount`)
    const at = now()
    await post(dbTx, next, { figures, sponsorId: sponsor?.memberId, at })
    await redemptions.release(dbTx, next, { paid: true })
    await repository.updateRedemption(dbTx, next, {
      status: 'Completed',
      paid_at: at,
      nav_micros: navMicros,
      redemption_fee_micros: figures.redemptionFeeMicros,
      management_fee_micros: figures.managementFeeMicros,
    })
    await notify(dbTx, {
      memberId,
      event: `redemption/${redemptionId}`,
      topic: 'redemption_paid',
      at,
      facts: { amount: formatMicros(figures.netMicros), units: `${units}`, product: product.name },
    })
    await assets.save(dbTx, locked, paid.assets, { cause: 'payment', at })
    await products.queue(dbTx, productId, { redemptions_waiting: product.redemptions_waiting - 1n })
    await assets.takeRemainder(dbTx, {
      productId,
      amountMicros: paid.remainderMicros,
      at,
      causeId: `redemption/${redemptionId}`,
    })
    return true
  }

  return {
    /**
     * Pays every redemption that is due and covered, each in its own transaction; concurrent runs pay each
     * once. Returns the number paid. A product that fails does not block the others; the first error is
     * thrown at the end.
     */
    async payDue(db: Db): Promise<number> {
      let count = 0
      const waiting = [...(await products.all(db)).values()].filter(
        (product) => product.redemptions_waiting > 0n,
      )
      await eachDespiteFailures(waiting, async ({ product_id }) => {
        while (await inTx(db, (dbTx) => payNext(dbTx, product_id))) count++
      })
      return count
    },

    /** Returns the due time of the next approved redemption after a time; null if there is none. */
    nextDue: (db: Db, after: Date): Promise<Date | null> => repository.nextDue(db, after),
  }
}
