import type { MoneyAsset, Withdrawal } from '@rif/api-schema'
import {
  type AuditReason,
  type Day,
  dayOf,
  type Micros,
  nextDay,
  type Plan,
  quoteWithdrawal,
  remainingToday,
  startOfDay,
  type WithdrawalQuote,
  type WithdrawalStatus,
  withdrawalWish,
} from '@rif/rules'
import { isAddress } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import { isClaimedAnywhere } from '../../../chain/bank-uses.ts'
import { readWallet } from '../../../chain/banks.ts'
import type { Chain } from '../../../chain/client.ts'
import type { AppliedPosition } from '../../../chain/indexer/position.ts'
import { reportMissed } from '../../../chain/missed-uses.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { Db } from '../../../db/database.ts'
import { readMember } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Signer } from '../../../signer/client.ts'
import { requireMayAct } from '../../access/gates/gates.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import type { RefundAmounts, RefundsService } from '../../shop/refunds/refunds.service.ts'
import type { Consent, ConsentsService, MemberWallet } from '../leaving.consents.service.ts'
import type { OneWayService } from '../leaving.one-way.service.ts'
import { type LeavingService, limitError } from '../leaving.service.ts'
import { withdrawalView } from './view.ts'
import { createClaims, signableClaim } from './withdrawals.claims.service.ts'
import { notifyStep } from './withdrawals.notices.service.ts'
import * as repository from './withdrawals.repository.ts'
import { createWithdrawalReview } from './withdrawals.review.service.ts'
import { createWithdrawalSteps, withdrawalMayBecome } from './withdrawals.steps.service.ts'

export type { WithdrawalReview } from './withdrawals.review.service.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly refunds: RefundsService
  readonly reversals: Reversals
  readonly members: MembersService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly adminLog: AdminLogService
  readonly leaving: LeavingService
  readonly consents: ConsentsService
  readonly oneWay: Pick<OneWayService, 'unsignedRead'>
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'once'>
  readonly chain: Chain
  readonly signer: Pick<Signer, 'claim'>
  readonly progress: ChainProgress
}

/** A member's request to withdraw; without an address, to the own wallet. */
export interface WithdrawalOrder {
  readonly asset: MoneyAsset
  readonly amountMicros: Micros
  readonly address: string | undefined
}

/** A checked request: the quote of the rules, and the facts used. */
export interface JudgedWithdrawal extends WithdrawalQuote {
  readonly to: string
  readonly signer: MemberWallet
  readonly level: number
  readonly day: Day
  readonly at: Date
  /** The used part of the daily limit, in USDT worth, before this request. */
  readonly remainingMicros: Micros
}

/** A member's limit for today; worths in USDT. */
export interface WithdrawalLimit {
  readonly level: number
  readonly limitMicros: Micros
  /** By withdrawals and transfers. */
  readonly usedMicros: Micros
  /** By both, within the last 24 hours. */
  readonly recentMicros: Micros
  /** By both and by conversions without a signature, within the last 24 hours. */
  readonly unsignedMicros: Micros
  readonly remainingMicros: Micros
  readonly resetsAt: Date
  readonly availableMicros: Readonly<Record<MoneyAsset, Micros>>
  /** The amounts left of free refunds, whether they are still available or not. */
  readonly refundsMicros: RefundAmounts
  readonly amcPriceMicros: Micros | null
  /** The median time from a request to its review; null while none was reviewed. */
  readonly usualReviewMs: number | null
  readonly plan: Plan
}

/** A withdrawal that the bank had not paid up to the end of a final block. */
export interface Unclaimed {
  readonly withdrawalId: bigint
  readonly asOf: AppliedPosition
}

export type WithdrawalsService = ReturnType<typeof createWithdrawals>

const NO_REFUNDS: RefundAmounts = { USDT: 0n, AMC: 0n }

