import { dayOf } from '@rif/rules'
import { noteChange, OPERATORS } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerAccount, TransactionKind } from '../../books/ledger/accounts.ts'
import type { JournalEntry, LedgerService } from '../../books/ledger/ledger.service.ts'
import type { TransferRow } from './transfers.repository.ts'
import * as repository from './transfers.repository.ts'

export type TransferSteps = ReturnType<typeof createTransferSteps>

/** Creates the steps that move the money of a transfer, under the heads of both members. Rules, section 10. */
export function createTransferSteps({ ledger }: { ledger: LedgerService }) {
  function entryOf(
    { transfer_id, asset, amount_micros }: TransferRow,
    at: Date,
    entry: {
      key: string
      kind: TransactionKind
      moves: readonly (readonly [memberId: bigint, source: LedgerAccount, destination: LedgerAccount])[]
    },
  ): JournalEntry {
    return {
      key: `transfer/${transfer_id}${entry.key}`,
      kind: entry.kind,
      cause: { type: 'transfer', id: `${transfer_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: entry.moves.map(([memberId, source, destination]) => ({
        memberId,
        asset,
        source,
        destination,
        amountMicros: amount_micros,
      })),
    }
  }

  /** Returns the amount of a held transfer to its sender. */
  async function release(dbTx: Db, row: TransferRow, at: Date): Promise<void> {
    const moves = [[row.member_id, 'locked', 'available']] as const
    await ledger.post(dbTx, entryOf(row, at, { key: '/release', kind: 'transfer_release', moves }))
  }

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

    release,

    /** Stores a new held transfer and sets its amount aside. */
    async hold(dbTx: Db, row: TransferRow): Promise<void> {
      const moves = [[row.member_id, 'available', 'locked']] as const
      await repository.insertSides(dbTx, row)
      await ledger.post(dbTx, entryOf(row, row.created_at, { key: '/hold', kind: 'transfer_hold', moves }))
      noteChange(dbTx, row.member_id, 'transfer')
      noteChange(dbTx, OPERATORS, 'queue')
    },

    /** Stores a new transfer and completes it. */
    async send(dbTx: Db, row: TransferRow): Promise<void> {
      const at = row.created_at
      await repository.insertSides(dbTx, row, receivedOf(row, at))
      for (const memberId of [row.member_id, row.counterpart_id]) noteChange(dbTx, memberId, 'transfer')
      await ledger.post(dbTx, arrivalOf(row, at))
    },

    /**
     * Completes a held transfer. Its amount returns to the sender first, so that every transfer has the same
     * posting.
     */
    async arrive(dbTx: Db, row: TransferRow, at: Date): Promise<void> {
      await release(dbTx, row, at)
      await repository.insertSides(dbTx, receivedOf(row, at))
      noteChange(dbTx, row.counterpart_id, 'transfer')
      await ledger.post(dbTx, arrivalOf(row, at))
    },
  }

  /**
   * Returns the posting of an arrival. Each half is balanced in its member's books; the halves are linked
   * through `clearing`.
   */
  function arrivalOf(row: TransferRow, at: Date): JournalEntry {
    return entryOf(row, at, {
      key: '',
      kind: 'transfer',
      moves: [
        [row.member_id, 'available', 'clearing'],
        [row.counterpart_id, 'clearing', 'available'],
      ],
    })
  }
}

/** Returns the receiver's side of a transfer. */
function receivedOf(row: TransferRow, at: Date): TransferRow {
  return {
    ...row,
    member_id: row.counterpart_id,
    counterpart_id: row.member_id,
    direction: 'in',
    status: 'Success',
    worth_micros: 0n,
    recent_micros: 0n,
    reasons: [],
    created_at: at,
    completed_at: at,
    reviewed_at: null,
    reviewed_by: null,
    review_reason: null,
    consent_nonce: null,
  }
}
