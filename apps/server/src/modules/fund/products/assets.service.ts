import { dayOf, dealingStop, type FundAssets, type Micros, max } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { custodyAccount, type PoolAccount } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import * as valuations from '../investing/valuations.repository.ts'
import type { NavCause, NavRow, ProductRow } from './products.repository.ts'
import * as repository from './products.repository.ts'
import { type FundProducts, isClosedForGood } from './products.service.ts'

/** A product whose row, custody and heads of members are locked, with its assets. */
export interface LockedProduct {
  readonly product: ProductRow
  readonly assets: FundAssets
}

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly products: FundProducts
  /** False in a simulation. */
  readonly navsGoStale: boolean
}

export type FundAssetsService = ReturnType<typeof createFundAssets>

/** Creates the common part of all changes of a product's assets: locks, NAV and cash. Rules, section 8. */
export function createFundAssets({ now, ledger, plans, products, navsGoStale }: Deps) {
  async function read(db: Db, product: ProductRow): Promise<FundAssets> {
    const { USDT } = await ledger.pools.balances(db, custodyAccount(product.product_id))
    return repository.assetsOf(product, USDT)
  }

  /** Returns the reason why a product does not deal at a time; null if it deals. */
  async function stop(db: Db, product: ProductRow, at: Date): Promise<'NAV_STALE' | null> {
    const plan = await plans.planAt(db, dayOf(at.getTime()))
    const isValuationProposed = await valuations.isStopping(db, product.product_id, at)
    const dealing = {
      isInvested: product.is_invested && navsGoStale,
      valuedAtMs: product.valued_at?.getTime() ?? null,
      isValuationProposed,
    }
    return dealingStop(dealing, at.getTime(), plan)
  }

  return {
    read,

    /** Throws NAV_STALE unless the product deals now (buys, approves and pays). */
    async requireDealing(db: Db, product: ProductRow): Promise<void> {
      const reason = await stop(db, product, now())
      if (reason !== null) throw new AppError(reason)
    },

    /** Returns the reason why the product does not deal now; null if it deals. */
    stopNow: (db: Db, product: ProductRow) => stop(db, product, now()),

    /** Locks the rows of products in ascending order. Returns the pools of their custody. */
    async lockRows(dbTx: Db, productIds: readonly bigint[]): Promise<PoolAccount[]> {
      const ids = [...new Set(productIds)].sort((a, b) => (a < b ? -1 : 1))
      for (const productId of ids) await products.lock(dbTx, productId)
      return ids.map(custodyAccount)
    },

    /** Locks a product, then its custody with other pools and the heads of members, and reads its assets. Throws PRODUCT_NOT_FOUND. */
    async lock(
      dbTx: Db,
      productId: bigint,
      memberIds: readonly bigint[],
      pools: readonly PoolAccount[] = [],
    ): Promise<LockedProduct> {
      const product = await products.lock(dbTx, productId)
      await ledger.lock(dbTx, { pools: [custodyAccount(productId), ...pools], memberIds })
      return { product, assets: await read(dbTx, product) }
    },

    /**
     * Stores the changed assets of a locked product. With a cause, its NAV is newly computed and is added to
     * the history; a valuation also restarts the count of units sold.
     */
    async save(
      dbTx: Db,
      { product }: LockedProduct,
      after: FundAssets,
      change: {
        readonly cause?: NavCause
        readonly isValuation?: boolean
        readonly soldUnits?: bigint
        readonly at: Date
      },
    ): Promise<void> {
      const { cause, isValuation = false, soldUnits = 0n, at } = change
      const isClosing = after.isClosed && !isClosedForGood(product)
      await repository.updateProduct(dbTx, product.product_id, {
        ...repository.columnsOf(after),
        units_sold: isValuation ? 0n : max(0n, product.units_sold + soldUnits),
        ...(isValuation && { units_at_valuation: after.units, valued_at: latest(product.valued_at, at) }),
        ...(isClosing && { state: 'closed', closed_reason: after.units === 0n ? 'empty' : 'loss' }),
        ...(isClosing && { proposed_state: null, proposed_by: null }),
      })
      if (cause === undefined) return
      const last = await repository.lastNav(dbTx, product.product_id)
      await repository.insertNav(dbTx, {
        product_id: product.product_id,
        cause,
        nav_micros: after.navMicros,
        units: after.units,
        cash_micros: after.cashMicros,
        invested_micros: after.investedMicros,
        published_at: latest(last?.published_at ?? null, at),
      })
    },

    /**
     * Moves cash that belongs to nobody to revenue. The operator's head is locked. `causeId` identifies the
     * cause.
     */
    async takeRemainder(dbTx: Db, { productId, amountMicros, causeId, at }: Remainder): Promise<void> {
      if (amountMicros === 0n) return
      await ledger.post(dbTx, {
        key: `fund-remainder/${productId}/${causeId}`,
        kind: 'fund_remainder',
        cause: { type: 'fund_product', id: `${productId}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [
          {
            memberId: OPERATOR_MEMBER_ID,
            asset: 'USDT',
            amountMicros,
            source: custodyAccount(productId),
            destination: 'revenue',
          },
        ],
      })
    },

    /** Returns the last NAV of every product, optionally before a time. */
    lastNavs: (db: Db, before?: Date): Promise<ReadonlyMap<bigint, NavRow>> =>
      repository.lastNavs(db, before),
  }
}

export interface Remainder {
  readonly productId: bigint
  readonly amountMicros: Micros
  readonly causeId: string
  readonly at: Date
}

/** Keeps NAVs in order even if a clock was set back. */
function latest(before: Date | null, at: Date): Date {
  return before !== null && before > at ? before : at
}
