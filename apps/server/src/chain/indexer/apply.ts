import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { ChainEvent, EventHandler, EventHandlers, EventName } from './events.ts'
import { dropMissing, type MissingEvent, nextMissing, recordUndone, undoState } from './rewind.ts'
import { recordFailure } from './set-aside.ts'
import {
  advanceApplied,
  type EventState,
  loadUndelivered,
  markDelivered,
  type UndeliveredEvent,
} from './store.ts'

const EVENTS_PER_LOAD = 200

export interface ApplyDeps {
  readonly db: Db
  readonly chainId: number
  readonly handlers: EventHandlers
  readonly now: Now
  readonly signal: AbortSignal
  /** Receives each booked event that was undone, or that the operator pays for. */
  readonly onUndone?: (event: ChainEvent, outcome: 'undone' | 'covered') => void
}

/**
 * Delivers new events to the modules' handlers, one database transaction per event, in order, until none is left or
 * `signal` aborts. Throws the error of a handler, with the event in the message; later events are not delivered then.
 */
export async function applyEvents(deps: ApplyDeps): Promise<void> {
  const { db, chainId, handlers, now, signal } = deps
  const names = Object.keys(handlers) as EventName[]
  if (!(await undoMissing(deps))) return
  for (;;) {
    const undelivered = await loadUndelivered(db, chainId, names, EVENTS_PER_LOAD)
    if (undelivered.length === 0) break
    for (const item of undelivered) {
      if (signal.aborted) return
      await inDbTx(db, async (dbTx) => {
        // Marking the event first locks it: a second process then finds nothing to do.
        if (await markDelivered(dbTx, chainId, item, now())) await deliver(dbTx, handlers, item)
      }).catch(async (cause: unknown) => {
        const failure = cause instanceof Error ? cause.message : String(cause)
        // Best effort: the database may be what failed.
        await recordFailure(db, chainId, item.event, { failure, at: now() }).catch(() => {})
        throw new Error(`${describe(item)}: ${failure}`, { cause })
      })
    }
  }
  await advanceApplied(db, chainId, names)
}

/**
 * Undoes booked events whose blocks a reorganisation replaced, the newest first, one database transaction per event; moves
 * those that the new branch has, too. Returns false while events are still missing: nothing else is delivered then.
 */
async function undoMissing(deps: ApplyDeps): Promise<boolean> {
  const { db, chainId, signal } = deps
  const state = await undoState(db, chainId)
  if (state !== 'due') return state === 'none'
  while (!signal.aborted) {
    const isDone = await inDbTx(db, async (dbTx) => {
      const missing = await nextMissing(dbTx, chainId)
      if (missing !== undefined) await undoOne(deps, dbTx, missing)
      return missing === undefined
    })
    if (isDone) return true
  }
  return false
}

/** Undoes or moves a missing event, which `nextMissing` has locked. Throws why it cannot be undone. */
export async function undoOne(
  deps: Pick<ApplyDeps, 'chainId' | 'handlers' | 'now' | 'onUndone'>,
  dbTx: Db,
  missing: MissingEvent,
): Promise<void> {
  const { chainId, handlers, now, onUndone } = deps
  const { event, reincluded } = missing
  try {
    const handler = handlers[event.name] as EventHandler<EventName> | undefined
    if (handler === undefined) throw new Error('no module handles it')
    const at = now()
    if (reincluded === null && missing.needsRecovery && missing.recoveryId === null)
      throw new Error('L1 had finalised its block, so it waits for a recovery')
    await dropMissing(dbTx, chainId, missing, at)
    const isMoved = reincluded !== null && (await handler.onMoved?.(dbTx, event, reincluded))
    const outcome = isMoved ? 'moved' : await handler.onUndone(dbTx, event)
    await recordUndone(dbTx, chainId, missing, { outcome, at })
    if (outcome !== 'moved') onUndone?.(event, outcome)
    // One that could not be moved is delivered anew, after the others are undone.
    if (isMoved) await markDelivered(dbTx, chainId, { event: reincluded!, state: 'final' }, at)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new Error(`${event.name} of transaction ${event.txHash} cannot be undone: ${reason}`, { cause })
  }
}

async function deliver(dbTx: Db, handlers: EventHandlers, { event, state }: UndeliveredEvent): Promise<void> {
  const handler = handlers[event.name] as EventHandler<EventName> | undefined
  await stepOf(handler, state)?.(dbTx, event)
}

function stepOf(
  handler: EventHandler<EventName> | undefined,
  state: EventState,
): ((dbTx: Db, event: ChainEvent) => Promise<void>) | undefined {
  if (state === 'final') return handler?.onFinal
  return state === 'seen' ? handler?.onSeen : handler?.onDropped
}

function describe({ event, state }: UndeliveredEvent): string {
  return `${event.name} (${state}) of transaction ${event.txHash} cannot be applied`
}
