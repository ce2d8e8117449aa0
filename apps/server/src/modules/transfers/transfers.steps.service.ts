import { dayOf } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerAccount, TransactionKind } from '../ledger/ledger.accounts.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { TransferRow } from './transfers.repository.ts'
import * as repository from './transfers.repository.ts'

export type TransferSteps = ReturnType<typeof createTransferSteps>

/** Creates the steps that move the money of a transfer, under the heads of both members. Rules, section 10. */
export function createTransferSteps({ ledger }: { ledger: LedgerService }) {
  function post(
    dbTx: Db,
    { transfer_id, asset, amount_micros }: TransferRow,
    at: Date,
    entry: {
      key: string
      kind: TransactionKind
      moves: readonly (readonly [memberId: bigint, source: LedgerAccount, destination: LedgerAccount])[]
    },
  ) {
    return ledger.post(dbTx, {
      key: `transfer/${transfer_id}${entry.key}`,
      kind: entry.kind,
      cause: { type: 'transfer', id: `${transfer_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: entry.moves.map(([memberId, source, destination]) => ({
        ...{ memberId, asset, source, destination, amountMicros: amount_micros },
      })),
    })
  }

  const release = (dbTx: Db, { member_id, ...row }: TransferRow, at: Date) =>
    post(dbTx, { member_id, ...row }, at, {
      ...{ key: '/release', kind: 'transfer_release', moves: [[member_id, 'locked', 'available']] },
    })

  return {
    /** Locks both members of a sent transfer and reads it. Throws TRANSFER_NOT_FOUND. */
    async lock(dbTx: Db, memberId: bigint, transferId: bigint): Promise<TransferRow> {
      const counterpartId = await repository.counterpartOf(dbTx, memberId, transferId)
      if (counterpartId === undefined) throw new AppError('TRANSFER_NOT_FOUND')
      await ledger.lock(dbTx, { memberIds: [memberId, counterpartId] })
      const row = await repository.findTransfer(dbTx, memberId, transferId)
      if (row?.direction !== 'out') throw new AppError('TRANSFER_NOT_FOUND')
      return row
    },

    /** Sets the amount of a held transfer aside. */
    async hold(dbTx: Db, row: TransferRow): Promise<void> {
      const moves = [[row.member_id, 'available', 'locked']] as const
      await post(dbTx, row, row.created_at, { key: '/hold', kind: 'transfer_hold', moves })
    },

    /** Gives the amount of a held transfer back to its sender. */
    async release(dbTx: Db, row: TransferRow, at: Date): Promise<void> {
      await release(dbTx, row, at)
    },

    /**
     * Lets a transfer arrive: inserts the receiver's side and posts it. Each half is balanced in its member's books and they
     * meet in `clearing`. A held amount goes back to the sender first, so that every transfer has the same posting.
     */
    async arrive(dbTx: Db, row: TransferRow, at: Date): Promise<void> {
      const { member_id: from, counterpart_id: to } = row
      if (row.reasons.length > 0) await release(dbTx, row, at)
      const { transfer_id, asset, amount_micros, level } = row
      await repository.insertTransfer(dbTx, {
        ...{ member_id: to, transfer_id, counterpart_id: from, direction: 'in', status: 'Success' },
        ...{ asset, amount_micros, level, worth_micros: 0n, recent_micros: 0n, reasons: [] },
        ...{ created_at: at, completed_at: at },
      })
      await post(dbTx, row, at, {
        ...{ key: '', kind: 'transfer' },
        moves: [
          [from, 'available', 'clearing'],
          [to, 'clearing', 'available'],
        ],
      })
    },
  }
}
