import type { MoneyAsset, SavingsTransfer } from '@rif/api-schema'
import {
  dayOf,
  formatMicros,
  judgeSavingsTransfer,
  type MemberAccount,
  type MemberWish,
  type Micros,
  type PaymentAsset,
  type Plan,
  priceOf,
  RECENT_MS,
  savingsInWorth,
  savingsOutDelayMs,
  worth,
} from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import { constantRead, readTogether } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { carryOutDue } from '../../lib/due.ts'
import { AppError } from '../../lib/errors.ts'
import { type IdempotentRequest, idempotent } from '../../lib/idempotency.ts'
import { gateRead, passIn, passOut } from '../access/gates/gates.service.ts'
import type { TransactionKind } from '../books/ledger/accounts.ts'
import type { JournalEntry, LedgerService, MemberBalances } from '../books/ledger/ledger.service.ts'
import type { Consent, ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../leaving/leaving.one-way.service.ts'
import type { Member, MembersService } from '../members/members.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'
import type { Direction, SavingsTransferRow } from './savings.repository.ts'
import * as repository from './savings.repository.ts'
import { transferView } from './view.ts'

const SAVINGS_GATE = gateRead('savings')

export interface SavingsDeps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly members: MembersService
  readonly consents: ConsentsService
  readonly oneWay: OneWayService
}

/** A member's request to move an amount into or out of savings. */
export interface SavingsOrder {
  readonly asset: MoneyAsset
  readonly amountMicros: Micros
}

/** The member's signature and the client's key, if any. */
export interface SavingsRequest {
  readonly request?: IdempotentRequest | undefined
  readonly consent?: Consent | undefined
  /** True for a standing transfer, which was signed when it was made. */
  readonly isSigned?: boolean
}

/** The facts that decide whether a transfer into savings needs a signature. */
interface Facts {
  readonly from: Member
  readonly balances: MemberBalances
  readonly prices: ReadonlyMap<string, Micros>
  readonly unsignedMicros: Micros
  readonly isUsed: boolean | undefined
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
  const { db, now, ledger, plans, pricing, members, consents, oneWay } = deps

