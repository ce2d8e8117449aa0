import type { FundOrder } from '@rif/api-schema'
import { MICRO, parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { applyFinal, type ChainEvent } from '../../../chain/indexer/events.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { hashOfText } from '../../../simulate/simulated-chain.ts'
import { createBooks } from '../../../simulate/testing/books.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { FUND_CHECKS } from '../audit.ts'
import type { ValuationDraft } from '../investing/valuations.service.ts'

/** The terms of a product in a test; rates in millionths. */
export interface BooksTerms {
  readonly minimum: bigint
  readonly lockDays: number
  readonly weekdays: readonly number[]
  readonly subscription: bigint
  readonly redemption: bigint
  readonly management: bigint
  readonly soldPpm?: number
}

/** The difference between a payment and its order. */
export type PaymentFault = 'none' | 'amount' | 'payer'

export type FundBooks = ReturnType<typeof createFundBooks>

const SOMEBODY = `0x${'99'.repeat(20)}` as const

/**
 * Creates the services with the actions of the fund: the steps of both admins together, and payments as the
 * indexer passes them on.
 */
export function createFundBooks({ db }: { db: Db }, start: string) {
  const books = createBooks({ db }, Date.parse(start), { navsGoStale: true })
  const { services } = books
  const { chain, fund, ledger, now, eventHandlers } = services
  let nonce = 0
  const admins = <T>(work: (dbTx: Db) => Promise<T>) => inTx(db, work)

  const evidence = {
    heldAt: 'the custodian',
    document: { title: 'Statement', mediaType: 'text/plain', content: Buffer.from('worth it') },
  }

  function decide(terms: Omit<ValuationDraft, 'evidence' | 'actor'>): Promise<void> {
    return admins(async (dbTx) => {
      const draft = { ...terms, evidence, actor: 'anna' }
      const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
      await fund.valuations.approve(dbTx, { valuationId, actor: 'ben' })
    })
  }

  function review(memberId: bigint, redemptionId: bigint, approve: boolean): Promise<void> {
    const subject = { memberId, redemptionId, approve, reason: 'looked at', actor: 'anna' }
    return admins((dbTx) => fund.review.review(dbTx, subject))
  }
  function confirm(memberId: bigint, redemptionId: bigint): Promise<void> {
    return admins((dbTx) => fund.review.confirm(dbTx, { memberId, redemptionId, actor: 'ben' }))
  }

  return {
    db,
    services,
    now,
    begin: () => services.plans.ensureDefault(db),
    advance: books.advance,
    goTo: (time: string) => books.setClock(Date.parse(time)),

    /** Joins a member with a balance. */
    async join(sponsorId: bigint | null, availableMicros: bigint) {
      const member = await books.join(sponsorId, 'auto')
      const { memberId } = member
      await books.bring('grant', {
        memberId,
        asset: 'USDT',
        destination: 'available',
        amountMicros: availableMicros,
      })
      return member
    },

    async open(name: string, terms: BooksTerms, openingMicros: bigint): Promise<bigint> {
      const { productId } = await admins(async (dbTx) => {
        const made = await fund.products.prepare(dbTx, {
          name,
          introduction: { en: name },
          riskLevel: 1,
          estimatedAnnualReturnPpm: 0,
          documents: [],
          terms: {
            minimumMicros: terms.minimum,
            lockDays: terms.lockDays,
            redeemableWeekdays: terms.weekdays,
            subscriptionPpm: Number(terms.subscription),
            redemptionPpm: Number(terms.redemption),
            managementPpm: Number(terms.management),
          },
          limits: { maxMemberUnits: null, maxUnits: null, soldPpm: terms.soldPpm ?? null },
          openingMicros,
          actor: 'anna',
        })
        await fund.products.approve(dbTx, { productId: made.productId, actor: 'ben' })
        return made
      })
      return productId
    },

    /** Returns a payment of an order as the chain shows it, and its amount in micro-units. */
    payment(order: FundOrder, fault: PaymentFault): { event: ChainEvent<'OrderPaid'>; paid: bigint } {
      const paid = parseMicros(order.total) + (fault === 'amount' ? 1n : 0n)
      const place = { blockNumber: BigInt(++nonce), blockHash: hashOfText('block'), blockAt: now() }
      return {
        paid,
        event: {
          name: 'OrderPaid',
          ...place,
          txHash: hashOfText(`tx ${nonce}`),
          logIndex: 0,
          contract: chain.contracts.bank,
          args: {
            orderId: BigInt(order.chain_order_id),
            payer: fault === 'payer' ? SOMEBODY : (order.payer as Address),
            usdtAmount: paid,
            amcAmount: 0n,
          },
        },
      }
    },
    hand: (step: 'onSeen' | 'onDropped' | 'onFinal', event: ChainEvent<'OrderPaid'>) =>
      inTx(db, async (dbTx) =>
        step === 'onFinal'
          ? applyFinal(eventHandlers, dbTx, [event])
          : eventHandlers.OrderPaid![step]?.(dbTx, event),
      ),

    /** Cancels the orders whose deadline has passed on the chain; the chain uses the test's clock. */
    async expire(): Promise<void> {
      await sql`
        insert into chain_cursors (chain_id, contracts, finalised_number, finalised_hash, finalised_block_at,
          applied_number, applied_block_at, head_number, polled_at)
        values (${chain.chainId}, 'test', 1, 'test', ${now()}, 1, ${now()}, 1, ${now()})
        on conflict (chain_id) do update set applied_block_at = excluded.applied_block_at`.execute(db)
      await fund.expire(db)
    },

    async decide(memberId: bigint, redemptionId: bigint, approve: boolean): Promise<void> {
      await review(memberId, redemptionId, approve)
      await confirm(memberId, redemptionId)
    },
    review,
    confirm,

    /** Invests cash of a product: announced by two admins and paid at once. */
    invest: (productId: bigint, amountMicros: bigint): Promise<void> =>
      admins(async (dbTx) => {
        const draft = { productId, amountMicros, destination: SOMEBODY, evidence }
        const people = { preparedBy: 'anna', approvedBy: 'ben' }
        const { investment_id } = await fund.investments.setAside(dbTx, { ...draft, ...people })
        await fund.investments.invest(dbTx, { investmentId: investment_id })
      }),
    value: (productId: bigint, valueMicros: bigint): Promise<void> => decide({ productId, valueMicros }),
    divest: (productId: bigint, amountMicros: bigint, leftMicros: bigint): Promise<void> =>
      decide({ productId, amountMicros, valueMicros: leftMicros }),

    /** Returns the operator's fees and revenue, and the payments that match no order. */
    async operator(): Promise<{ fees: bigint; revenue: bigint; suspense: bigint }> {
      const sums = await ledger.flows.accountsNow(db, ['fees', 'revenue'])
      const balanceOf = (account: string) =>
        sums.find((sum) => sum.account === account && sum.asset === 'USDT')?.micros ?? 0n
      const { USDT } = await ledger.pools.balances(db, 'suspense')
      return { fees: balanceOf('fees'), revenue: balanceOf('revenue'), suspense: USDT }
    },

    audit: () => auditLedger(db, { checks: FUND_CHECKS }),
  }
}

/** Returns the micro-units of whole USDT. */
export const usdt = (whole: number): bigint => BigInt(whole) * MICRO
