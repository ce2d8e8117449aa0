import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { type BatchSize, createBatchSize } from './batch-size.ts'
import {
  applyFinal,
  batchOf,
  type ChainEvent,
  type EventHandlers,
  type EventName,
  type EventSteps,
} from './events.ts'
import { noteEvent } from './noted.ts'
import { dropMissing, holdBranch, type MissingEvent, nextMissing, recordUndone, undoState } from './rewind.ts'
import { recordFailure } from './set-aside.ts'
import {
  advanceApplied,
  loadUndelivered,
  markDelivered,
  type UndeliveredEvent,
  type WaitingEvent,
} from './undelivered.ts'

const EVENTS_PER_LOAD = 1000

export interface ApplyDeps {
  readonly db: Db
  readonly chainId: number
  readonly handlers: EventHandlers
  readonly now: Now
  readonly signal: AbortSignal
  /** Receives each booked event that was undone, or that the operator pays for. */
  readonly onUndone?: (event: ChainEvent, outcome: 'undone' | 'covered') => void
  /**
   * Receives the reason why many events could not be applied in one transaction; they are then applied in
   * smaller ones.
   */
  readonly onSplit?: (events: number, cause: unknown) => void
}

/**
 * Delivers new events to the modules' handlers, in order, until none is left or `signal` aborts: many final
 * events per transaction where their handler takes many, any other in its own transaction. Throws the error
 * of a handler, with the event in the message; the events before it are then applied, and no later one.
 */
export async function applyEvents(deps: ApplyDeps): Promise<void> {
  const { db, chainId, handlers, signal } = deps
  const names = Object.keys(handlers) as EventName[]
  if (!(await undoMissing(deps))) return
  const size = createBatchSize()
  for (;;) {
    let waiting = await loadUndelivered(db, chainId, names, EVENTS_PER_LOAD)
    if (waiting.length === 0) break
    while (waiting.length > 0) {
      if (signal.aborted) return
      const together = firstTogether(handlers, waiting, size.events)
      const applied = await applyFirst(deps, together, size)
      if (applied === null) return
      waiting = waiting.slice(applied)
    }
  }
  await advanceApplied(db, chainId, names)
}

/**
 * Returns the first events for one transaction: final ones of handlers with the same batch function. An event
 * that has failed before is alone, so that it does not roll back its neighbours again.
 */
function firstTogether(
  handlers: EventHandlers,
  waiting: readonly WaitingEvent[],
  most: number,
): readonly WaitingEvent[] {
  const functionOf = ({ event, state, hasFailed }: WaitingEvent) =>
    state === 'final' && !hasFailed ? batchOf(handlers, event.name) : undefined
  const batch = functionOf(waiting[0]!)
  const other = waiting.findIndex((item) => functionOf(item) !== batch)
  return waiting.slice(0, batch === undefined ? 1 : Math.min(most, other === -1 ? waiting.length : other))
}

/**
 * Applies events of one state in one transaction. Returns the number applied: all, or none if they are too many for
 * one; null if another process has set the cursor back, so that other events must be undone first. Throws the error of
 * a handler if the event is alone.
 */
async function applyFirst(
  deps: ApplyDeps,
  items: readonly WaitingEvent[],
  size: BatchSize,
): Promise<number | null> {
  const startedAt = performance.now()
  try {
    if (!(await applyTogether(deps, items))) return null
  } catch (cause) {
    if (items.length === 1) throw await failedAlone(deps, items[0]!, cause)
    deps.onSplit?.(items.length, cause)
    size.failed()
    return 0
  }
  // Alone are also events that no other can join, which say nothing about many.
  if (items.length > 1 || size.events === 1) size.took(items.length, performance.now() - startedAt)
  return items.length
}

async function applyTogether(
  { db, chainId, handlers, now }: ApplyDeps,
  items: readonly UndeliveredEvent[],
): Promise<boolean> {
  const { state } = items[0]!
  const events = items.map(({ event }) => event)
  return inTx(db, async (dbTx) => {
    if (!(await holdBranch(dbTx, chainId))) return false
    // Marking the events first locks them: a second process then finds nothing to do.
    const due = await markDelivered(dbTx, chainId, { events, state }, now())
    if (state === 'final') await applyFinal(handlers, dbTx, due)
    else for (const event of due) await stepBeforeFinal(handlers, event, state)?.(dbTx, event)
    for (const event of due) noteEvent(dbTx, event)
    return true
  })
}

function stepBeforeFinal(handlers: EventHandlers, { name }: ChainEvent, state: 'seen' | 'dropped') {
  const steps = handlers[name] as EventSteps<EventName> | undefined
  return state === 'seen' ? steps?.onSeen : steps?.onDropped
}

/** Records that a handler refused an event. Returns the error to throw. */
async function failedAlone(
  { db, chainId, now }: ApplyDeps,
  item: UndeliveredEvent,
  cause: unknown,
): Promise<Error> {
  const failure = cause instanceof Error ? cause.message : String(cause)
  // Best effort: the database may be what failed.
  await recordFailure(db, chainId, item.event, { failure, at: now() }).catch(() => {})
  return new Error(`${describe(item)}: ${failure}`, { cause })
}

/**
 * Undoes or moves booked events whose blocks a reorganisation replaced, newest first, one database
 * transaction per event. Returns false while events are still missing: nothing else is delivered then.
 */
async function undoMissing(deps: ApplyDeps): Promise<boolean> {
  const { db, chainId, signal } = deps
  const state = await undoState(db, chainId)
  if (state !== 'due') return state === 'none'
  while (!signal.aborted) {
    const isDone = await inTx(db, async (dbTx) => {
      const missing = await nextMissing(dbTx, chainId)
      if (missing !== undefined) await undoOne(deps, dbTx, missing)
      return missing === undefined
    })
    if (isDone) return true
  }
  return false
}

/**
 * Undoes or moves a missing event, which `nextMissing` has locked. Throws the reason why it cannot be undone.
 */
export async function undoOne(
  deps: Pick<ApplyDeps, 'chainId' | 'handlers' | 'now' | 'onUndone'>,
  dbTx: Db,
  missing: MissingEvent,
): Promise<void> {
  const { chainId, handlers, now, onUndone } = deps
  const { event, reincluded } = missing
  try {
    const handler = handlers[event.name] as EventSteps<EventName> | undefined
    if (handler === undefined) throw new Error('no module handles it')
    const at = now()
    if (reincluded === null && missing.needsRecovery && missing.recoveryId === null)
      throw new Error('L1 had finalised its block, so it waits for a recovery')
    await dropMissing(dbTx, chainId, missing, at)
    const isMoved = reincluded !== null && (await handler.onMoved?.(dbTx, event, reincluded))
    const outcome = isMoved ? 'moved' : await handler.onUndone(dbTx, event)
    await recordUndone(dbTx, chainId, missing, { outcome, at })
    noteEvent(dbTx, event)
    if (outcome !== 'moved') onUndone?.(event, outcome)
    // An event that could not be moved is delivered again, after the others are undone.
    if (isMoved) await markDelivered(dbTx, chainId, { events: [reincluded!], state: 'final' }, at)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw new Error(`${event.name} of transaction ${event.txHash} cannot be undone: ${reason}`, { cause })
  }
}

function describe({ event, state }: UndeliveredEvent): string {
  return `${event.name} (${state}) of transaction ${event.txHash} cannot be applied`
}