  /** Returns one movement of a transfer's money; each step has its own key, so it happens once. */
  function movementOf(
    row: SavingsTransferRow,
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
   * Allows a transfer into savings by the policy of what cannot be taken back at the same worth, and counts it.
   * Throws SIGNATURE_REQUIRED and NONCE_INVALID.
   */
  function allowIn(
    dbTx: Db,
    { asset, amountMicros }: SavingsOrder,
    { from, balances, prices, unsignedMicros, isUsed }: Facts,
    { consent, ...transfer }: { id: bigint; at: Date; plan: Plan; consent: Consent | undefined },
  ): Promise<void> {
    const saved = (name: PaymentAsset) => balances[name].savings + balances[name].savings_leaving
    const savedFunds = {
      usdtMicros: saved('USDT'),
      amcMicros: saved('AMC'),
      amcPriceMicros: prices.get('AMC') ?? null,
    }
    const { id, at, plan } = transfer
    const move = {
      wish: savingsWish({ asset, amountMicros }),
      worthMicros: savingsInWorth(asset, amountMicros, savedFunds, plan),
      unsignedMicros,
      plan,
      consent,
      isUsed,
    }
    return oneWay.allow(dbTx, from, move, { way: 'savings_in', id, at })
  }

  /**
   * Executes a transfer under the member's lock. Settlement of a day waits for transfers in progress, and the
   * clock is read after taking that lock, so all transfers of the day are there when its interest is
   * computed. The price of a withdrawal is that of the request.
   */
  async function execute(
    dbTx: Db,
    memberId: bigint,
    direction: Direction,
    { asset, amountMicros }: SavingsOrder,
    { consent, isSigned = false }: SavingsRequest,
  ): Promise<SavingsTransfer> {
    await repository.lockShared(dbTx)
    await ledger.lock(dbTx, { memberIds: [memberId] })
    const isIn = direction === 'in'
    const mayNeedConsent = isIn && !isSigned
    const askedAt = now()
    const { gate, transferId, recentOut, ...facts } = await readTogether(dbTx, memberId, {
      gate: SAVINGS_GATE,
      balances: ledger.balancesRead,
      prices: pricing.pricesRead(mayNeedConsent || asset === 'AMC' ? ['AMC'] : [], askedAt),
      transferId: repository.nextSavingsTransferRead,
      from: members.memberRead,
      unsignedMicros: mayNeedConsent ? oneWay.unsignedRead(askedAt) : constantRead(0n),
      isUsed: consents.usedRead(memberId, consent),
      recentOut: isIn ? constantRead(0n) : repository.recentOutRead(recentSince(askedAt)),
    })
    const pass = isIn ? passIn : passOut
    pass(gate)
    const { balances, prices } = facts
    const balanceMicros = balances[asset][SOURCE[direction]]
    const judged = judgeSavingsTransfer({ asset, amountMicros, balanceMicros })
    if (!judged.ok) throw new AppError(judged.code)
    const at = now()
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const priceMicros = priceOf(asset, prices.get('AMC') ?? null)
    const worthMicros = priceMicros === null ? null : worth(amountMicros, priceMicros)
    const order = { asset, amountMicros }
    if (mayNeedConsent) await allowIn(dbTx, order, facts, { id: transferId, at, plan, consent })
    const delayMs = isIn ? 0 : savingsOutDelayMs(worthMicros, recentOut, plan)
    const row: SavingsTransferRow = {
      member_id: memberId,
      transfer_id: transferId,
      asset,
      direction,
      amount_micros: amountMicros,
      worth_micros: isIn ? null : worthMicros,
      day: dayOf(at.getTime()),
      created_at: at,
      arrives_at: new Date(at.getTime() + delayMs),
      arrived_at: isIn ? at : null,
    }
    await repository.insertTransfer(dbTx, row)
    const movement = movementOf(row, at, {
      kind: `savings_${direction}`,
      source: SOURCE[direction],
      destination: DESTINATION[direction],
    })
    await ledger.post(dbTx, movement)
    return transferView(row)
  }

  const transfer = (
    dbTx: Db,
    memberId: bigint,
    direction: Direction,
    order: SavingsOrder,
    wish: SavingsRequest,
  ): Promise<SavingsTransfer> =>
    idempotent(dbTx, wish.request, now(), () => execute(dbTx, memberId, direction, order, wish))

  /** Completes the arrival of a transfer, unless another process has done it. */
  async function arrive(dbTx: Db, { member_id, transfer_id }: SavingsTransferRow): Promise<boolean> {
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
     * INSUFFICIENT_BALANCE, SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    transferIn: (
      dbTx: Db,
      memberId: bigint,
      order: SavingsOrder,
      request: SavingsRequest = {},
    ): Promise<SavingsTransfer> => transfer(dbTx, memberId, 'in', order, request),

    /**
     * Withdraws an amount from savings. It earns no more interest, and becomes `available` at the returned
     * time. Throws INVALID_AMOUNT, INSUFFICIENT_BALANCE.
     */
    transferOut: (
      dbTx: Db,
      memberId: bigint,
      order: SavingsOrder,
      request: Pick<SavingsRequest, 'request'> = {},
    ): Promise<SavingsTransfer> => transfer(dbTx, memberId, 'out', order, request),

    /** Returns the arrival time of the next pending amount; null if there is none. */
    nextArrival: (): Promise<Date | null> => repository.nextArrival(db),

    /**
     * Completes the arrival of every due amount, in the order of their times, each in its own transaction.
     * Returns the number. A failure does not block the others: its error is thrown at the end.
     */
    arriveDue: (): Promise<number> =>
      carryOutDue({
        read: (after: SavingsTransferRow | undefined, limit) =>
          repository.dueTransfers(db, now(), after, limit),
        carryOut: (row) => inTx(db, (dbTx) => arrive(dbTx, row)),
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
      const rows = await repository.listSavingsTransfers(dbOrTx, memberId, { ...query, before })
      return toPage(rows, query.limit, transferView, (row) => encodeCursor(row.transfer_id))
    },
  }
}

const recentSince = (at: Date) => new Date(at.getTime() - RECENT_MS)

/** Returns the statement of a transfer into savings that the member's wallet signs. */
export const savingsWish = ({ asset, amountMicros }: SavingsOrder) =>
  ({ kind: 'savings_in', asset, amount: formatMicros(amountMicros) }) as const satisfies MemberWish
