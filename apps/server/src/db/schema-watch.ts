import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../lib/logger.ts'
import type { Db } from './database.ts'
import { forAll } from './lanes.ts'
import { schemaState } from './migrate.ts'

const INTERVAL_MS = 1_000

/** The schema of the database as this process last saw it. */
export interface SchemaWatch {
  /** False if a newer version has changed it: what this process would read and write there is unknown. */
  isKnown(): boolean
  /** Resolves with one line when the schema is being changed, or was, for a process that must not work on it. */
  readonly changed: Promise<string>
  stop(): Promise<void>
}

/** Looks every second whether `rif migrate` changes the schema, or has. Each new state is one line in the log. */
export function watchSchema({ db, log }: { db: Db; log: Logger }): SchemaWatch {
  const stopping = new AbortController()
  let isKnown = true
  let problem: string | undefined
  let change: (line: string) => void = () => undefined
  const changed = new Promise<string>((resolve) => {
    change = resolve
  })

  async function look(): Promise<void> {
    const { unknown, isChanging, pending } = await forAll('intervals', () => schemaState(db))
    // A process starts on its own schema, so that what it lacks now was changed by another version.
    const other =
      pending.length > 0 ? `the database has other ${pending.join(', ')} than this version` : undefined
    isKnown = (unknown ?? other) === undefined
    const now = unknown ?? (isChanging ? 'the database is being migrated' : other)
    if (now !== problem && now !== undefined) {
      log.error({ problem: now }, 'the schema of the database changes: this version must be replaced')
      change(now)
    }
    problem = now
  }

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      // While the database does not answer, nothing is read or written anyway.
      if (!stopping.signal.aborted) await look().catch(() => undefined)
    }
  }
  const running = repeat()
  return {
    isKnown: () => isKnown,
    changed,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
