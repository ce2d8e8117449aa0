import {
  type Day,
  type Departure,
  formatMicros,
  judgeSavedAddress,
  type LimitRefusal,
  type Micros,
  type Plan,
  RECENT_MS,
  startOfDay,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { type Read, read, readMember } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Member } from '../members/members.service.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'
import * as repository from './leaving.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly adminLog: AdminLogService
}

/** The facts that a departure is judged by, besides its amount. */
export type DepartureState = Omit<Departure, 'worthMicros'>

/** A request to send an amount away, as of a time. */
export interface DepartureRequest {
  readonly kind: repository.DepartureKind
  readonly member: Pick<Member, 'memberId' | 'address' | 'level'>
  /** In lower case. */
  readonly to: string
  readonly day: Day
  readonly at: Date
}

export type { Past } from './leaving.repository.ts'

export type LeavingService = ReturnType<typeof createLeavingService>

/**
 * Creates the service of the common policy for all movements that leave a member at the member's request.
 * Rules, section 10.
 */
export function createLeavingService({ now, ledger, adminLog }: Deps) {
  return {
    /** Returns the USDT worth that left a member on a day and within the 24 hours before a time. */
    used: (db: Db, memberId: bigint, day: Day, at: Date): Promise<repository.Used> =>
      repository.usedSince(db, memberId, sinceOf({ day, at })),

    pastRead,
    judge,

    /** Returns the state that the rules assign to a departure, as `judge` does. */
    async stateOf(db: Db, request: DepartureRequest, plan: Plan): Promise<DepartureState> {
      return judge(await readMember(db, request.member.memberId, pastRead(request)), request, plan)
    },

    isFlagged: repository.isFlagged,

    /**
     * Flags a member, so that all withdrawals and transfers are held for review from now on, or removes the
     * flag.
     */
    async flag(
      dbTx: Db,
      flag: { memberId: bigint; flagged: boolean; actor: string; reason: string },
    ): Promise<void> {
      const { memberId, flagged, actor, reason } = flag
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const before = await repository.isFlagged(dbTx, memberId)
      if (before === flagged) return
      if (flagged) await repository.insertFlag(dbTx, { memberId, reason, by: actor, at: now() })
      else await repository.deleteFlag(dbTx, memberId)
      await adminLog.record(dbTx, {
        actor,
        action: flagged ? 'member.flag' : 'member.unflag',
        subject: `member/${memberId}`,
        reason,
        before: { flagged: before },
        after: { flagged },
      })
    },

    paidAddresses: repository.paidAddresses,
    paidFrom: repository.paidFrom,
    payoutsTo: repository.payoutsTo,
  }
}

const sinceOf = ({ day, at }: Pick<DepartureRequest, 'day' | 'at'>) => ({
  dayStart: new Date(startOfDay(day)),
  after: new Date(at.getTime() - RECENT_MS),
})

/**
 * Returns the read of the history that `judge` uses; for a transfer with its receiver, if one is known.
 * Read it under the member's ledger head when the departure is carried out.
 */
function pastRead(
  { kind, to, ...when }: Omit<DepartureRequest, 'member'>,
  receiverId?: bigint,
): Read<repository.Past> {
  const rows = repository.pastOf(kind, { address: to, receiverId }, sinceOf(when))
  return read<repository.Past, repository.Past>(rows, (past) => past!)
}

/**
 * Returns the state that the rules assign to a departure. Throws ADDRESS_NOT_SAVED, and ADDRESS_TOO_NEW with
 * the time from which the address can be used.
 */
function judge(
  past: repository.Past,
  { kind, member, to, at }: DepartureRequest,
  plan: Plan,
): DepartureState {
  const isOwn = to === member.address
  const { savedAtMs, onSinceMs, offFromMs } = past
  const usable = judgeSavedAddress({ savedAtMs, isOwn }, { onSinceMs, offFromMs }, at.getTime(), plan)
  if (!usable.ok) throw savedError(usable)
  return {
    level: member.level,
    usedTodayMicros: BigInt(past.today),
    usedRecentlyMicros: BigInt(past.recently),
    unsignedMicros: BigInt(past.unsigned),
    addressTrusted: isOwn || past.trusted,
    sentToNewMicros: kind === 'withdrawal' ? null : BigInt(past.toNew),
    alwaysSigned: !isOwn && (kind === 'withdrawal' || !past.paid),
    riskFlagged: past.flagged,
  }
}

/** Returns the error for exceeding the daily limit, with the remainder in USDT worth and in the asset. */
export function limitError(refusal: LimitRefusal): AppError {
  const text = (micros: Micros) => formatMicros(micros)
  return new AppError('DAILY_LIMIT', {
    remaining: text(refusal.remainingMicros),
    remaining_amount: text(refusal.remainingAmountMicros),
  })
}

function savedError(refusal: Exclude<ReturnType<typeof judgeSavedAddress>, { ok: true }>): AppError {
  if (refusal.code === 'ADDRESS_NOT_SAVED') return new AppError(refusal.code)
  return new AppError(refusal.code, { usable_from: new Date(refusal.usableFromMs).toISOString() })
}
