import type { Transfer } from '@rif/api-schema'
import {
  type Asset,
  type AuditReason,
  canTransition,
  type Day,
  dayOf,
  formatMicros,
  judgeDeparture,
  judgeTransfer,
  type Micros,
  type PaymentAsset,
  type Plan,
  priceOf,
  remainingToday,
  startOfDay,
  TRANSFER_TRANSITIONS,
  worth,
} from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type Db, inTx } from '../../../db/database.ts'
import { readTogether } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { type IdempotentRequest, idempotent } from '../../../lib/idempotency.ts'
import { gateRead, passIn } from '../../access/gates/gates.service.ts'
import type { LedgerService, MemberBalances } from '../../books/ledger/ledger.service.ts'
import type { Member, MembersService } from '../../members/members.service.ts'
import { addressRefusalRead, refuse } from '../../members/reach/reach.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import { type AddressesService, readAddress } from '../leaving.addresses.service.ts'
import type { Consent, ConsentsService } from '../leaving.consents.service.ts'
import { type LeavingService, limitError, type Past } from '../leaving.service.ts'
import * as repository from './transfers.repository.ts'
import { createTransferReview } from './transfers.review.service.ts'
import { createTransferSteps } from './transfers.steps.service.ts'

const TRANSFER_GATE = gateRead('withdrawals', 'transfers')

export type { TransferReview } from './transfers.review.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: LedgerService
  readonly adminLog: AdminLogService
  readonly members: MembersService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly leaving: LeavingService
  readonly consents: ConsentsService
  readonly contacts: AddressesService
  /** False only in a simulation, where transfers have no limit and no review. */
  readonly transfersLimited: boolean
}

/** A requested transfer to another member. */
export interface TransferOrder {
  readonly asset: Asset
  readonly amountMicros: Micros
  /** The other member's wallet. */
  readonly address: string
}

/** The sender's signature and the client's key, if any. */
export interface TransferRequest {
  readonly consent?: Consent | undefined
  readonly request?: IdempotentRequest | undefined
}

/** A checked transfer, with the facts used. */
export interface JudgedTransfer {
  readonly from: Member
  readonly to: Member
  readonly asset: PaymentAsset
  readonly worthMicros: Micros
  readonly recentMicros: Micros
  /** The used part of the daily limit, in USDT worth, before this transfer. */
  readonly remainingMicros: Micros
  readonly reasons: readonly AuditReason[]
  readonly needsSignature: boolean
  readonly at: Date
}

