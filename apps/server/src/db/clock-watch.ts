import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createAlarms } from '../alarms/alarms.ts'
import type { Now } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Db } from './database.ts'
import { forAll } from './lanes.ts'

/** The allowed difference from the database's clock. The database refuses postings beyond it. */
const ALLOWED_MS = 1_000
const INTERVAL_MS = 5_000

/** The clock of this process compared with the database's. */
export interface ClockStatus {
  /** Positive when this process is ahead. */
  readonly offsetMs: number
  /** False if the difference is certainly more than a second, and the database is not a simulation. */
  readonly isRight: boolean
}

export interface ClockWatch {
  status(): ClockStatus
  stop(): Promise<void>
}

/** Compares the clocks once. The response time is the uncertainty of the result. */
export async function compareClocks(db: Db, now: Now): Promise<ClockStatus> {
  const sentAt = now().getTime()
  const { rows } = await sql<{ ms: number; simulation: boolean }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as ms, is_simulation as simulation
    from ledger_simulation`.execute(db)
  const receivedAt = now().getTime()
  const { ms, simulation } = rows[0]!
  const offsetMs = (sentAt + receivedAt) / 2 - ms
  const uncertaintyMs = Math.abs(receivedAt - sentAt) / 2
  return { offsetMs, isRight: simulation || Math.abs(offsetMs) - uncertaintyMs <= ALLOWED_MS }
}

/** Compares the clocks now and every few seconds, and raises an alarm about this machine while they differ. */
export async function watchClock({ db, now, log }: { db: Db; now: Now; log: Logger }): Promise<ClockWatch> {
  const stopping = new AbortController()
  const alarms = createAlarms({ db, now, log })
  let latest = await compareClocks(db, now)
  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      // If the database does not answer, nothing is written anyway.
      latest = await forAll('intervals', () => compareClocks(db, now)).catch(() => latest)
      const { isRight, offsetMs } = latest
      await forAll('intervals', () =>
        alarms.sees('clock_differs', isRight ? null : { offsetMs }, { subject: hostname() }),
      )
    }
  }
  const running = repeat()
  return {
    status: () => latest,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
