import { dayOf, fromChainUnits, type Micros, toChainUnits } from '@rif/rules'
import { getAddress, type Hex, isAddressEqual } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import { isOrderPaid } from '../../../chain/bank-uses.ts'
import { bankAt } from '../../../chain/banks.ts'
import type { Chain } from '../../../chain/client.ts'
import { hasHandedOver, payingBank, takingBankRead } from '../../../chain/hand-over.ts'
import type { ChainEvent, EventPlace } from '../../../chain/indexer/events.ts'
import type { AppliedPosition } from '../../../chain/indexer/position.ts'
import { reportMissed } from '../../../chain/missed-uses.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import { approvalTxs, payOrderTx, type RawTx } from '../../../chain/raw-tx.ts'
import { unlessMissing } from '../../../chain/unless-missing.ts'
import type { Db } from '../../../db/database.ts'
import type { Read } from '../../../db/read.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { type Signer, unavailable } from '../../../signer/client.ts'
import type { LedgerLine, LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { RefundsService } from '../refunds/refunds.service.ts'
import {
  deleteUnmatchedPayment,
  findByPlace,
  findSame,
  findSuspended,
  insertRelease,
  insertUnmatchedPayment,
  type SuspendedPayment,
  wasSuspended,
} from './checkout.repository.ts'

/** An amount to be paid on chain, for an order of any capability. */
export interface Payable {
  readonly of: 'shop' | 'fund'
  readonly memberId: bigint
  readonly orderId: bigint
  /** The receiving bank, and the paying wallet in lower case. */
  readonly bank: string
  readonly payer: string
  /** The package whose copies the bank counts; 0 for a fund purchase. */
  readonly package: number
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  /** The quote's deadline, in whole seconds. */
  readonly expiresAt: Date
}

/** The reason why a payment does not pay an order. */
export type Mismatch = 'closed_order' | 'wrong_payer' | 'wrong_amount' | 'price_changed' | 'sale_stopped'

/** The payment that a member has reported, if any. */
export interface ReportedPayment {
  readonly tx_hash: string | null
  readonly reported_at: Date | null
}

/** The key of a payment in `suspense`. */
export interface SuspendedKey {
  readonly memberId: bigint
  readonly txHash: string
  readonly logIndex: number
}

interface Deps {
  readonly now: Now
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'once'>
  readonly chain: Chain
  readonly signer: Pick<Signer, 'quote'>
  readonly ledger: LedgerService
  readonly refunds: RefundsService
  readonly reversals: Reversals
  readonly progress: Pick<ChainProgress, 'isBookedForGood'>
}

/** The tokens of a payment that goes to `suspense`, in base units. */
interface SuspendedAmounts {
  readonly payer: string
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
  /** 0 for a deposit, which belongs to no order. */
  readonly chainOrderId: bigint
}

/** The member under whom a payment is booked in `suspense`, and the reason. */
export interface Suspension {
  readonly at: Date
  readonly memberId: bigint
  readonly reason: Mismatch | 'unknown_order' | 'set_aside'
}

export type Checkout = ReturnType<typeof createCheckout>

/** A hash may be reported before the node has the transaction. After this time it counts as vanished. */
const VANISHED_AFTER_MS = 60_000

/**
 * Creates the service of payments through the bank contract: transactions to sign, their outcome, and
 * payments that match no order.
 */
export function createCheckout(deps: Deps) {
  const { now, log, alarms, chain, signer, ledger, refunds, reversals, progress } = deps
  const { nodes, decimals } = chain
  async function suspend(
    dbTx: Db,
    place: EventPlace,
    payment: SuspendedAmounts,
    { at, memberId, reason }: Suspension,
  ): Promise<void> {
    const usdt = fromChainUnits(payment.usdtAmount, decimals.USDT)
    const amc = fromChainUnits(payment.amcAmount, decimals.AMC)
    const lines: LedgerLine[] = [
      { memberId, asset: 'USDT', source: 'external', destination: 'suspense', amountMicros: usdt.micros },
      { memberId, asset: 'AMC', source: 'external', destination: 'suspense', amountMicros: amc.micros },
    ]
    const movements = lines.filter((line) => line.amountMicros > 0n)
    if (movements.length > 0) {
      await ledger.post(dbTx, {
        key: await ledger.steps.nextKey(dbTx, memberId, suspenseKey(place)),
        kind: 'unmatched_payment',
        cause: { type: 'payment', id: place.txHash },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: movements,
      })
    }
    await insertUnmatchedPayment(dbTx, {
      member_id: memberId,
      tx_hash: place.txHash,
      log_index: place.logIndex,
      chain_order_id: `${payment.chainOrderId}`,
      payer: payment.payer.toLowerCase(),
      reason,
      usdt_micros: usdt.micros,
      amc_micros: amc.micros,
      usdt_dust: `${usdt.dust}`,
      amc_dust: `${amc.dust}`,
      paid_at: place.blockAt,
      collected_at: at,
    })
    const orderId = `${payment.chainOrderId}`
    log.warn({ txHash: place.txHash, orderId, reason }, 'payment put into suspense')
    const facts = { orderId, reason, txHash: place.txHash }
    await alarms.once('payment_unmatched', facts, { subject: `${place.txHash}/${place.logIndex}`, on: dbTx })
  }

  async function setAside(dbTx: Db, place: EventPlace, payment: SuspendedAmounts): Promise<void> {
    await ledger.lock(dbTx, { pools: ['suspense'], memberIds: [OPERATOR_MEMBER_ID] })
    await suspend(dbTx, place, payment, { at: now(), memberId: OPERATOR_MEMBER_ID, reason: 'set_aside' })
  }

  return {
    /** Returns the bank that quotes new orders, in lower case. Throws PAUSED if all have handed over. */
    bankOfNewOrder: async (dbTx: Db): Promise<string> =>
      (await payingBank(dbTx, chain.contracts, 'orders')).address.toLowerCase(),

    /** Returns the read of the bank that quotes new orders, in lower case; null if all have handed over. */
    bankRead(): Read<string | null> {
      const { rows, parse } = takingBankRead(chain.contracts)
      return { rows, parse: (json) => parse(json)?.toLowerCase() ?? null }
    },

    /** Throws ORDER_BANK_CLOSED if the order's bank has handed over and accepts no more payments. */
    async requireOpenBank(db: Db, bank: string): Promise<void> {
      if (await hasHandedOver(db, bank)) throw new AppError('ORDER_BANK_CLOSED')
    },

    /**
     * Returns an approval of exactly the amount due in one token; `tx` is null if the allowance suffices.
     * Throws CHAIN_UNAVAILABLE.
     */
    async approval(token: 'usdt' | 'amc', payable: Payable): Promise<{ tx: RawTx | null; before: RawTx[] }> {
      const amount =
        token === 'usdt'
          ? toChainUnits(payable.usdtMicros, decimals.USDT)
          : toChainUnits(payable.amcMicros, decimals.AMC)
      const bank = bankAt(chain, payable.bank)
      const txs = await approvalTxs(chain, bank, { token, owner: getAddress(payable.payer as Hex), amount })
      return { tx: txs.at(-1) ?? null, before: txs.slice(0, -1) }
    },

    /**
     * Returns the payment with its signed quote. Throws as the signer does, and SIGNER_UNAVAILABLE if it
     * signed another quote of the order, which the member chose in the meantime.
     */
    async payment(payable: Payable): Promise<{ tx: RawTx; deadline: string }> {
      const { order, signature } = await signer.quote(payable.of, payable.memberId, payable.orderId)
      const isSame =
        order.payer === getAddress(payable.payer as Hex) &&
        order.package === BigInt(payable.package) &&
        order.usdtAmount === toChainUnits(payable.usdtMicros, decimals.USDT) &&
        order.amcAmount === toChainUnits(payable.amcMicros, decimals.AMC) &&
        order.deadline === BigInt(payable.expiresAt.getTime() / 1_000)
      if (!isSame) throw unavailable(new Error('the signer signed another quote'))
      const tx = payOrderTx(chain, bankAt(chain, payable.bank), order, signature)
      return { tx, deadline: payable.expiresAt.toISOString() }
    },

    /**
     * Reports whether a reported payment is certain not to pay: reverted, gone, or final without the bank's
     * event. Throws NoQuorumError if the nodes do not answer, or are a block apart.
     */
    async hasFailed(reported: ReportedPayment, applied: AppliedPosition): Promise<boolean> {
      const hash = reported.tx_hash as Hex
      const receipt = await nodes.quorumRead(
        async (client) => {
          const fullReceipt = await unlessMissing(client.getTransactionReceipt({ hash }))
          return fullReceipt && { status: fullReceipt.status, blockNumber: fullReceipt.blockNumber }
        },
        { blames: false },
      )
      if (receipt !== null) return receipt.status === 'reverted' || receipt.blockNumber <= applied.blockNumber
      const isKnown = await nodes.quorumRead(
        async (client) => (await unlessMissing(client.getTransaction({ hash }))) !== null,
        { blames: false },
      )
      return !isKnown && now().getTime() - reported.reported_at!.getTime() > VANISHED_AFTER_MS
    },

    /**
     * Reports whether the bank was paid for an order whose payment is not booked, and raises an alarm: the
     * event was missed. A payment in `suspense` counts as booked. `applied` must be read before the order.
     * Throws CHAIN_UNAVAILABLE.
     */
    async missedPayment(
      db: Db,
      { orderId, bank, payer }: { orderId: bigint; bank: string; payer: string },
      applied: AppliedPosition,
    ): Promise<boolean> {
      const terms = { orderId, payer: getAddress(payer as Hex) }
      if (!(await isOrderPaid(chain, bankAt(chain, bank), terms, applied.blockNumber))) return false
      if (await wasSuspended(db, orderId, payer)) return false
      const { blockNumber } = applied
      await reportMissed(db, alarms, { kind: 'OrderPaid', onchainId: orderId, blockNumber, at: now() })
      return true
    },

    /**
     * Returns a payment that is still in `suspense`. Throws NOT_FOUND, and NOTHING_TO_REVIEW if it was
     * already released.
     */
    async suspended(db: Db, key: SuspendedKey): Promise<SuspendedPayment> {
      const payment = await findSuspended(db, key)
      if (payment === undefined) throw new AppError('NOT_FOUND')
      if (payment.isReleased) throw new AppError('NOTHING_TO_REVIEW')
      return payment
    },

    /**
     * Moves a payment from `suspense` to a member's `available`, once. A free one is a refund to its payer that costs no fee to
     * withdraw. Throws as `suspended` does, and PAYMENT_NOT_FINAL before L1 has finalised it.
     */
    async release(
      dbTx: Db,
      key: SuspendedKey,
      { toMemberId, isFree, actor }: { toMemberId: bigint; isFree: boolean; actor: string },
    ): Promise<void> {
      await ledger.lock(dbTx, { pools: ['suspense'], memberIds: [key.memberId, toMemberId] })
      const payment = await this.suspended(dbTx, key)
      if (!(await progress.isBookedForGood(dbTx, key))) throw new AppError('PAYMENT_NOT_FINAL')
      const at = now()
      const amounts = { USDT: payment.usdtMicros, AMC: payment.amcMicros }
      const isOwn = key.memberId === toMemberId
      const lines = (['USDT', 'AMC'] as const).flatMap((asset): LedgerLine[] => {
        const what = { asset, amountMicros: amounts[asset] }
        if (what.amountMicros === 0n) return []
        if (isOwn) return [{ memberId: toMemberId, source: 'suspense', destination: 'available', ...what }]
        return [
          { memberId: key.memberId, source: 'suspense', destination: 'clearing', ...what },
          { memberId: toMemberId, source: 'clearing', destination: 'available', ...what },
        ]
      })
      if (lines.length > 0) {
        await ledger.post(dbTx, {
          key: `suspense/${key.txHash}/${key.logIndex}`,
          kind: 'suspense_release',
          lines,
          cause: { type: 'payment', id: key.txHash },
          accountingDay: dayOf(at.getTime()),
          at,
        })
      }
      await insertRelease(dbTx, key, { toMemberId, actor, at })
      if (isFree) await refunds.allow(dbTx, toMemberId, key, { amounts, at })
    },

    /**
     * Posts a payment that matches no open order to `suspense` and records it. The caller has locked that
     * pool and the member's head.
     */
    async suspend(dbTx: Db, event: ChainEvent<'OrderPaid'>, booking: Suspension): Promise<void> {
      // A payment that was released and then removed by a reorganisation can be sent again: it repays the
      // operator.
      const payment = await findSame(dbTx, event)
      if (payment?.isReleased) {
        await reversals.undoMadeGood(dbTx, {
          key: suspenseKey(payment),
          memberId: payment.memberId,
          cause: { type: 'payment', id: event.txHash },
        })
        // Whoever withdraws at the same moment has not seen it yet.
        return refunds.restore(dbTx, payment)
      }
      await suspend(dbTx, event, { ...event.args, chainOrderId: event.args.orderId }, booking)
    },

    /** Books the money of a payment that cannot be applied in `suspense`, under the operator. */
    setPaymentAside: (dbTx: Db, event: ChainEvent<'OrderPaid'>) =>
      setAside(dbTx, event, { ...event.args, chainOrderId: event.args.orderId }),

    /** Books the money of a deposit of revenue that cannot be recorded in `suspense`, under the operator. */
    async setDepositAside(dbTx: Db, event: ChainEvent<'RevenueDeposited'>): Promise<void> {
      const { token, amount, from: payer } = event.args
      const isUsdt = isAddressEqual(token, chain.contracts.usdt)
      const amounts = { usdtAmount: isUsdt ? amount : 0n, amcAmount: isUsdt ? 0n : amount }
      await setAside(dbTx, event, { payer, ...amounts, chainOrderId: 0n })
    },

    /**
     * Takes a payment back out of `suspense`, for an event that a reorganisation removed. If it was released
     * to a member, it stays there and the operator covers it, but a refund is no longer free to withdraw. Returns undefined if
     * there is no such payment.
     */
    async unsuspend(
      dbTx: Db,
      event: ChainEvent<'OrderPaid' | 'RevenueDeposited'>,
    ): Promise<'undone' | 'covered' | undefined> {
      const suspended =
        event.name === 'OrderPaid'
          ? await findSame(dbTx, event as ChainEvent<'OrderPaid'>)
          : await findByPlace(dbTx, event)
      if (suspended === undefined) return undefined
      const { memberId, usdtMicros, amcMicros, isReleased } = suspended
      const cause = { type: 'payment', id: event.txHash }
      const key = suspenseKey(suspended)
      if (isReleased) {
        const amounts = { USDT: usdtMicros, AMC: amcMicros }
        const payerId = await refunds.ownerOf(dbTx, suspended)
        if (payerId !== undefined)
          await ledger.lock(dbTx, { memberIds: [OPERATOR_MEMBER_ID, memberId, payerId] })
        await reversals.makeGood(dbTx, { key, memberId, amounts, cause })
        await refunds.lose(dbTx, suspended)
        return 'covered'
      }
      const standing = await ledger.steps.standingKey(dbTx, memberId, key)
      await reversals.undo(dbTx, {
        keys: standing === undefined ? [] : [standing],
        memberIds: [memberId],
        cause,
      })
      await deleteUnmatchedPayment(dbTx, suspended)
      return 'undone'
    },
  }
}

const suspenseKey = ({ txHash, logIndex }: Pick<SuspendedKey, 'txHash' | 'logIndex'>) =>
  `unmatched/${txHash}/${logIndex}`
