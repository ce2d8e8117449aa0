import { randomBytes } from 'node:crypto'
import type { ExitsQuery, TreasuryExit } from '@rif/api-schema'
import { isAmount } from '@rif/rules'
import type { Address, Hex } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import { chainExit, exitTx, readSender } from '../../../chain/bank-exits.ts'
import type { Chain } from '../../../chain/client.ts'
import { payingBank } from '../../../chain/hand-over.ts'
import { isHandedOverForGood } from '../../../chain/indexer/exit-destinations.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { requireOpen } from '../../access/gates/gates.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { Evidence, Fund } from '../fund.service.ts'
import type { DestinationsService } from './treasury.destinations.service.ts'
import type { ApprovedExit, ExitRow } from './treasury.repository.ts'
import * as repository from './treasury.repository.ts'
import type { ExitSteps } from './treasury.steps.service.ts'
import { exitView } from './view.ts'

type DraftParts = Pick<ApprovedExit, 'amountMicros' | 'destination' | 'preparedBy' | 'approvedBy'>

/** A treasury payout for approval by two admins. */
export interface PayoutDraft extends DraftParts {
  readonly source: 'revenue' | 'fees'
  readonly asset: 'USDT' | 'AMC'
  readonly purpose: string
  /** The hash of the supporting document. */
  readonly documentHash: string
}

/** A fund investment for approval by two admins. */
export interface InvestmentExitDraft extends DraftParts {
  readonly productId: bigint
  /** The place of custody, and the supporting document. */
  readonly evidence: Evidence
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly alarms: Pick<Alarms, 'begin'>
  readonly chain: Chain
  readonly progress: Pick<ChainProgress, 'isBookedForGood' | 'applied' | 'l1Final'>
  readonly adminLog: AdminLogService
  readonly destinations: Pick<DestinationsService, 'requireListed'>
  readonly fund: Pick<Fund, 'investments'>
  readonly steps: ExitSteps
}

export type ExitsService = ReturnType<typeof createExits>

/** The time after which an approved exit that is not announced is given up. */
const ANNOUNCED_WITHIN_MS = 7 * 86_400_000
const SENDERS_KEPT = 1_000
/** The alarm about an exit that is not released is over when it has not failed for this long. */
const NOT_RELEASED_MS = 3_600_000

/**
 * Creates the service of exits, from their approval to the release of amounts that did not leave. Rules,
 * section 2.
 */