/** A query of a member's transfers; UTC days, both included. */
export interface TransferQuery {
  readonly direction?: 'in' | 'out' | undefined
  readonly asset?: PaymentAsset | undefined
  readonly address?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const DAY_MS = 86_400_000

/** The facts that decide whether a transfer is allowed, as of a time. */
interface Facts {
  readonly from: Member
  readonly to: Member | undefined
  readonly balances: MemberBalances
  readonly prices: ReadonlyMap<string, Micros>
  readonly past: Past
  readonly at: Date
}

export type TransfersService = ReturnType<typeof createTransfersService>

/** Creates the service of internal transfers between members' `available`, without a fee. Rules, section 10. */
export function createTransfersService(deps: Deps) {
  const { now, ledger, members, plans, pricing, leaving, consents, contacts } = deps
  const steps = createTransferSteps({ ledger })

  async function view(
    db: Db,
    memberId: bigint,
    rows: readonly repository.TransferRow[],
  ): Promise<Transfer[]> {
    const addresses = await members.addresses(db, [...new Set(rows.map((row) => row.counterpart_id))])
    const labels = await contacts.labels(db, memberId, [...addresses.values()])
    return rows.map((row) => {
      const address = addresses.get(row.counterpart_id)!
      return transferView(row, { address, label: labels.get(address) ?? null })
    })
  }

  /** Returns the reads of all facts that a transfer to an address (lower case) and its member depends on. */
  const factsReads = (address: string, to: Member | undefined, at: Date) => ({
    from: members.memberRead,
    balances: ledger.balancesRead,
    prices: pricing.pricesRead(['AMC'], at),
    past: leaving.pastRead({ kind: 'transfer', to: address, day: dayOf(at.getTime()), at }, to?.memberId),
  })

  /**
   * Checks a transfer against the results of `factsReads`. Throws ASSET_NOT_ALLOWED, INVALID_AMOUNT,
   * ADDRESS_NOT_REGISTERED, SELF_TRANSFER, BELOW_MINIMUM with the minimum, INSUFFICIENT_BALANCE,
   * PRICE_UNAVAILABLE, ADDRESS_NOT_SAVED, ADDRESS_TOO_NEW, and DAILY_LIMIT with the rest of the day's limit:
   * USDT worth, and amount of the asset.
   */
  function judgeBy(facts: Facts, { asset, amountMicros }: TransferOrder, plan: Plan): JudgedTransfer {
    const { from, to, balances } = facts
    const judged = judgeTransfer(
      {
        asset,
        amountMicros,
        availableMicros: balances[asset].available,
        receiver: to === undefined ? 'unknown' : to.memberId === from.memberId ? 'self' : 'member',
      },
      plan,
    )
    if (!judged.ok) {
      const minimum = { minimum: formatMicros(plan.transfer.minimumMicros) }
      throw new AppError(judged.code, judged.code === 'BELOW_MINIMUM' ? minimum : {})
    }
    const parties = { from, to: to!, asset: asset as PaymentAsset, at: facts.at }
    return { ...parties, ...judgeLeaving(facts, { ...parties, amountMicros, plan }) }
  }

  /** Applies the policy for movements that leave a member. */
  function judgeLeaving(
    { past, prices }: Facts,
    transfer: { from: Member; to: Member; asset: PaymentAsset; amountMicros: Micros; at: Date; plan: Plan },
  ): Omit<JudgedTransfer, 'from' | 'to' | 'asset' | 'at'> {
    const { from, to, asset, amountMicros, at, plan } = transfer
    if (!deps.transfersLimited) {
      const nothing = { worthMicros: 0n, recentMicros: 0n, remainingMicros: 0n }
      return { ...nothing, reasons: [], needsSignature: false }
    }
    const priceMicros = priceOf(asset, prices.get('AMC') ?? null)
    if (priceMicros === null) throw new AppError('PRICE_UNAVAILABLE')
    const departure = {
      kind: 'transfer',
      member: from,
      to: to.address,
      day: dayOf(at.getTime()),
      at,
    } as const
    const state = leaving.judge(past, departure, plan)
    const worthMicros = worth(amountMicros, priceMicros)
    const judged = judgeDeparture({ ...state, worthMicros }, priceMicros, plan)
    if (!judged.ok) throw limitError(judged)
    const { recentMicros, auditReasons: reasons, needsSignature } = judged
    const remainingMicros = remainingToday(from.level, state.usedTodayMicros, plan)
    return { worthMicros, recentMicros, remainingMicros, reasons, needsSignature }
  }

  /** Sends an amount to another member, or holds it for review, under the locks of both. */
  async function execute(
    dbTx: Db,
    memberId: bigint,
    order: TransferOrder,
    consent: Consent | undefined,
  ): Promise<Transfer> {
    const address = readAddress(order.address)
    const at = now()
    const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
    const receiver = await members.findByAddress(dbTx, address)
    await ledger.lock(dbTx, { memberIds: receiver ? [memberId, receiver.memberId] : [memberId] })
    const { gate, refused, label, transferId, isUsed, ...facts } = await readTogether(dbTx, memberId, {
      gate: TRANSFER_GATE,
      refused: addressRefusalRead(address),
      label: contacts.labelRead(address, receiver?.memberId),
      transferId: repository.nextTransferRead,
      isUsed: consents.usedRead(memberId, consent),
      ...factsReads(address, receiver, at),
    })
    passIn(gate)
    if (receiver !== undefined) refuse(refused)
    const judged = judgeBy({ ...facts, to: receiver, at }, order, plan)
    const { from, to, asset, reasons, needsSignature: needed } = judged
    const amount = formatMicros(order.amountMicros)
    const wish = { kind: 'transfer', asset, amount, to: to.address } as const
    const consentNonce = await consents.use(dbTx, from, { wish, needed, consent, isUsed })
    const isHeld = reasons.length > 0
    const row: repository.TransferRow = {
      member_id: memberId,
      transfer_id: transferId,
      counterpart_id: to.memberId,
      direction: 'out',
      asset,
      amount_micros: order.amountMicros,
      level: from.level,
      reasons: [...reasons],
      worth_micros: judged.worthMicros,
      recent_micros: judged.recentMicros,
      created_at: at,
      ...(isHeld ? { status: 'Auditing', completed_at: null } : { status: 'Success', completed_at: at }),
      reviewed_at: null,
      reviewed_by: null,
      review_reason: null,
      consent_nonce: consentNonce,
    }
    if (isHeld) await steps.hold(dbTx, row)
    else {
      await contacts.noteSent(dbTx, memberId, to.address, at)
      await steps.send(dbTx, row)
    }
    return transferView(row, { address: to.address, label })
  }

  /**
   * Sends an amount to another member, or holds it for review, once per client key. Throws as `judge`, PAUSED,
   * MEMBER_FROZEN, SIGNATURE_REQUIRED without the consent that the rules require, and NONCE_INVALID.
   */
  const transfer = (
    dbTx: Db,
    memberId: bigint,
    order: TransferOrder,
    { consent, request }: TransferRequest = {},
  ): Promise<Transfer> => idempotent(dbTx, request, now(), () => execute(dbTx, memberId, order, consent))

  return {
    /** Checks a transfer as of now. Throws INVALID_ADDRESS, and as `judgeBy`. */
    async judge(db: Db, memberId: bigint, order: TransferOrder): Promise<JudgedTransfer> {
      const at = now()
      const plan = await plans.planAt(db, dayOf(at.getTime()))
      const address = readAddress(order.address)
      const to = await members.findByAddress(db, address)
      const facts = await readTogether(db, memberId, factsReads(address, to, at))
      return judgeBy({ ...facts, to, at }, order, plan)
    },

    review: createTransferReview({ ...deps, steps }),

    /** Returns the other member of a member's transfer. Throws NOT_FOUND. */
    async counterpart(db: Db, memberId: bigint, transferId: bigint): Promise<bigint> {
      const counterpartId = await repository.counterpartOf(db, memberId, transferId)
      if (counterpartId === undefined) throw new AppError('NOT_FOUND')
      return counterpartId
    },

    /** Returns the other members of a member's transfers. */
    counterpartsOf: repository.counterpartsOf,

    /** Runs `transfer` in its own transaction. */
    send: (db: Db, memberId: bigint, order: TransferOrder, wish?: TransferRequest): Promise<Transfer> =>
      inTx(db, (dbTx) => transfer(dbTx, memberId, order, wish)),

    transfer,

    /**
     * Cancels a held transfer and restores its amount and the daily limit. Throws TRANSFER_NOT_FOUND and
     * NOTHING_TO_CANCEL.
     */
    async cancel(dbTx: Db, memberId: bigint, transferId: bigint): Promise<Transfer> {
      const row = await steps.lock(dbTx, memberId, transferId)
      if (!canTransition(TRANSFER_TRANSITIONS, row.status, 'Cancelled')) {
        throw new AppError('NOTHING_TO_CANCEL')
      }
      await steps.release(dbTx, row, now())
      const cancelled = await repository.endHold(dbTx, row, { status: 'Cancelled' })
      return (await view(dbTx, memberId, [cancelled]))[0]!
    },

    /** Returns the current minimum of a transfer. */
    async minimumMicros(db: Db): Promise<Micros> {
      return (await plans.planAt(db, dayOf(now().getTime()))).transfer.minimumMicros
    },

    /** Returns a page of a member's transfers, newest first. Throws VALIDATION_FAILED on an invalid cursor. */
    async list(
      db: Db,
      memberId: bigint,
      query: TransferQuery,
    ): Promise<{ items: Transfer[]; next: string | null }> {
      const cursor = decodeCursor(query.cursor, 2)
      const before = cursor && ([cursor[0]!, cursor[1]!] as const)
      const counterpart = query.address && (await members.findByAddress(db, query.address))
      if (query.address && !counterpart) return { items: [], next: null }
      const filter = {
        direction: query.direction,
        asset: query.asset,
        counterpartId: counterpart ? counterpart.memberId : undefined,
        from: query.from === undefined ? undefined : new Date(startOfDay(query.from)),
        before: query.to === undefined ? undefined : new Date(startOfDay(query.to) + DAY_MS),
      }
      const rows = await repository.listTransfers(db, memberId, filter, { before, limit: query.limit + 1 })
      const page = toPage(
        rows,
        query.limit,
        (row) => row,
        (row) => encodeCursor(row.created_at.getTime(), row.transfer_id),
      )
      return { items: await view(db, memberId, page.items), next: page.next }
    },
  }
}

/** Returns a transfer in the API's format. The other member's address is in lower case. */
function transferView(
  row: repository.TransferRow,
  { address, label }: { address: string; label: string | null },
): Transfer {
  return {
    transfer_id: `${row.transfer_id}`,
    direction: row.direction,
    label,
    counterpart: getAddress(address as Hex),
    asset: row.asset,
    amount: formatMicros(row.amount_micros),
    status: row.status,
    reasons: [...row.reasons],
    reject_reason: row.status === 'Rejected' ? row.review_reason : null,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