/** Creates withdrawals from `available` to a wallet, their claims on chain and their review. Rules, section 7. */
export function createWithdrawals(deps: Deps) {
  const { now, ledger, refunds, members, plans, pricing, leaving, consents } = deps
  const book = createWithdrawalSteps({ ledger, refunds, reversals: deps.reversals })
  /**
   * Checks a request as of now. Throws INVALID_ADDRESS, INVALID_AMOUNT, PRICE_UNAVAILABLE,
   * AMOUNT_NOT_ABOVE_FEE, INSUFFICIENT_BALANCE, ADDRESS_NOT_SAVED, ADDRESS_TOO_NEW, and DAILY_LIMIT with the
   * rest of the day's limit: USDT worth, and amount of the asset.
   */
  async function judge(db: Db, memberId: bigint, order: WithdrawalOrder): Promise<JudgedWithdrawal> {
    const at = now()
    const day = dayOf(at.getTime())
    const member = await members.get(db, memberId)
    const address = order.address ?? member.address
    if (!isAddress(address)) throw new AppError('INVALID_ADDRESS')
    // Among others, a bank contract refuses itself and the tokens, so such a claim could never be made.
    const to = readWallet(deps.chain, address)
    const plan = await plans.planAt(db, day)
    const price = await pricing.priceAt(db, 'AMC', at)
    const balances = await ledger.balances(db, memberId)
    const free = to === member.address ? await refunds.left(db, memberId) : NO_REFUNDS
    const state = await leaving.stateOf(db, { kind: 'withdrawal', member, to, day, at }, plan)
    const quote = quoteWithdrawal(
      {
        asset: order.asset,
        amountMicros: order.amountMicros,
        availableMicros: balances[order.asset].available,
        refundsMicros: free[order.asset],
        amcPriceMicros: price?.priceMicros ?? null,
        ...state,
      },
      plan,
    )
    if (!quote.ok) throw quote.code === 'DAILY_LIMIT' ? limitError(quote) : new AppError(quote.code)
    const remainingMicros = remainingToday(member.level, state.usedTodayMicros, plan)
    return { ...quote, to, signer: member, level: member.level, day, at, remainingMicros }
  }

  const view = async (db: Db, row: repository.WithdrawalRow): Promise<Withdrawal> =>
    withdrawalView(row, await deps.progress.pace(db))

  /**
   * Throws CLAIM_STILL_VALID while a voucher of a withdrawal could be claimed in a block after `asOf`, or in
   * one that replaces it. A cancelled amount can be withdrawn again at once, so L1 must have finalised the
   * deadline too.
   */
  async function requireNoClaimLeft(
    db: Db,
    { seen_block, claim_expires_at: expiry }: repository.WithdrawalRow,
    asOf: AppliedPosition,
  ): Promise<void> {
    if (seen_block === null && expiry === null) return
    const l1Final = await deps.progress.l1Final(db)
    const isOver = expiry !== null && l1Final !== null && expiry < asOf.blockAt && expiry < l1Final.blockAt
    if (seen_block !== null || !isOver)
      throw new AppError('CLAIM_STILL_VALID', expiry === null ? {} : { expires_at: expiry.toISOString() })
  }

  return {
    judge,
    claimedSince: repository.claimedSince,
    /** Returns the withdrawals that the signer refuses. */
    refused: repository.refused,
    claims: createClaims({ ...deps, book }),
    review: createWithdrawalReview({ ...deps, book }),

    /** Returns today's limit and the rest of it. */
    async limit(db: Db, memberId: bigint): Promise<WithdrawalLimit> {
      const at = now()
      const day = dayOf(at.getTime())
      const plan = await plans.planAt(db, day)
      const { level } = await members.get(db, memberId)
      const balances = await ledger.balances(db, memberId)
      const price = await pricing.priceAt(db, 'AMC', at)
      const used = await leaving.used(db, memberId, day, at)
      const usedMicros = used.todayMicros
      return {
        level,
        limitMicros: remainingToday(level, 0n, plan),
        usedMicros,
        recentMicros: used.recentlyMicros,
        unsignedMicros: await readMember(db, memberId, deps.oneWay.unsignedRead(at)),
        remainingMicros: remainingToday(level, usedMicros, plan),
        resetsAt: new Date(startOfDay(nextDay(day))),
        availableMicros: { USDT: balances.USDT.available, AMC: balances.AMC.available },
        refundsMicros: await refunds.left(db, memberId),
        amcPriceMicros: price?.priceMicros ?? null,
        usualReviewMs: await repository.usualReviewMs(db),
        plan,
      }
    },

    /**
     * Checks a request, sets its amount aside and uses free refunds, under the member's lock. Throws as `judge` does,
     * SIGNATURE_REQUIRED without the consent that the rules require, and NONCE_INVALID.
     */
    async request(
      dbTx: Db,
      memberId: bigint,
      order: WithdrawalOrder,
      consent?: Consent,
    ): Promise<Withdrawal> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await requireMayAct(dbTx, memberId, 'withdrawals')
      const judged = await judge(dbTx, memberId, order)
      // Read after the balances, so that it covers every event that they depend on.
      const booked = await deps.progress.lastBooked(dbTx)
      const wish = withdrawalWish(order, judged)
      const nonce = await consents.use(dbTx, judged.signer, { wish, needed: judged.needsSignature, consent })
      const row = await repository.insertWithdrawal(dbTx, {
        member_id: memberId,
        asset: order.asset,
        amount_micros: order.amountMicros,
        refund_micros: judged.refundMicros,
        fee_micros: judged.feeMicros,
        worth_micros: judged.worthMicros,
        recent_micros: judged.recentMicros,
        level: judged.level,
        day: judged.day,
        to_address: judged.to,
        status: judged.status,
        reasons: judged.auditReasons as AuditReason[],
        created_at: judged.at,
        booked_block: booked.blockNumber,
        booked_block_at: booked.blockAt,
        consent_nonce: nonce,
      })
      await book.hold(dbTx, row)
      const which = { memberId, withdrawalId: row.withdrawal_id }
      await refunds.use(dbTx, which, { asset: order.asset, micros: judged.refundMicros })
      if (row.status === 'Withdrawable') await notifyStep(dbTx, row, 'claim_ready', judged.at)
      return view(dbTx, row)
    },

    /** Returns a member's withdrawal. Throws WITHDRAWAL_NOT_FOUND. */
    async get(db: Db, memberId: bigint, withdrawalId: bigint): Promise<Withdrawal> {
      const row = await repository.findWithdrawal(db, memberId, withdrawalId)
      if (row === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND')
      return view(db, row)
    },

    /** Returns the wallets that a member's withdrawals went to, in lower case. */
    receiversOf: repository.receiversOf,
    paidBy: repository.paidBy,

    /** Returns a page of a member's withdrawals, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { status?: WithdrawalStatus | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: Withdrawal[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const pace = await deps.progress.pace(db)
      const rows = await repository.listWithdrawals(db, memberId, { ...query, before })
      return toPage(
        rows,
        query.limit,
        (row) => withdrawalView(row, pace),
        (row) => encodeCursor(row.withdrawal_id),
      )
    },

    /**
     * Checks with every bank, before a withdrawal is cancelled, that it was not claimed. Do not call it
     * inside a transaction. Returns null if the withdrawal cannot be cancelled anyway. Throws
     * WITHDRAWAL_NOT_FOUND, CLAIM_STILL_VALID, PAID_ON_CHAIN, CHAIN_UNAVAILABLE.
     */
    async requireUnclaimed(db: Db, memberId: bigint, withdrawalId: bigint): Promise<Unclaimed | null> {
      // Read before the withdrawal, so that a claim up to this block is booked unless its event was missed.
      const asOf = await deps.progress.applied(db)
      const row = await repository.findWithdrawal(db, memberId, withdrawalId)
      if (row === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND')
      if (!withdrawalMayBecome(row, 'Cancelled')) return null
      await requireNoClaimLeft(db, row, asOf)
      const claim = signableClaim(deps.chain, row, 0n)
      if (await isClaimedAnywhere(deps.chain, claim, asOf.blockNumber)) {
        const { withdrawalId: onchainId } = claim
        const { blockNumber } = asOf
        await reportMissed(db, deps.alarms, { kind: 'Claimed', onchainId, blockNumber, at: now() })
        throw new AppError('PAID_ON_CHAIN')
      }
      return { withdrawalId, asOf }
    },

    /**
     * Cancels a withdrawal, with the result of `requireUnclaimed`, and restores its amount and the daily
     * limit. Throws WITHDRAWAL_NOT_FOUND, NOTHING_TO_CANCEL, CLAIM_STILL_VALID.
     */
    async cancel(dbTx: Db, memberId: bigint, unclaimed: Unclaimed | null): Promise<Withdrawal> {
      if (unclaimed === null) throw new AppError('NOTHING_TO_CANCEL')
      const row = await book.lock(dbTx, memberId, unclaimed.withdrawalId)
      if (!withdrawalMayBecome(row, 'Cancelled')) throw new AppError('NOTHING_TO_CANCEL')
      await requireNoClaimLeft(dbTx, row, unclaimed.asOf)
      const at = now()
      await book.giveBack(dbTx, row, at)
      const cancelled = await repository.updateWithdrawal(dbTx, row, {
        status: 'Cancelled',
        cancelled_at: at,
      })
      return view(dbTx, cancelled)
    },
  }
}
