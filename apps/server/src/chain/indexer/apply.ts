import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { ChainEvent, EventHandler, EventHandlers, EventName } from './events.ts'
import { advanceApplied, type EventState, loadUntold, markTold, type UntoldEvent } from './store.ts'

const EVENTS_PER_LOAD = 200

/**
 * Tells the modules' handlers what is new, one database transaction per event, in order, until nothing is left or
 * `signal` says stop. Throws what a handler throws, with the event in the message; nothing after it is told.
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
    const untold = await loadUntold(db, chainId, names, EVENTS_PER_LOAD)
    if (untold.length === 0) break
    for (const item of untold) {
      if (signal.aborted) return
      await inDbTx(db, async (dbTx) => {
        // Marked first: this locks the event, and whoever comes second finds nothing to do.
        if (await markTold(dbTx, chainId, item, now())) await tell(dbTx, handlers, item)
      }).catch((cause: unknown) => {
        throw new Error(`${describe(item)}: ${cause instanceof Error ? cause.message : cause}`, { cause })
      })
    }
  }
  await advanceApplied(db, chainId, names)
}

async function tell(dbTx: Db, handlers: EventHandlers, { event, state }: UntoldEvent): Promise<void> {
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

function describe({ event, state }: UntoldEvent): string {
  return `${event.name} (${state}) of transaction ${event.txHash} cannot be applied`
}
