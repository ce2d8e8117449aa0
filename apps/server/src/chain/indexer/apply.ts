import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { ChainEvent, EventHandler, EventHandlers, EventName } from './events.ts'
import {
  advanceApplied,
  type EventState,
  loadUndelivered,
  markDelivered,
  type UndeliveredEvent,
} from './store.ts'

const EVENTS_PER_LOAD = 200

/**
 * Delivers new events to the modules' handlers, one database transaction per event, in order, until none is left or
 * `signal` aborts. Throws the error of a handler, with the event in the message; later events are not delivered then.
 */
export async function applyEvents(deps: {
  db: Db
  chainId: number
  handlers: EventHandlers
  now: Now
  signal: AbortSignal
}): Promise<void> {
  const { db, chainId, handlers, now, signal } = deps
  const names = Object.keys(handlers) as EventName[]
  for (;;) {
    const undelivered = await loadUndelivered(db, chainId, names, EVENTS_PER_LOAD)
    if (undelivered.length === 0) break
    for (const item of undelivered) {
      if (signal.aborted) return
      await inDbTx(db, async (dbTx) => {
        // Marking the event first locks it: a second process then finds nothing to do.
        if (await markDelivered(dbTx, chainId, item, now())) await deliver(dbTx, handlers, item)
      }).catch((cause: unknown) => {
        throw new Error(`${describe(item)}: ${cause instanceof Error ? cause.message : cause}`, { cause })
      })
    }
  }
  await advanceApplied(db, chainId, names)
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
