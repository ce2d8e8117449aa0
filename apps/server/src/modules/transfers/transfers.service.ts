import type { Transfer } from '@rif/api-schema'
import {
  type Asset,
  type Day,
  dayOf,
  formatMicros,
  judgeTransfer,
  type Micros,
  type PaymentAsset,
  startOfDay,
} from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { requireMayAct } from '../gates/gates.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import type { WithdrawalsService } from '../withdrawals/withdrawals.service.ts'
import { createContactsService, readAddress } from './transfers.contacts.service.ts'
import * as repository from './transfers.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly withdrawals: WithdrawalsService
}

/** A requested transfer to another member. */
export interface TransferOrder {
  readonly asset: Asset
  readonly amountMicros: Micros
  /** The other member's wallet. */
  readonly address: string
}

/** A query of a member's transfers; UTC days, both included. */
export interface TransferQuery {
  readonly direction?: 'in' | 'out' | undefined
  readonly asset?: PaymentAsset | undefined
  readonly address?: string | undefined
  readonly from?: Day | undefined
  readonly to?: Day | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const DAY_MS = 86_400_000

export type TransfersService = ReturnType<typeof createTransfersService>

/** Creates the service of internal transfers between members' `available`, without a fee. Rules, section 10. */
export function createTransfersService({ now, ledger, members, plans, withdrawals }: Deps) {
  const contacts = createContactsService({ ledger, members, withdrawals })

  async function view(
    db: Db,
    memberId: bigint,
    rows: readonly repository.TransferRow[],
  ): Promise<Transfer[]> {
    const addresses = await members.addresses(db, [...new Set(rows.map((row) => row.counterpart_id))])
    const labels = await contacts.labels(db, memberId, [...addresses.values()])
    return rows.map((row) => {
      const address = addresses.get(row.counterpart_id)!
      return transferView(row, { address, label: labels.get(address) ?? null })
    })
  }

  /** Inserts both sides and posts the transfer: each half is balanced in its member's books and they meet in `clearing`. */
  async function carryOut(
    dbTx: Db,
    { from, to, ...what }: { from: bigint; to: bigint; asset: PaymentAsset; amountMicros: Micros },
    at: Date,
  ): Promise<repository.TransferRow> {
    const sides = { asset: what.asset, amount_micros: what.amountMicros, created_at: at }
    const sent = await repository.insertTransfer(dbTx, {
      ...{ member_id: from, counterpart_id: to, direction: 'out', ...sides },
    })
    const { transfer_id } = sent
    await repository.insertTransfer(dbTx, {
      ...{ member_id: to, transfer_id, counterpart_id: from, direction: 'in', ...sides },
    })
    await ledger.post(dbTx, {
      key: `transfer/${transfer_id}`,
      kind: 'transfer',
      cause: { type: 'transfer', id: `${transfer_id}` },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [
        { memberId: from, source: 'available', destination: 'clearing', ...what },
        { memberId: to, source: 'clearing', destination: 'available', ...what },
      ],
    })
    return sent
  }

  return {
    contacts,

    /** Returns the other member of a member's transfer. Throws NOT_FOUND. */
    async counterpart(db: Db, memberId: bigint, transferId: bigint): Promise<bigint> {
      const counterpartId = await repository.counterpartOf(db, memberId, transferId)
      if (counterpartId === undefined) throw new AppError('NOT_FOUND')
      return counterpartId
    },

    /**
     * Sends an amount to another member, under the locks of both. Throws INVALID_ADDRESS, ASSET_NOT_ALLOWED,
     * INVALID_AMOUNT, ADDRESS_NOT_REGISTERED, SELF_TRANSFER, BELOW_MINIMUM with the minimum, and INSUFFICIENT_BALANCE.
     */
    async transfer(dbTx: Db, memberId: bigint, order: TransferOrder): Promise<Transfer> {
      const address = readAddress(order.address)
      const { asset, amountMicros } = order
      const receiver = await members.findByAddress(dbTx, address)
      await ledger.lock(dbTx, { memberIds: receiver ? [memberId, receiver.memberId] : [memberId] })
      await requireMayAct(dbTx, memberId)
      const at = now()
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const balances = await ledger.balances(dbTx, memberId)
      const judged = judgeTransfer(
        {
          ...{ asset, amountMicros },
          receiver: receiver === undefined ? 'unknown' : receiver.memberId === memberId ? 'self' : 'member',
          availableMicros: balances[asset].available,
        },
        plan,
      )
      if (!judged.ok) {
        const minimum = { minimum: formatMicros(plan.transfer.minimumMicros) }
        throw new AppError(judged.code, judged.code === 'BELOW_MINIMUM' ? minimum : {})
      }
      const to = receiver!.memberId
      const sent = await carryOut(
        dbTx,
        { from: memberId, to, asset: asset as PaymentAsset, amountMicros },
        at,
      )
      return transferView(sent, { address, label: await contacts.noteSent(dbTx, memberId, address, at) })
    },

    /** Returns the current minimum of a transfer. */
    async minimumMicros(db: Db): Promise<Micros> {
      return (await plans.planAt(db, dayOf(now().getTime()))).transfer.minimumMicros
    },

    /** Returns a page of a member's transfers, newest first. Throws VALIDATION_FAILED on an invalid cursor. */
    async list(
      db: Db,
      memberId: bigint,
      query: TransferQuery,
    ): Promise<{ items: Transfer[]; next: string | null }> {
      const [beforeId] = decodeCursor(query.cursor, 1) ?? []
      const counterpart = query.address && (await members.findByAddress(db, query.address))
      if (query.address && !counterpart) return { items: [], next: null }
      const filter = {
        direction: query.direction,
        asset: query.asset,
        counterpartId: counterpart ? counterpart.memberId : undefined,
        from: query.from === undefined ? undefined : new Date(startOfDay(query.from)),
        before: query.to === undefined ? undefined : new Date(startOfDay(query.to) + DAY_MS),
      }
      const rows = await repository.listTransfers(db, memberId, filter, { beforeId, limit: query.limit + 1 })
      const page = toPage(
        rows,
        query.limit,
        (row) => row,
        (row) => encodeCursor(row.transfer_id),
      )
      return { items: await view(db, memberId, page.items), next: page.next }
    },
  }
}

/** Returns a transfer as the API has it. The other member's address is in lower case. */
function transferView(
  row: repository.TransferRow,
  { address, label }: { address: string; label: string | null },
): Transfer {
  return {
    ...{ transfer_id: `${row.transfer_id}`, direction: row.direction, label },
    counterpart: getAddress(address as Hex),
    asset: row.asset,
    amount: formatMicros(row.amount_micros),
    created_at: row.created_at.toISOString(),
  }
}
