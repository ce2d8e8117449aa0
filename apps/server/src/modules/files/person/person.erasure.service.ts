import type { RouteData } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { carryOutDue } from '../../../lib/due.ts'
import { AppError } from '../../../lib/errors.ts'
import { keepVisits } from '../../access/auth/auth.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import { notify } from '../../messages/notices/notices.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import * as repository from './person.erasure.repository.ts'
import type { Person } from './person.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly ledger: Pick<LedgerService, 'lock'>
  readonly adminLog: Pick<AdminLogService, 'record'>
}

const DAY_MS = 86_400_000
/**
 * Longer than the delay of switching "saved addresses only" off, so that an erasure cannot bypass that delay.
 */
export const ERASURE_WAIT_DAYS = 7
const QUEUE_PAGE = 1_000
/** The maximum time for which a cancelled statement may still be written. */
const CANCELLING_MS = 5 * 60_000

/**
 * The reason why an erasure waits: operators are checking the account, or a statement of the member is being
 * made.
 */
export type ErasureHold = 'checked' | 'making_statement'

export type Erasures = ReturnType<typeof createErasures>

/** Creates the erasure of stored data about a member that the books do not need. */
export function createErasures({ db, now, ledger, adminLog }: Deps) {
  async function view(read: Db, { memberId }: Person): Promise<RouteData<'erasure'>> {
    const last = await repository.lastOf(read, memberId)
    const balances = await repository.leftBalancesOf(read, memberId)
    return {
      state: last === undefined ? 'none' : last.doneAt === null ? 'waiting' : 'done',
      requested_at: last?.requestedAt.toISOString() ?? null,
      due_at: last?.dueAt.toISOString() ?? null,
      done_at: last?.doneAt?.toISOString() ?? null,
      on_hold: await repository.isChecked(read, memberId),
      wait_days: ERASURE_WAIT_DAYS,
      balances: balances.map(({ asset, micros }) => ({ asset, amount: formatMicros(micros) })),
      open: await repository.openMatters(read, memberId),
    }
  }

  /** Does the work under the lock of the member's ledger head, which every change of the member's data takes first. */
  const locked = <T>(memberId: bigint, work: (dbTx: Db, at: Date) => Promise<T>): Promise<T> =>
    inTx(db, async (dbTx) => {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      return work(dbTx, now())
    })

  /** Returns the reason why nothing can be erased now, or null. */
  async function holdOf(dbTx: Db, { memberId }: Person, at: Date): Promise<ErasureHold | null> {
    if (await repository.isChecked(dbTx, memberId)) return 'checked'
    const cancelledSince = new Date(at.getTime() - CANCELLING_MS)
    const isMaking = await repository.isMakingStatement(dbTx, memberId, { cancelledSince })
    return isMaking ? 'making_statement' : null
  }

  /** Erases in one transaction, so that a killed process has erased nothing. */
  async function erase(dbTx: Db, person: Person): Promise<number> {
    const { memberId } = person
    await keepVisits(dbTx, person.address)
    const rows = await repository.eraseRows(dbTx, person)
    await adminLog.record(dbTx, {
      actor: 'erasure',
      action: 'member.erase',
      subject: `member/${memberId}`,
      after: { rows },
    })
    return rows
  }

  return {
    view: (person: Person) => view(db, person),

    /**
     * Requests the erasure after the waiting time. `useConsent` uses the signature of the member's wallet, and throws without one.
     * Repeating it changes nothing.
     */
    request: (person: Person, useConsent: (dbTx: Db) => Promise<unknown>): Promise<RouteData<'erasure'>> =>
      locked(person.memberId, async (dbTx, at) => {
        const { memberId } = person
        await useConsent(dbTx)
        const dueAt = new Date(at.getTime() + ERASURE_WAIT_DAYS * DAY_MS)
        const request = { memberId, requestedBy: 'member', requestedAt: at, dueAt } as const
        if (await repository.insertErasure(dbTx, request)) {
          const event = `erasure_requested/${at.toISOString()}`
          const facts = { from: dueAt.toISOString() }
          await notify(dbTx, { memberId, event, topic: 'erasure_requested', facts, at })
        }
        return view(dbTx, person)
      }),

    /** Cancels the request. Throws NOTHING_TO_CANCEL. */
    cancel: (person: Person): Promise<RouteData<'erasure'>> =>
      locked(person.memberId, async (dbTx, at) => {
        if (!(await repository.cancelErasure(dbTx, person.memberId, at)))
          throw new AppError('NOTHING_TO_CANCEL')
        return view(dbTx, person)
      }),

    /**
     * Executes due requests. Any number of processes may run it at the same time. Returns the number of
     * erasures.
     */
    carryOutDue: (): Promise<number> =>
      carryOutDue<repository.QueuedErasure>({
        read: (after, limit) => repository.openRequests(db, { after, dueBy: now(), limit }),
        // A check, a statement being made, a cancellation or another process may intervene: the next run
        // tries again.
        carryOut: (row) =>
          locked(row.memberId, async (dbTx, at) => {
            if ((await holdOf(dbTx, row, at)) !== null) return false
            if (!(await repository.finishErasure(dbTx, row.memberId, { at, dueBy: at }))) return false
            await erase(dbTx, row)
            return true
          }),
        failure: 'some erasures failed',
      }),

    /**
     * Erases at once, for an operator who received the request in another way and has verified the person.
     * Returns the number of rows, or the reason why nothing can be erased now.
     */
    eraseNow: (person: Person): Promise<number | ErasureHold> =>
      locked(person.memberId, async (dbTx, at) => {
        const { memberId } = person
        const hold = await holdOf(dbTx, person, at)
        if (hold !== null) return hold
        await repository.insertErasure(dbTx, {
          memberId,
          requestedBy: 'operator',
          requestedAt: at,
          dueAt: at,
        })
        await repository.finishErasure(dbTx, memberId, { at })
        return erase(dbTx, person)
      }),

    /** Returns the rows that an erasure would change now, by table. */
    preview: (person: Person): Promise<Record<string, number>> => repository.countRows(db, person),

    /** Returns the open requests, first due first. */
    queue: (): Promise<repository.QueuedErasure[]> =>
      repository.openRequests(db, { after: undefined, limit: QUEUE_PAGE }),
  }
}
