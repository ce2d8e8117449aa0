import { dayOf, isAmount, isNavBacked, isNavStale, MAX_MICROS, type Micros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../admin-log/admin-log.service.ts'
import type { PlansService } from '../../plans/plans.service.ts'
import type { NavRow } from './products.repository.ts'
import * as repository from './products.repository.ts'
import type { FundProducts } from './products.service.ts'

/** A NAV as an admin prepares it, with the product's total assets and the hash of the paper that attests them. */
export interface NavDraft {
  readonly productId: bigint
  readonly navMicros: Micros
  /** Null only in a simulation, where a NAV without assets counts as backed. */
  readonly assetsMicros: Micros | null
  /** 32 bytes, 0x and lower case. */
  readonly documentHash: string | null
  readonly actor: string
}

interface Deps {
  readonly now: Now
  readonly products: FundProducts
  readonly plans: PlansService
  readonly adminLog: AdminLogService
  /** False in a simulation. */
  readonly navsGoStale: boolean
}

export type FundNavs = ReturnType<typeof createFundNavs>

/** Unit net values: prepared by one admin, published by another. Rules, section 8. */
export function createFundNavs({ now, products, plans, adminLog, navsGoStale }: Deps) {
  return {
    /** Throws PRODUCT_NOT_FOUND and INVALID_AMOUNT. */
    async prepare(dbTx: Db, draft: NavDraft): Promise<{ navId: bigint }> {
      const { productId, navMicros, assetsMicros, documentHash, actor } = draft
      await products.get(dbTx, productId)
      if (!isAmount(navMicros)) throw new AppError('INVALID_AMOUNT')
      if (assetsMicros !== null && (assetsMicros < 0n || assetsMicros > MAX_MICROS))
        throw new AppError('INVALID_AMOUNT')
      const navId = await repository.insertNav(dbTx, {
        product_id: productId,
        nav_micros: navMicros,
        assets_micros: assetsMicros,
        document_hash: documentHash,
        prepared_by: actor,
        prepared_at: now(),
      })
      await adminLog.record(dbTx, {
        ...{ actor, action: 'fund.nav.prepare', subject: `fund/${productId}/nav/${navId}` },
        after: {
          nav: `${navMicros}`,
          assets: assetsMicros === null ? null : `${assetsMicros}`,
          documentHash,
        },
      })
      return { navId }
    },

    /**
     * Publishes a prepared NAV: it counts from now on. Costs the same however many hold the product. Throws NOT_FOUND,
     * NOTHING_TO_REVIEW, FORBIDDEN for the admin who prepared it, and NAV_NOT_BACKED.
     */
    async approve(dbTx: Db, { navId, actor }: { navId: bigint; actor: string }): Promise<void> {
      const found = await repository.findNav(dbTx, navId)
      if (found === undefined) throw new AppError('NOT_FOUND')
      // A concurrent purchase or publication waits, so the units and the time are those of this publication.
      const product = await products.lock(dbTx, found.product_id)
      const nav = (await repository.findNav(dbTx, navId))!
      if (nav.published_at !== null) throw new AppError('NOTHING_TO_REVIEW')
      if (nav.prepared_by === actor) throw new AppError('FORBIDDEN')
      const { nav_micros: navMicros, assets_micros: assetsMicros } = nav
      if (assetsMicros !== null && !isNavBacked(navMicros, product.units_outstanding, assetsMicros))
        throw new AppError('NAV_NOT_BACKED')
      const last = await repository.lastNav(dbTx, product.product_id)
      const at = now()
      // A clock that was set back must not hide the NAV that was published last.
      const publishedAt = last !== undefined && last.published_at > at ? last.published_at : at
      await repository.publishNav(dbTx, navId, { approvedBy: actor, at: publishedAt })
      await adminLog.record(dbTx, {
        ...{ actor, action: 'fund.nav.publish', subject: `fund/${product.product_id}/nav/${navId}` },
        before: { nav: last === undefined ? null : `${last.nav_micros}` },
        after: { nav: `${navMicros}` },
      })
    },

    /** The NAV to buy and redeem at. Throws NAV_STALE, also when none was ever published. */
    async current(db: Db, productId: bigint): Promise<NavRow> {
      const nav = await repository.lastNav(db, productId)
      if (nav === undefined) throw new AppError('NAV_STALE')
      const at = now().getTime()
      const plan = await plans.planAt(db, dayOf(at))
      if (navsGoStale && isNavStale(nav.published_at.getTime(), at, plan)) throw new AppError('NAV_STALE')
      return nav
    },

    /** The last NAV of every product, or the last before a time. */
    last: (db: Db, before?: Date): Promise<ReadonlyMap<bigint, NavRow>> => repository.lastNavs(db, before),
  }
}
