import { dayOf } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { Fund } from '../fund.service.ts'
import type { ExitRow } from './treasury.repository.ts'
import * as repository from './treasury.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly reversals: Reversals
  readonly fund: Pick<Fund, 'investments'>
}

export type ExitSteps = ReturnType<typeof createExitSteps>

/**
 * Creates the steps that move the money of an exit in the books. The caller has locked its row, which
 * precedes the locks of the ledger. The amount of a treasury payout is in `exit_hold` while it is set aside;
 * that of a fund investment stays in the custody of its product. Rules, sections 2 and 8.
 */
export function createExitSteps({ now, ledger, reversals, fund }: Deps) {
  const { investments } = fund
  const keyOf = ({ exitId }: Pick<ExitRow, 'exitId'>, step: 'hold' | 'release' | 'payout') =>
    `exit/${exitId}/${step}`
  const causeOf = ({ exitId }: Pick<ExitRow, 'exitId'>) => ({ type: 'exit', id: `${exitId}` })
  const lockPayouts = (dbTx: Db) =>
    ledger.lock(dbTx, { pools: ['exit_hold'], memberIds: [OPERATOR_MEMBER_ID] })

  async function post(
    dbTx: Db,
    exit: ExitRow,
    entry: {
      readonly key: string
      readonly kind: 'exit_hold' | 'exit_release' | 'treasury_payout'
      readonly source: 'revenue' | 'fees' | 'exit_hold'
      readonly destination: 'revenue' | 'fees' | 'exit_hold' | 'external'
      readonly at: Date
    },
  ): Promise<void> {
    const { key, kind, source, destination, at } = entry
    const { asset, amountMicros } = exit
    await ledger.post(dbTx, {
      key,
      kind,
      cause: causeOf(exit),
      at,
      accountingDay: dayOf(at.getTime()),
      lines: [{ memberId: OPERATOR_MEMBER_ID, asset, source, destination, amountMicros }],
    })
  }

  return {
    /** Sets the amount of a new treasury payout aside. Throws INSUFFICIENT_BALANCE. */
    async hold(dbTx: Db, exit: ExitRow): Promise<void> {
      // Only the holder of the operator's head takes from revenue and fees.
      await lockPayouts(dbTx)
      const source = exit.source!
      const sums = await ledger.flows.accountsNow(dbTx, [source])
      const balance = sums.find(({ asset }) => asset === exit.asset)?.micros ?? 0n
      if (balance < exit.amountMicros) throw new AppError('INSUFFICIENT_BALANCE')
      const key = keyOf(exit, 'hold')
      await post(dbTx, exit, {
        key,
        kind: 'exit_hold',
        source,
        destination: 'exit_hold',
        at: exit.approvedAt,
      })
    },

    /** Returns the amount of an exit that ended irrevocably without being executed. */
    async release(dbTx: Db, exit: ExitRow): Promise<void> {
      const at = now()
      const { state, endedAt } = exit
      await repository.moveExit(dbTx, exit.exitId, { ...exit, state, endedAt, releasedAt: at })
      if (exit.investmentId !== null) return investments.release(dbTx, { investmentId: exit.investmentId })
      await lockPayouts(dbTx)
      await post(dbTx, exit, {
        key: keyOf(exit, 'release'),
        kind: 'exit_release',
        source: 'exit_hold',
        at,
        destination: exit.source!,
      })
    },

    /** Books an exit that the chain has executed. */
    async spend(dbTx: Db, exit: ExitRow): Promise<void> {
      if (exit.investmentId !== null) return investments.invest(dbTx, { investmentId: exit.investmentId })
      await lockPayouts(dbTx)
      const key = await ledger.steps.nextKey(dbTx, OPERATOR_MEMBER_ID, keyOf(exit, 'payout'))
      await post(dbTx, exit, {
        key,
        kind: 'treasury_payout',
        source: 'exit_hold',
        destination: 'external',
        at: now(),
      })
    },

    /**
     * Takes back the booking of an execution that the chain dropped: the amount is set aside again. Returns
     * `covered` for an investment that has already been booked back.
     */
    async unspend(dbTx: Db, exit: ExitRow): Promise<'undone' | 'covered'> {
      if (exit.investmentId !== null)
        return investments.uninvest(dbTx, { investmentId: exit.investmentId, cause: causeOf(exit) })
      const key = (await ledger.steps.standingKey(dbTx, OPERATOR_MEMBER_ID, keyOf(exit, 'payout')))!
      await reversals.undo(dbTx, { keys: [key], memberIds: [OPERATOR_MEMBER_ID], cause: causeOf(exit) })
      return 'undone'
    },
  }
}
