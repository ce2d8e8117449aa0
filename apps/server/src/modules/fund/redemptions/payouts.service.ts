import {
  dayOf,
  fundIncome,
  type PayoutMove,
  payoutMoves,
  proceedsNeeded,
  type RedemptionFigures,
} from '@rif/rules'
import { type Db, inDbTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { custodyAccount, type LedgerAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import { insertIncome } from '../income/income.repository.ts'
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
  readonly redemptions: FundRedemptions
}

/** Paying approved redemptions, in the order of approval, as far as each product's own custody has cash. Rules, section 8. */
export function createFundPayouts({ now, ledger, members, plans, products, redemptions }: Deps) {
  /** Posts the payout and, out of the management fee, the sponsor's share. Custody and heads are locked. */
  async function post(
    dbTx: Db,
    redemption: RedemptionRow,
    payment: { figures: RedemptionFigures; sponsorId: bigint | undefined; at: Date },
  ): Promise<void> {
    const { figures, sponsorId, at } = payment
    const { member_id: memberId, redemption_id: redemptionId, product_id: productId } = redemption
    const accountOf = (name: PayoutMove['from' | 'to']): LedgerAccount =>
      name === 'principal' || name === 'proceeds' ? custodyAccount(productId, name) : name
    const entry = {
      cause: { type: 'fund_redemption', id: `${redemptionId}` },
      accountingDay: dayOf(at.getTime()),
      at,
    }
    await ledger.post(dbTx, {
      ...entry,
      key: `fund-redemption/${redemptionId}`,
      kind: 'fund_redemption',
      lines: payoutMoves(figures).map(({ from, to, amountMicros }) => ({
        memberId,
        asset: 'USDT',
        source: accountOf(from),
        destination: accountOf(to),
        amountMicros,
      })),
    })
    const plan = await plans.planAt(dbTx, entry.accountingDay)
    const amountMicros = fundIncome(figures.managementFeeMicros, plan)
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
      management_fee_micros: figures.managementFeeMicros,
      amount_micros: amountMicros,
      received_at: at,
    })
  }

  /** Pays the next redemption of a product, if its time has come and there is cash. False when there was nothing to pay. */
  async function payNext(dbTx: Db, productId: bigint): Promise<boolean> {
    const product = await products.lock(dbTx, productId)
    const place = product.redemptions_paid + 1n
    const next = await repository.approvedAt(dbTx, productId, place)
    if (next === undefined || next.due_at! > now()) return false
    const { member_id: memberId, units } = next
    const figures = paidFigures(next)
    const [sponsor] = await members.sponsorLine(dbTx, memberId, 1)
    await ledger.lock(dbTx, {
      pools: [custodyAccount(productId, 'principal'), custodyAccount(productId, 'proceeds')],
      memberIds: sponsor === undefined ? [memberId] : [memberId, sponsor.memberId],
    })
    const proceeds = await ledger.poolBalances(dbTx, custodyAccount(productId, 'proceeds'))
    if (proceeds.USDT < proceedsNeeded(figures)) return false
    const at = now()
    await post(dbTx, next, { figures, sponsorId: sponsor?.memberId, at })
    await redemptions.release(dbTx, next, { paid: true })
    await repository.updateRedemption(dbTx, next, { status: 'Completed', paid_at: at })
    await products.count(dbTx, productId, {
      redemptions_paid: place,
      units_outstanding: product.units_outstanding - units,
    })
    return true
  }

  return {
    /** Pays whatever is due and covered, each redemption in a dbTx of its own; two at once do the work once. Returns how many. */
    async payDue(db: Db): Promise<number> {
      let count = 0
      for (const product of (await products.all(db)).values()) {
        if (product.redemptions_approved === product.redemptions_paid) continue
        while (await inDbTx(db, (dbTx) => payNext(dbTx, product.product_id))) count++
      }
      return count
    },

    /** Returns the due time of the next approved redemption after a time; null if there is none. */
    nextDue: (db: Db, after: Date): Promise<Date | null> => repository.nextDue(db, after),
  }
}

/** The figures that an approval has fixed. */
function paidFigures(redemption: RedemptionRow): RedemptionFigures {
  const valueMicros = redemption.units * redemption.nav_micros!
  const redemptionFeeMicros = redemption.redemption_fee_micros!
  const managementFeeMicros = redemption.management_fee_micros!
  return {
    valueMicros,
    costMicros: redemption.cost_micros,
    profitMicros: valueMicros - redemption.cost_micros,
    redemptionFeeMicros,
    managementFeeMicros,
    netMicros: valueMicros - redemptionFeeMicros - managementFeeMicros,
  }
}