export function createExits(deps: Deps) {
  const { db, now, alarms, chain, progress, adminLog, destinations, fund, steps } = deps

  async function requireSound(
    dbTx: Db,
    { amountMicros, destination }: Pick<DraftParts, 'amountMicros' | 'destination'>,
  ): Promise<void> {
    if (!isAmount(amountMicros)) throw new AppError('INVALID_AMOUNT')
    await requireOpen(dbTx)
    await destinations.requireListed(dbTx, destination)
  }

  /** Stores an approved exit under a new id of the bank that holds the money. */
  async function insert(dbTx: Db, exit: Omit<ApprovedExit, 'bank'>): Promise<ExitRow> {
    await requireSound(dbTx, exit)
    const bank = (await payingBank(dbTx, chain.contracts)).address.toLowerCase()
    const at = now()
    const exitId = await repository.insertExit(dbTx, { ...exit, bank, onchainId: newOnchainId(), at })
    return (await repository.findExit(dbTx, exitId))!
  }

  /** Gives up an exit that is not on the chain. The caller has locked it. */
  async function giveUp(dbTx: Db, exit: ExitRow): Promise<void> {
    await steps.release(dbTx, { ...exit, state: 'Withdrawn', endedAt: now() })
  }

  /** Releases the amount of an exit if its end can no longer be undone. */
  async function settle(dbTx: Db, exitId: bigint): Promise<void> {
    const exit = await repository.lockExit(dbTx, { exitId })
    if (exit === undefined || exit.releasedAt !== null) return
    const { state, approvedAt, expiresAt, endedTx, seenStep } = exit
    if (state === 'Executed') return
    if (state === 'Cancelled') {
      if (await progress.isBookedForGood(dbTx, { txHash: endedTx! })) await steps.release(dbTx, exit)
    } else if (await isHandedOverForGood(dbTx, chain.chainId, exit.bank)) {
      const seen = { seenStep: null, seenTx: null }
      await steps.release(dbTx, { ...exit, ...seen, state: 'HandedOver', endedAt: now() })
    } else if (state === 'Announced') {
      if (await hasLapsed(dbTx, expiresAt!)) {
        await steps.release(dbTx, { ...exit, state: 'Lapsed', seenStep: null, seenTx: null, endedAt: now() })
      }
    } else if (state === 'Approved' && seenStep === null) {
      if (now().getTime() > approvedAt.getTime() + ANNOUNCED_WITHIN_MS) await giveUp(dbTx, exit)
    }
  }

  /**
   * Reports whether an exit can never be executed any more: L1 has finalised a later block, and all earlier
   * ones are booked.
   */
  async function hasLapsed(dbTx: Db, expiresAt: Date): Promise<boolean> {
    const [applied, l1Final] = [await progress.applied(dbTx), await progress.l1Final(dbTx)]
    return l1Final !== null && l1Final.blockAt > expiresAt && applied.blockAt > expiresAt
  }

  /** The senders of cancellations by transaction, which never change. */
  const senders = new Map<string, Address>()

  /** Adds the wallet that cancelled an exit, if the chain answers. */
  async function withCanceller(exit: TreasuryExit): Promise<TreasuryExit> {
    const { state, ended_tx: txHash } = exit
    if (state !== 'Cancelled' || txHash === null) return exit
    const sender = senders.get(txHash) ?? (await readSender(chain, txHash).catch(() => null))
    if (sender !== null && senders.size < SENDERS_KEPT) senders.set(txHash, sender)
    return { ...exit, cancelled_by: sender }
  }

  return {
    /**
     * Sets the amount of an approved treasury payout aside and assigns the exit's id. Throws INVALID_AMOUNT,
     * VALIDATION_FAILED for an unlisted destination, GUARD_CLOSED, and INSUFFICIENT_BALANCE.
     */
    async approvePayout(dbTx: Db, draft: PayoutDraft): Promise<ExitRow> {
      const none = { productId: null, investmentId: null }
      const exit = await insert(dbTx, { ...draft, ...none, kind: 'treasury_payout' })
      await steps.hold(dbTx, exit)
      return exit
    },

    /**
     * Sets cash of a product aside for an approved investment and assigns the exit's id. Throws as
     * `approvePayout`, and the errors of the fund.
     */
    async approveInvestment(dbTx: Db, { evidence, ...draft }: InvestmentExitDraft): Promise<ExitRow> {
      await requireSound(dbTx, draft)
      const placed = await fund.investments.setAside(dbTx, { ...draft, evidence })
      const exit = await insert(dbTx, {
        ...draft,
        kind: 'fund_invest',
        source: null,
        asset: 'USDT',
        purpose: evidence.heldAt,
        investmentId: placed.investment_id,
        documentHash: placed.document_hash!,
      })
      await fund.investments.exitOf(dbTx, placed.investment_id, `${exit.exitId}`)
      return exit
    },

    /** Gives up an exit that is not announced yet. Throws NOT_FOUND and EXIT_ANNOUNCED. */
    async withdraw(
      dbTx: Db,
      { exitId, actor, reason }: { exitId: bigint; actor: string; reason: string },
    ): Promise<TreasuryExit> {
      const exit = await repository.lockExit(dbTx, { exitId })
      if (exit === undefined) throw new AppError('NOT_FOUND')
      if (exit.state !== 'Approved' || exit.seenStep !== null) throw new AppError('EXIT_ANNOUNCED')
      await giveUp(dbTx, exit)
      await adminLog.record(dbTx, { actor, action: 'exit.withdraw', subject: `exit/${exitId}`, reason })
      return exitView((await repository.findExit(dbTx, exitId))!)
    },

    /**
     * Releases the amounts of exits that have ended irrevocably, each in one transaction. Any number of
     * processes may run it, and a killed one leaves the rest to the next run.
     */
    async settleEnded(): Promise<void> {
      for (const exitId of await repository.openIds(db)) {
        await inTx(db, (dbTx) => settle(dbTx, exitId)).catch((err: unknown) =>
          alarms.begin('exit_not_released', { err }, { subject: `${exitId}`, lastsMs: NOT_RELEASED_MS }),
        )
      }
    },

    /** Returns a page of exits, newest first. */
    async list(query: ExitsQuery) {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listExits(db, { ...query, before, limit: query.limit + 1 })
      const page = toPage(
        rows,
        query.limit,
        (row) => exitView(row),
        ({ exitId }) => encodeCursor(exitId),
      )
      return { ...page, items: await Promise.all(page.items.map(withCanceller)) }
    },

    /**
     * Returns the unsigned transaction of a step of an exit. Throws NOT_FOUND, EXIT_ANNOUNCED or EXIT_NOT_ANNOUNCED, and
     * GUARD_CLOSED for every step but cancelling.
     */
    async tx(exitId: bigint, call: 'announce' | 'execute' | 'cancel') {
      if (call !== 'cancel') await requireOpen(db)
      const exit = await repository.findExit(db, exitId)
      if (exit === undefined) throw new AppError('NOT_FOUND')
      if (call === 'announce' && exit.state !== 'Approved') throw new AppError('EXIT_ANNOUNCED')
      if (call !== 'announce' && exit.state !== 'Announced') throw new AppError('EXIT_NOT_ANNOUNCED')
      const bank = exit.bank as Address
      const terms = chainExit(chain, exit)
      return {
        raw_tx: exitTx(chain, bank, call, terms),
        bank,
        onchain_id: exit.onchainId,
        kind: terms.kind,
        product_id: `${terms.productId}`,
        token: terms.token,
        to: terms.to,
        amount: `${terms.amount}`,
      }
    },
  }
}

/**
 * Returns a new id of the contract: 255 random bits, so that a stolen treasurer's key cannot use it in
 * advance.
 */
function newOnchainId(): string {
  const bytes = randomBytes(32)
  return `${(BigInt(`0x${bytes.toString('hex')}` as Hex) >> 1n) + 1n}`
}
