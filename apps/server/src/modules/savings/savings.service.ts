import type { MoneyAsset, SavingsTransfer } from '@rif/api-schema'
import { dayOf, judgeSavingsTransfer, type MemberAccount, type Micros, savingsOutDelayMs } from '@rif/rules'
import { type Db, inMemberTx } from '../../db/database.ts'
import { readTogether } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { carryOutDue } from '../../lib/due.ts'
import { AppError } from '../../lib/errors.ts'
import { answeredRead, type IdempotentRequest, keptAnswer } from '../../lib/idempotency.ts'
import { gateRead, passIn, passOut } from '../gates/gates.service.ts'
import type { TransactionKind } from '../ledger/ledger.accounts.ts'
import type { JournalEntry, LedgerService } from '../ledger/ledger.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import type { PricingService } from '../pricing/pricing.service.ts'
import type { Direction, TransferRow } from './savings.repository.ts'
import * as repository from './savings.repository.ts'
import { transferView } from './savings.view.ts'

const SAVINGS_GATE = gateRead('savings')

export interface SavingsDeps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
}

/** A member's request to move an amount into or out of savings. */
export interface SavingsOrder {
  readonly asset: MoneyAsset
  readonly amountMicros: Micros
}

export type SavingsService = ReturnType<typeof createSavingsService>

const SOURCE = { in: 'available', out: 'savings' } as const satisfies Record<Direction, MemberAccount>
const DESTINATION = { in: 'savings', out: 'savings_leaving' } as const satisfies Record<
  Direction,
  MemberAccount
>

/**
 * Creates flexible savings: deposits take effect at once, withdrawals after a while. Settlement pays the
 * interest. Rules, section 9.
 */
export function createSavingsService(deps: SavingsDeps) {
  const { db, now, ledger, plans, pricing } = deps

  /** Returns one movement of a transfer's money; each step has its own key, so it happens once. */
  function movementOf(
    row: TransferRow,
    at: Date,
    step: { kind: TransactionKind; source: MemberAccount; destination: MemberAccount },
  ): JournalEntry {
    return {
      key: `savings/${row.transfer_id}/${step.destination}`,
      kind: step.kind,
      cause: { type: 'savings_transfer', id: `${row.transfer_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        {
          memberId: row.member_id,
          asset: row.asset,
          source: step.source,
          destination: step.destination,
          amountMicros: row.amount_micros,
        },
      ],
    }
  }

  /**
   * Executes a transfer under the member's lock. Settlement of a day waits for transfers in progress, and the
   * clock is read after taking that lock, so all transfers of the day are there when its interest is
   * computed. The price of a withdrawal is that of the request.
   */
  async function transfer(
    dbTx: Db,
    memberId: bigint,
    direction: Direction,
    { asset, amountMicros }: SavingsOrder,
    request: IdempotentRequest | undefined,
  ): Promise<SavingsTransfer> {
    await ledger.lockHeads(dbTx, [memberId], repository.LOCK_SHARED)
    const { before, gate, balances, prices, transferId } = await readTogether(dbTx, memberId, {
      before: answeredRead(request),
      gate: SAVINGS_GATE,
      balances: ledger.balancesRead,
      prices: pricing.pricesRead(direction === 'in' || asset === 'USDT' ? [] : [asset], now()),
      transferId: repository.nextTransferRead,
    })
    if (before) return before.answer as SavingsTransfer
    const pass = direction === 'in' ? passIn : passOut
    pass(gate)
    const balanceMicros = balances[asset][SOURCE[direction]]
    const judged = judgeSavingsTransfer({ asset, amountMicros, balanceMicros })
    if (!judged.ok) throw new AppError(judged.code)
    const at = now()
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const delayMs =
      direction === 'in'
        ? 0
        : savingsOutDelayMs(asset, amountMicros, asset === 'USDT' ? null : (prices.get(asset) ?? null), plan)
    const row: TransferRow = {
      member_id: memberId,
      transfer_id: transferId,
      asset,
      direction,
      amount_micros: amountMicros,
      day: dayOf(at.getTime()),
      created_at: at,
      arrives_at: new Date(at.getTime() + delayMs),
      arrived_at: direction === 'in' ? at : null,
    }
    const answer = transferView(row)
    const movement = movementOf(row, at, {
      kind: `savings_${direction}`,
      source: SOURCE[direction],
      destination: DESTINATION[direction],
    })
    const writes = [repository.insertion(row), ...keptAnswer(request, answer, at)]
    await ledger.postWith(
      dbTx,
      movement,
      writes.map((write) => ({ memberId, write })),
    )
    return answer
  }

  /** Completes the arrival of a transfer, unless another process has done it. */
  async function arrive(dbTx: Db, { member_id, transfer_id }: TransferRow): Promise<boolean> {
    await ledger.lock(dbTx, { memberIds: [member_id] })
    const row = await repository.findLeaving(dbTx, member_id, transfer_id)
    if (row === undefined) return false
    const at = now()
    const step = { kind: 'savings_arrival', source: 'savings_leaving', destination: 'available' } as const
    await ledger.post(dbTx, movementOf(row, at, step))
    await repository.markArrived(dbTx, row, at)
    return true
  }

  return {
    /**
     * Moves an amount from `available` into savings, at once; once per client key. Throws INVALID_AMOUNT,
     * INSUFFICIENT_BALANCE.
     */
    transferIn: (
      dbTx: Db,
      memberId: bigint,
      order: SavingsOrder,
      request?: IdempotentRequest,
    ): Promise<SavingsTransfer> => transfer(dbTx, memberId, 'in', order, request),

    /**
     * Withdraws an amount from savings. It earns no more interest, and becomes `available` at the returned
     * time. Throws INVALID_AMOUNT, INSUFFICIENT_BALANCE.
     */
    transferOut: (
      dbTx: Db,
      memberId: bigint,
      order: SavingsOrder,
      request?: IdempotentRequest,
    ): Promise<SavingsTransfer> => transfer(dbTx, memberId, 'out', order, request),

    /** Returns the arrival time of the next pending amount; null if there is none. */
    nextArrival: (): Promise<Date | null> => repository.nextArrival(db),

    /**
     * Completes the arrival of every due amount, in the order of their times, each in its own transaction.
     * Returns the number. A failure does not block the others: its error is thrown at the end.
     */
    arriveDue: (): Promise<number> =>
      carryOutDue({
        read: (after: TransferRow | undefined, limit) => repository.dueTransfers(db, now(), after, limit),
        carryOut: (row) => inMemberTx(db, { memberId: row.member_id }, (dbTx) => arrive(dbTx, row)),
        failure: 'savings did not arrive',
      }),

    /** Returns a page of a member's transfers, newest first; only pending ones if `leaving`. */
    async transfers(
      dbOrTx: Db,
      memberId: bigint,
      query: {
        direction?: Direction | undefined
        leaving?: boolean | undefined
        cursor?: string | undefined
        limit: number
      },
    ): Promise<{ items: SavingsTransfer[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listTransfers(dbOrTx, memberId, { ...query, before })
      return toPage(rows, query.limit, transferView, (row) => encodeCursor(row.transfer_id))
    },
  }
}
