import { type Micros, PAYMENT_ASSETS, type PaymentAsset, refundUses } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { ReleasedPayment } from './refunds.repository.ts'
import * as repository from './refunds.repository.ts'

/** Amounts per asset, in micro-units. */
export type RefundAmounts = Readonly<Record<PaymentAsset, Micros>>

export type RefundsService = ReturnType<typeof createRefunds>

/**
 * Creates the allowances of refunds that are free to withdraw. Rules, section 7. The head of the payer guards them: whoever
 * allows, uses or gives back has locked it.
 */
export function createRefunds({ now }: { readonly now: Now }) {
  return {
    /** Allows a payer to withdraw what was released without a fee. */
    async allow(
      dbTx: Db,
      memberId: bigint,
      payment: ReleasedPayment,
      { amounts, at }: { amounts: RefundAmounts; at: Date },
    ): Promise<void> {
      const { txHash, logIndex } = payment
      for (const asset of PAYMENT_ASSETS) {
        const what = { asset, amountMicros: amounts[asset] }
        if (what.amountMicros > 0n)
          await repository.insertAllowance(dbTx, { memberId, txHash, logIndex, ...what, at })
      }
    },

    ownerOf: repository.ownerOf,

    /**
     * Takes away what is left of the allowances of a payment that the chain dropped. Withdrawals that were requested before keep
     * the fee of their request; what they give back later is gone too.
     */
    lose: (dbTx: Db, payment: ReleasedPayment): Promise<void> => repository.markLost(dbTx, payment, now()),

    /** Gives back what is left of the allowances of a payment that has arrived again. */
    restore: (dbTx: Db, payment: ReleasedPayment): Promise<void> => repository.markLost(dbTx, payment, null),

    /** Returns what is left of a member's allowances. */
    async left(db: Db, memberId: bigint): Promise<RefundAmounts> {
      const sums = { USDT: 0n, AMC: 0n }
      for (const { asset, leftMicros } of await repository.leftOf(db, memberId)) sums[asset] += leftMicros
      return sums
    },

    /** Uses allowances for a withdrawal, oldest first. */
    async use(
      dbTx: Db,
      { memberId, withdrawalId }: { memberId: bigint; withdrawalId: bigint },
      { asset, micros }: { asset: PaymentAsset; micros: Micros },
    ): Promise<void> {
      const left = (await repository.leftOf(dbTx, memberId)).filter((item) => item.asset === asset)
      const uses = refundUses(
        left.map(({ leftMicros }) => leftMicros),
        micros,
      )
      for (const [index, amountMicros] of uses.entries()) {
        const { allowanceId } = left[index]!
        if (amountMicros > 0n)
          await repository.insertUse(dbTx, { memberId, withdrawalId, allowanceId, amountMicros })
      }
    },

    /** Gives back what a withdrawal used. */
    giveBack: repository.deleteUses,
  }
}
