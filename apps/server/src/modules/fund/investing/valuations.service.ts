import {
  dayOf,
  divest,
  type FundAssets,
  formatMicros,
  type Micros,
  spreadValue,
  stopsDealing,
  undoDivestment,
  VALUATION_VALIDITY_MS,
  valueAssets,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { custodyAccount } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals, Undoing } from '../../books/reversals/reversals.service.ts'
import { notifyMany } from '../../messages/notices/notices.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { claimingDeposit } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import type { FundAssetsService, LockedProduct } from '../products/assets.service.ts'
import { type Evidence, storeEvidence } from './evidence.ts'
import * as investments from './investments.repository.ts'
import type { ValuationRow } from './valuations.repository.ts'
import * as repository from './valuations.repository.ts'

/** The content of a valuation: the value of all investments, after a divestment of those that remain. */
export interface ValuationTerms {
  readonly productId: bigint
  readonly valueMicros: Micros
  /**
   * The value of each investment, which add up to the total; if absent, the total is spread in proportion to
   * the previous values.
   */
  readonly lines?: readonly { readonly investmentId: bigint; readonly valueMicros: Micros }[] | undefined
  /** The cash that returns, 0 for a total loss; only for a divestment. */
  readonly amountMicros?: Micros | undefined
}

export interface ValuationDraft extends ValuationTerms {
  readonly evidence: Evidence
  /** The deposit on chain that brings the cash. */
  readonly depositId?: string | undefined
  readonly actor: string
}

/** The effect of a valuation on a product. */
export interface ValuationEffect {
  readonly before: FundAssets
  readonly after: FundAssets
  readonly remainderMicros: Micros
}

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly assets: FundAssetsService
  readonly adminLog: AdminLogService
  readonly reversals: Reversals
}

export type FundValuationsService = ReturnType<typeof createFundValuations>

/**
 * Creates valuations and divestments: proposed by one admin, approved by another; they determine the NAV.
 * Rules, section 8.
 */
