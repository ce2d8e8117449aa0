import type { MoneyAsset, SavingsTransfer } from '@rif/api-schema'
import {
  dayOf,
  judgeSavingsTransfer,
  type MemberAccount,
  type Micros,
  type PaymentAsset,
  savingsOutDelayMs,
} from '@rif/rules'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { carryOutDue } from '../../lib/due.ts'
import { AppError } from '../../lib/errors.ts'
import { requireMayAct, requireMayPutIn } from '../gates/gates.service.ts'
import type { TransactionKind } from '../ledger/ledger.accounts.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import type { PricingService } from '../pricing/pricing.service.ts'
import type { Direction, TransferRow } from './savings.repository.ts'
import * as repository from './savings.repository.ts'
import { transferView } from './savings.view.ts'

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

/** Flexible savings: into them at once, out of them after a while. Their interest is settlement's. Rules, section 9. */
export function createSavingsService(deps: SavingsDeps) {
  const { db, now, ledger, plans, pricing } = deps

  /** One movement of a transfer's money; each step has a key of its own, so it happens once. */
  async function move(
    dbTx: Db,
    row: TransferRow,
    at: Date,
    step: { kind: TransactionKind; source: MemberAccount; destination: MemberAccount },
  ): Promise<void> {
    await ledger.post(dbTx, {
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
    })
  }

  /**
   * Carries a transfer out under the member's lock. Whoever settles a day waits for the transfers under way, and the
   * clock is read after that lock: so whatever belongs to the day is there when its interest is worked out.
   */
  async function transfer(
    dbTx: Db,
    memberId: bigint,
    direction: Direction,
    { asset, amountMicros }: SavingsOrder,
  ): Promise<SavingsTransfer> {
    await repository.lockShared(dbTx)
    await ledger.lock(dbTx, { memberIds: [memberId] })
    const requireMay = direction === 'in' ? requireMayPutIn : requireMayAct
    await requireMay(dbTx, memberId, 'savings')
    const balances = await ledger.balances(dbTx, memberId)
    const balanceMicros = balances[asset][SOURCE[direction]]
    const judged = judgeSavingsTransfer({ asset, amountMicros, balanceMicros })
    if (!judged.ok) throw new AppError(judged.code)
    const at = now()
    const delayMs = direction === 'in' ? 0 : await outDelayMs(dbTx, asset, amountMicros, at)
    const row = await repository.insertTransfer(dbTx, {
      member_id: memberId,
      asset,
      direction,
      amount_micros: amountMicros,
      day: dayOf(at.getTime()),
      created_at: at,
      arrives_at: new Date(at.getTime() + delayMs),
      arrived_at: direction === 'in' ? at : null,
    })
    await move(dbTx, row, at, {
      kind: `savings_${direction}`,
      source: SOURCE[direction],
      destination: DESTINATION[direction],
    })
    return transferView(row)
  }

  async function outDelayMs(dbTx: Db, asset: PaymentAsset, amountMicros: Micros, at: Date): Promise<number> {
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const price = asset === 'USDT' ? null : await pricing.priceAt(dbTx, asset, at)
    return savingsOutDelayMs(asset, amountMicros, price?.priceMicros ?? null, plan)
  }

  /** Lets a transfer arrive, unless somebody else has done it. */
  async function arrive(dbTx: Db, { member_id, transfer_id }: TransferRow): Promise<boolean> {
    await ledger.lock(dbTx, { memberIds: [member_id] })
    const row = await repository.findLeaving(dbTx, member_id, transfer_id)
    if (row === undefined) return false
    const at = now()
    await move(dbTx, row, at, {
      kind: 'savings_arrival',
      source: 'savings_leaving',
      destination: 'available',
    })
    await repository.markArrived(dbTx, row, at)
    return true
  }

  return {
    /** Moves an amount from `available` into savings, at once. Throws INVALID_AMOUNT, INSUFFICIENT_BALANCE. */
    transferIn: (dbTx: Db, memberId: bigint, order: SavingsOrder): Promise<SavingsTransfer> =>
      transfer(dbTx, memberId, 'in', order),

    /**
     * Takes an amount out of savings. It earns nothing from now on, and is `available` at the time that the answer says.
     * Throws INVALID_AMOUNT, INSUFFICIENT_BALANCE.
     */
    transferOut: (dbTx: Db, memberId: bigint, order: SavingsOrder): Promise<SavingsTransfer> =>
      transfer(dbTx, memberId, 'out', order),

    /** Returns the arrival time of the next pending amount; null if there is none. */
    nextArrival: (): Promise<Date | null> => repository.nextArrival(db),

    /**
     * Lets every amount arrive whose time has come, in the order of their times, each in a dbTx of its own; how many did.
     * One that fails keeps none of the others waiting: its error is thrown at the end.
     */
    arriveDue: (): Promise<number> =>
      carryOutDue({
        read: (after: TransferRow | undefined, limit) => repository.dueTransfers(db, now(), after, limit),
        carryOut: (row) => inDbTx(db, (dbTx) => arrive(dbTx, row)),
        failure: 'savings did not arrive',
      }),

    /** A page of a member's transfers, newest first; those on their way alone when `leaving`. */
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
