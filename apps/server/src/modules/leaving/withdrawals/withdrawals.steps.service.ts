import { canTransition, dayOf, type Micros, WITHDRAWAL_TRANSITIONS, type WithdrawalStatus } from '@rif/rules'
import type { EventPlace } from '../../../chain/indexer/events.ts'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerAccount, TransactionKind } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { RefundsService } from '../../shop/refunds/refunds.service.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import * as repository from './withdrawals.repository.ts'

export type WithdrawalSteps = ReturnType<typeof createWithdrawalSteps>

/**
 * Creates the steps that move a withdrawal's money, guarded by the member's ledger head. Rules, section 7.
 */
export function createWithdrawalSteps({
  ledger,
  refunds,
  reversals,
}: {
  ledger: LedgerService
  refunds: Pick<RefundsService, 'giveBack'>
  reversals: Reversals
}) {
  /**
   * Returns one transaction from a withdrawal's money; a withdrawal is closed at most once, so "close" is one
   * key.
   */
  async function move(
    dbTx: Db,
    withdrawal: WithdrawalRow,
    at: Date,
    entry: {
      step: 'request' | 'close'
      kind: TransactionKind
      moves: readonly (readonly [source: LedgerAccount, destination: LedgerAccount, amountMicros: Micros])[]
    },
  ): Promise<void> {
    const lines = entry.moves.map(([source, destination, amountMicros]) => ({
      memberId: withdrawal.member_id,
      asset: withdrawal.asset,
      source,
      destination,
      amountMicros,
    }))
    await ledger.post(dbTx, {
      key: await ledger.steps.nextKey(dbTx, withdrawal.member_id, keyOf(withdrawal, entry.step)),
      kind: entry.kind,
      cause: { type: 'withdrawal', id: `${withdrawal.withdrawal_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: lines.filter((line) => line.amountMicros > 0n),
    })
  }

  return {
    /** Locks a member's withdrawals and reads one. Throws WITHDRAWAL_NOT_FOUND. */
    async lock(dbTx: Db, memberId: bigint, withdrawalId: bigint): Promise<WithdrawalRow> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const withdrawal = await repository.findWithdrawal(dbTx, memberId, withdrawalId)
      if (withdrawal === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND')
      return withdrawal
    },

    /** Locks the heads of operator and member, for an undoing. */
    lockOperatorAnd(dbTx: Db, memberId: bigint): Promise<void> {
      return ledger.lock(dbTx, { memberIds: [OPERATOR_MEMBER_ID, memberId] })
    },

    /** Sets the amount of a new withdrawal aside. Throws INSUFFICIENT_BALANCE. */
    hold(dbTx: Db, withdrawal: WithdrawalRow): Promise<void> {
      return move(dbTx, withdrawal, withdrawal.created_at, {
        step: 'request',
        kind: 'withdrawal_request',
        moves: [['available', 'withdrawing', withdrawal.amount_micros]],
      })
    },

    /** Returns the amount of a cancelled or rejected withdrawal, and the free refunds that it used. */
    async giveBack(dbTx: Db, withdrawal: WithdrawalRow, at: Date): Promise<void> {
      await refunds.giveBack(dbTx, withdrawal.member_id, withdrawal.withdrawal_id)
      await move(dbTx, withdrawal, at, {
        step: 'close',
        kind: 'withdrawal_return',
        moves: [['withdrawing', 'available', withdrawal.amount_micros]],
      })
    },

    /**
     * Takes back the booking of a claim that the chain dropped: the amount is held for the withdrawal again.
     */
    async undoPayOut(dbTx: Db, withdrawal: WithdrawalRow): Promise<void> {
      const { member_id: memberId, withdrawal_id: id } = withdrawal
      const key = (await ledger.steps.standingKey(dbTx, memberId, keyOf(withdrawal, 'close')))!
      await reversals.undo(dbTx, {
        keys: [key],
        memberIds: [memberId],
        cause: { type: 'withdrawal', id: `${id}` },
      })
    },

    /** Books against the operator the amount that a claim without a withdrawal took from the bank. */
    makeGood(
      dbTx: Db,
      place: ClaimPlace,
      { asset, amountMicros }: { asset: WithdrawalRow['asset']; amountMicros: Micros },
    ): Promise<void> {
      const amounts = { USDT: 0n, AMC: 0n, [asset]: amountMicros }
      return reversals.makeGood(dbTx, { ...madeGoodFor(place), amounts })
    },

    /** Reverses the booking of `makeGood` for a claim that the chain dropped, if there is one. */
    undoMadeGood: (dbTx: Db, place: ClaimPlace): Promise<void> =>
      reversals.undoMadeGood(dbTx, madeGoodFor(place)),

    /**
     * Books a withdrawal that the chain has paid out; `claim_set_aside` if its claim could not be applied
     * otherwise.
     */
    payOut(
      dbTx: Db,
      withdrawal: WithdrawalRow,
      at: Date,
      kind: 'withdrawal_paid' | 'claim_set_aside' = 'withdrawal_paid',
    ): Promise<void> {
      return move(dbTx, withdrawal, at, {
        step: 'close',
        kind,
        moves: [
          ['withdrawing', 'external', netMicros(withdrawal)],
          ['withdrawing', 'fees', withdrawal.fee_micros],
        ],
      })
    },
  }
}

type ClaimPlace = Pick<EventPlace, 'txHash' | 'logIndex'>

const madeGoodFor = ({ txHash, logIndex }: ClaimPlace) => ({
  key: `set-aside/${txHash}/${logIndex}`,
  memberId: OPERATOR_MEMBER_ID,
  cause: { type: 'claim', id: txHash },
})

const keyOf = ({ withdrawal_id }: WithdrawalRow, step: 'request' | 'close') =>
  `withdrawal/${withdrawal_id}/${step}`

/** Returns the amount that arrives at the address. */
export function netMicros(withdrawal: WithdrawalRow): Micros {
  return withdrawal.amount_micros - withdrawal.fee_micros
}

/** Reports whether the rules allow a withdrawal to change from one status to another. */
export function withdrawalMayBecome(withdrawal: WithdrawalRow, to: WithdrawalStatus): boolean {
  return canTransition(WITHDRAWAL_TRANSITIONS, withdrawal.status, to)
}
