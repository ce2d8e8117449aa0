import { announce, dayOf, invest, type Micros, release, undoInvestment } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { custodyAccount } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals, Undoing } from '../../books/reversals/reversals.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import { type Evidence, storeEvidence } from './evidence.ts'
import type { InvestmentRow } from './investments.repository.ts'
import * as repository from './investments.repository.ts'

/** An investment that two admins decided. */
export interface InvestmentDraft {
  readonly productId: bigint
  readonly amountMicros: Micros
  /** The wallet that receives the money, in lower case; in a simulation any text. */
  readonly destination: string
  readonly evidence: Evidence
  readonly preparedBy: string
  readonly approvedBy: string
}

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly assets: FundAssetsService
  readonly adminLog: AdminLogService
  readonly reversals: Reversals
}

/** Creates the investments of products: set aside when announced, invested when the money has left. Rules, section 8. */
export function createFundInvestments({ now, ledger, assets, adminLog, reversals }: Deps) {
  /** Locks the product of an investment and reads it. Throws NOT_FOUND. */
  async function lock(dbTx: Db, investmentId: bigint) {
    const unlockedInvestment = await repository.findInvestment(dbTx, investmentId)
    if (unlockedInvestment === undefined) throw new AppError('NOT_FOUND')
    const locked = await assets.lock(dbTx, unlockedInvestment.product_id, [OPERATOR_MEMBER_ID])
    return { locked, investment: (await repository.findInvestment(dbTx, investmentId))! }
  }

  return {
    /**
     * Sets cash aside for an announced investment: it stays in custody and in the net assets, and nothing
     * else can use it. Throws PRODUCT_NOT_FOUND, INVALID_AMOUNT, PRODUCT_CLOSED, INSUFFICIENT_BALANCE beyond
     * the amount that may be invested.
     */
    async setAside(dbTx: Db, draft: InvestmentDraft): Promise<InvestmentRow> {
      const { productId, amountMicros, destination, evidence, preparedBy, approvedBy } = draft
      const locked = await assets.lock(dbTx, productId, [OPERATOR_MEMBER_ID])
      const outcome = announce(locked.assets, amountMicros)
      if (!outcome.ok) throw new AppError(outcome.code)
      const at = now()
      await assets.save(dbTx, locked, outcome.assets, { at })
      const investment = await repository.insertInvestment(dbTx, {
        ...(await storeEvidence(dbTx, productId, evidence)),
        product_id: productId,
        destination,
        cost_micros: amountMicros,
        value_micros: 0n,
        prepared_by: preparedBy,
        approved_by: approvedBy,
        announced_at: at,
      })
      await adminLog.record(dbTx, {
        actor: approvedBy,
        action: 'fund.invest.announce',
        subject: subjectOf(investment),
        after: { amount: `${amountMicros}`, destination, documentHash: investment.document_hash },
      })
      return investment
    },

    /**
     * Releases cash that was set aside for an investment that does not happen. Does nothing if it has already
     * ended or happened.
     */
    async release(dbTx: Db, { investmentId }: { investmentId: bigint }): Promise<void> {
      const { locked, investment } = await lock(dbTx, investmentId)
      if (investment.state !== 'announced') return
      const at = now()
      const freed = release(locked.assets, investment.cost_micros)
      await assets.save(dbTx, locked, freed.assets, { at })
      await repository.updateInvestment(dbTx, investmentId, { state: 'cancelled', cancelled_at: at })
      await assets.takeRemainder(dbTx, {
        productId: investment.product_id,
        amountMicros: freed.remainderMicros,
        at,
        causeId: `investment/${investmentId}`,
      })
    },

    /** Records the on-chain exit that executes an announced investment. */
    async exitOf(dbTx: Db, investmentId: bigint, exitId: string): Promise<void> {
      await repository.updateInvestment(dbTx, investmentId, { exit_id: exitId })
    },

    /**
     * Books that the money of an announced investment has left the bank: it counts at cost. The first
     * investment of a product counts as a valuation. Does nothing if it was booked before.
     */
    async invest(dbTx: Db, { investmentId }: { investmentId: bigint }): Promise<void> {
      const { locked, investment } = await lock(dbTx, investmentId)
      if (investment.state !== 'announced') return
      const { product_id: productId, cost_micros: amountMicros } = investment
      const at = now()
      const after = invest(locked.assets, amountMicros)
      await repository.updateInvestment(dbTx, investmentId, {
        state: 'invested',
        invested_at: at,
        value_micros: amountMicros,
      })
      const isNavNew = after.navMicros !== locked.assets.navMicros
      await assets.save(dbTx, locked, after, {
        at,
        isValuation: !locked.assets.isInvested,
        ...(isNavNew && { cause: 'valuation' as const }),
      })
      await ledger.post(dbTx, {
        key: await ledger.steps.nextKey(dbTx, OPERATOR_MEMBER_ID, `fund-investment/${investmentId}`),
        kind: 'fund_invest',
        cause: { type: 'fund_investment', id: `${investmentId}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [
          {
            memberId: OPERATOR_MEMBER_ID,
            asset: 'USDT',
            amountMicros,
            source: custodyAccount(productId),
            destination: 'external',
          },
        ],
      })
    },

    /**
     * Takes back an investment whose execution the chain dropped: its cash is set aside again. One that is
     * now worth more than its cost, or has ended, is `covered`: it stays, so that no unit loses its backing.
     */
    async uninvest(
      dbTx: Db,
      { investmentId, cause }: { investmentId: bigint; cause: Undoing['cause'] },
    ): Promise<'undone' | 'covered'> {
      const { locked, investment } = await lock(dbTx, investmentId)
      const { state, product_id: productId, cost_micros: costMicros, value_micros: valueMicros } = investment
      if (state === 'announced') return 'undone'
      if (state !== 'invested' || valueMicros > costMicros) return 'covered'
      const key = await ledger.steps.standingKey(dbTx, OPERATOR_MEMBER_ID, `fund-investment/${investmentId}`)
      await reversals.undo(dbTx, { keys: [key!], memberIds: [OPERATOR_MEMBER_ID], cause })
      const isLast = (await repository.investmentsOf(dbTx, productId, ['invested'])).length === 1
      const after = undoInvestment(locked.assets, { costMicros, valueMicros, isLast })
      await repository.updateInvestment(dbTx, investmentId, {
        state: 'announced',
        invested_at: null,
        value_micros: 0n,
      })
      await assets.save(dbTx, locked, after, { at: now() })
      return 'undone'
    },

    find: repository.findInvestment,
    of: repository.investmentsOf,
  }
}

export type FundInvestments = ReturnType<typeof createFundInvestments>

function subjectOf({ product_id, investment_id }: InvestmentRow): string {
  return `fund/${product_id}/investment/${investment_id}`
}
