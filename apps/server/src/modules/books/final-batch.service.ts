import type { ChainEvent, FinalBatch } from '../../chain/indexer/events.ts'
import type { Db } from '../../db/database.ts'
import type { PoolAccount } from './ledger/accounts.ts'
import type { LedgerService } from './ledger/ledger.service.ts'

/** Events of one kind whose initial locks are held. */
export interface Begun {
  readonly pools: readonly PoolAccount[]
  readonly memberIds: readonly bigint[]
  /** Applies some of the events, in their order; pools and heads are locked. */
  apply(events: readonly ChainEvent[]): Promise<void>
}

/** A kind of final events that is applied together with others in one transaction. */
export interface BatchKind {
  takes(event: ChainEvent): boolean
  /** Takes the locks that precede pools and heads, and returns the pools and heads that the events need. */
  begin(dbTx: Db, events: readonly ChainEvent[]): Promise<Begun>
}

/**
 * Returns the function that applies final events of these kinds. All locks are taken in the fixed order (the kinds'
 * initial locks in the given order) before anything is written, so that they cannot deadlock with a member's
 * operations.
 */
export function createFinalBatch(ledger: LedgerService, kindsOf: () => readonly BatchKind[]): FinalBatch {
  return async (dbTx, events) => {
    const kinds = kindsOf()
    const kindOf = (event: ChainEvent) => kinds.find((kind) => kind.takes(event))!
    const begun = new Map<BatchKind, Begun>()
    for (const kind of kinds) {
      const own = events.filter((event) => kindOf(event) === kind)
      if (own.length > 0) begun.set(kind, await kind.begin(dbTx, own))
    }
    const all = [...begun.values()]
    await ledger.lock(dbTx, {
      pools: [...new Set(all.flatMap(({ pools }) => pools))],
      memberIds: [...new Set(all.flatMap(({ memberIds }) => memberIds))],
    })
    for (const run of runsOf(events, kindOf)) await begun.get(kindOf(run[0]!))!.apply(run)
  }
}

/** Divides events into runs of one kind. */
function runsOf(events: readonly ChainEvent[], kindOf: (event: ChainEvent) => BatchKind): ChainEvent[][] {
  const runs: ChainEvent[][] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run !== undefined && kindOf(run[0]!) === kindOf(event)) run.push(event)
    else runs.push([event])
  }
  return runs
}