export function createFundValuations({ now, ledger, assets, adminLog, reversals }: Deps) {
  function effectOf(before: FundAssets, { valueMicros, amountMicros }: Figures): ValuationEffect {
    const outcome =
      amountMicros === null
        ? valueAssets(before, valueMicros)
        : divest(before, { amountMicros, leftMicros: valueMicros })
    if (!outcome.ok) throw new AppError(outcome.code)
    return { before, after: outcome.assets, remainderMicros: outcome.remainderMicros }
  }

  /** Ends a valuation that was not approved in time. */
  async function lapse(dbTx: Db, { valuation_id, lapses_at }: ValuationRow): Promise<void> {
    await repository.updateValuation(dbTx, valuation_id, { state: 'lapsed', decided_at: lapses_at })
  }

  /**
   * Locks the product of a proposed valuation. Throws NOT_FOUND, and NOTHING_TO_REVIEW if it is decided or
   * has lapsed.
   */
  async function lockProposed(dbTx: Db, valuationId: bigint) {
    const unlockedValuation = await repository.findValuation(dbTx, valuationId)
    if (unlockedValuation === undefined) throw new AppError('NOT_FOUND')
    const locked = await assets.lock(dbTx, unlockedValuation.product_id, [OPERATOR_MEMBER_ID])
    const valuation = (await repository.findValuation(dbTx, valuationId))!
    if (valuation.state !== 'proposed' || valuation.lapses_at <= now())
      throw new AppError('NOTHING_TO_REVIEW')
    return { locked, valuation }
  }

  /** Returns the value of each investment. Throws INVALID_AMOUNT if the given values do not add up. */
  async function linesOf(dbTx: Db, { productId, valueMicros, lines }: ValuationTerms) {
    const valued = await investments.valuedInvestments(dbTx, productId)
    if (lines === undefined) {
      const isWorthless = valued.every(({ value_micros }) => value_micros === 0n)
      const weights = valued.map((item) => (isWorthless ? item.cost_micros : item.value_micros))
      const parts = spreadValue(valueMicros, weights)
      return valued.map((item, index) => ({ investmentId: item.investment_id, valueMicros: parts[index]! }))
    }
    const ids = new Set(lines.map(({ investmentId }) => investmentId))
    const isComplete = ids.size === lines.length && valued.every((item) => ids.has(item.investment_id))
    const total = lines.reduce((sum, line) => sum + line.valueMicros, 0n)
    const isValid = lines.every((line) => line.valueMicros >= 0n) && ids.size === valued.length
    if (!isComplete || !isValid || total !== valueMicros) throw new AppError('INVALID_AMOUNT')
    return lines
  }

  return {
    /**
     * Returns the effect that a valuation would have now. Throws PRODUCT_NOT_FOUND, INVALID_AMOUNT,
     * NOTHING_INVESTED.
     */
    async preview(db: Db, { product, valueMicros, amountMicros }: PreviewTerms): Promise<ValuationEffect> {
      const before = await assets.read(db, product)
      return effectOf(before, { valueMicros, amountMicros: amountMicros ?? null })
    },

    /**
     * Proposes a valuation, which stops dealing until it is decided or lapses. Throws PRODUCT_NOT_FOUND,
     * INVALID_AMOUNT, NOTHING_INVESTED, VALUATION_OPEN while another one of the product is proposed, and
     * DEPOSIT_USED if another one uses the deposit.
     */
    async propose(dbTx: Db, draft: ValuationDraft): Promise<ValuationRow> {
      const { productId, valueMicros, evidence, depositId, actor } = draft
      const amountMicros = draft.amountMicros ?? null
      const locked = await assets.lock(dbTx, productId, [OPERATOR_MEMBER_ID])
      effectOf(locked.assets, { valueMicros, amountMicros })
      const at = now()
      const open = await repository.proposedValuation(dbTx, productId)
      if (open !== undefined && open.lapses_at > at) throw new AppError('VALUATION_OPEN')
      if (open !== undefined) await lapse(dbTx, open)
      if (depositId !== undefined) await repository.lapseReturns(dbTx, depositId, at)
      const lastFailed = await repository.lastFailed(dbTx, actor, at)
      const values = {
        ...(await storeEvidence(dbTx, productId, evidence)),
        product_id: productId,
        kind: amountMicros === null ? ('valuation' as const) : ('divestment' as const),
        value_micros: valueMicros,
        amount_micros: amountMicros,
        deposit_id: depositId ?? null,
        held_at: evidence.heldAt,
        prepared_by: actor,
        prepared_at: at,
        lapses_at: new Date(at.getTime() + VALUATION_VALIDITY_MS),
        stops_dealing: stopsDealing(lastFailed?.getTime() ?? null, at.getTime()),
      }
      const valuation = await repository.insertValuation(dbTx, values, await linesOf(dbTx, draft))
      if (valuation === undefined) throw new AppError('DEPOSIT_USED')
      await adminLog.record(dbTx, {
        actor,
        action: `fund.${valuation.kind}.propose`,
        subject: subjectOf(valuation),
        after: {
          value: `${valueMicros}`,
          amount: amountMicros === null ? null : `${amountMicros}`,
          heldAt: evidence.heldAt,
          documentHash: valuation.document_hash,
        },
      })
      return valuation
    },

    /**
     * Approves a proposed valuation: it comes into force, its cash enters custody, and the NAV is recomputed.
     * Throws NOT_FOUND, NOTHING_TO_REVIEW, FORBIDDEN for the admin who proposed it, INVALID_AMOUNT,
     * NOTHING_INVESTED, and DEPOSIT_USED if the deposit was attested.
     */
    async approve(
      dbTx: Db,
      { valuationId, actor }: { valuationId: bigint; actor: string },
    ): Promise<ValuationEffect> {
      const { locked, valuation } = await lockProposed(dbTx, valuationId)
      if (valuation.prepared_by === actor) throw new AppError('FORBIDDEN')
      const effect = effectOf(locked.assets, {
        valueMicros: valuation.value_micros,
        amountMicros: valuation.amount_micros,
      })
      await apply(dbTx, locked, valuation, { effect, actor })
      await adminLog.record(dbTx, {
        actor,
        action: `fund.${valuation.kind}.approve`,
        subject: subjectOf(valuation),
        before: { nav: `${effect.before.navMicros}` },
        after: { nav: `${effect.after.navMicros}` },
      })
      return effect
    },

    /** Ends a proposed valuation without any effect; a null actor is the admin who proposed it. Throws NOT_FOUND, NOTHING_TO_REVIEW. */
    async reject(
      dbTx: Db,
      { valuationId, actor }: { valuationId: bigint; actor: string | null },
    ): Promise<void> {
      const { valuation } = await lockProposed(dbTx, valuationId)
      const decision = { state: 'rejected', decided_by: actor, decided_at: now() } as const
      await repository.updateValuation(dbTx, valuationId, decision)
      await adminLog.record(dbTx, {
        actor: actor ?? valuation.prepared_by,
        action: `fund.${valuation.kind}.reject`,
        subject: subjectOf(valuation),
      })
    },

    /**
     * Takes back the divestment of a deposit that the chain dropped: its cash counts as invested again, and
     * the operator covers the amounts that the product has paid from it. Returns undefined for a deposit
     * without one.
     */
    async undo(
      dbTx: Db,
      { depositId, cause }: { depositId: string; cause: Undoing['cause'] },
    ): Promise<'undone' | undefined> {
      const divestment = await repository.divestmentOf(dbTx, depositId)
      if (divestment === undefined) return undefined
      const { product_id: productId, valuation_id: valuationId } = divestment
      const amountMicros = divestment.amount_micros!
      const locked = await assets.lock(dbTx, productId, [OPERATOR_MEMBER_ID])
      const { assets: after, advanceMicros } = undoDivestment(locked.assets, amountMicros)
      const key = await ledger.steps.standingKey(dbTx, OPERATOR_MEMBER_ID, `fund-divestment/${valuationId}`)
      const advances = new Map([[custodyAccount(productId), advanceMicros]])
      await reversals.undo(dbTx, { keys: [key!], memberIds: [OPERATOR_MEMBER_ID], cause, advances })
      const valued = await investments.valuedInvestments(dbTx, productId)
      const parts = spreadValue(
        amountMicros,
        valued.map((item) => item.cost_micros),
      )
      const values = valued.map(({ investment_id, value_micros }, index) => ({
        investment_id,
        value_micros: value_micros + parts[index]!,
      }))
      const at = now()
      await repository.updateValuation(dbTx, valuationId, { state: 'undone' })
      await investments.writeValues(dbTx, values, { isInvested: true, at })
      await assets.save(dbTx, locked, after, { at })
      return 'undone'
    },

    /** Returns the valuation of a product that is proposed and has not lapsed. */
    async proposed(db: Db, productId: bigint): Promise<ValuationRow | undefined> {
      const open = await repository.proposedValuation(db, productId)
      return open !== undefined && open.lapses_at > now() ? open : undefined
    },

    applied: repository.appliedValuations,
    stopped: (db: Db) => repository.stoppedProducts(db, now()),
  }

  async function apply(
    dbTx: Db,
    locked: LockedProduct,
    valuation: ValuationRow,
    { effect, actor }: { effect: ValuationEffect; actor: string },
  ): Promise<void> {
    const { valuation_id: valuationId, product_id: productId, amount_micros: amountMicros } = valuation
    const { after, remainderMicros } = effect
    const at = now()
    const accountingDay = dayOf(at.getTime())
    await claimingDeposit(
      repository.updateValuation(dbTx, valuationId, {
        state: 'applied',
        decided_by: actor,
        decided_at: at,
        nav_micros: after.navMicros,
      }),
    )
    const values = await repository.valuationLinesOf(dbTx, valuationId)
    await investments.writeValues(dbTx, values, { isInvested: after.isInvested, at })
    const cause = amountMicros === null ? 'valuation' : 'divestment'
    await assets.save(dbTx, locked, after, { cause, isValuation: true, at })
    if (amountMicros !== null && amountMicros > 0n) {
      await ledger.post(dbTx, {
        key: await ledger.steps.nextKey(dbTx, OPERATOR_MEMBER_ID, `fund-divestment/${valuationId}`),
        kind: 'fund_divest',
        cause: { type: 'fund_valuation', id: `${valuationId}` },
        accountingDay,
        at,
        lines: [
          {
            memberId: OPERATOR_MEMBER_ID,
            asset: 'USDT',
            amountMicros,
            source: 'external',
            destination: custodyAccount(productId),
          },
        ],
      })
    }
    const { name } = locked.product
    const facts = { product_id: `${productId}`, product: name, nav: formatMicros(after.navMicros) }
    await notifyMany(dbTx, { event: `valuation/${valuationId}`, topic: 'nav_published', facts, at })
    const causeId = `valuation/${valuationId}`
    await assets.takeRemainder(dbTx, { productId, amountMicros: remainderMicros, causeId, at })
  }
}

interface Figures {
  readonly valueMicros: Micros
  readonly amountMicros: Micros | null
}

export interface PreviewTerms {
  readonly product: LockedProduct['product']
  readonly valueMicros: Micros
  readonly amountMicros?: Micros | undefined
}

function subjectOf({ product_id, valuation_id }: ValuationRow): string {
  return `fund/${product_id}/valuation/${valuation_id}`
}
