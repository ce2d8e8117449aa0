import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'

/** The numbers of the first and the last seat of a range; empty if the last is lower. */
export type SeatRange = readonly [first: number, last: number]

export interface Seats {
  /** Resolves when they are taken; rejects with StartError if they are not free within some seconds. */
  readonly taken: Promise<void>
  stop(): Promise<void>
}

/** 'seat' as a number: the first key of the two-key advisory locks; the second is the seat, 0 that of who takes some. */
const SEAT_CLASS = 0x73656174
const CONNECT_TIMEOUT_MS = 10_000
/** A process that has ended frees its seats within this time, unless its machine vanished. */
const WAIT_MS = 10_000
const PAUSE_MS = 500

/**
 * Takes a seat for each connection that a command may open, and keeps them while it runs, so that all
 * processes of the product together open no more than the seats there are. A seat is a session advisory lock
 * on one connection: a killed process frees its seats. After an outage of the database they are taken again.
 */
export function takeSeats(options: {
  url: string
  command: string
  count: number
  ranges: readonly SeatRange[]
  budget: number
  log: Logger
}): Seats {
  const { url, command, count, ranges, budget, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let client: pg.Client | undefined

  /** Connects and takes all seats or none. Returns the number that was free. */
  async function attempt(onLost: () => void): Promise<number> {
    const opened = new pg.Client({
      connectionString: url,
      application_name: 'rif-seats',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client = opened
    opened.on('error', onLost)
    opened.on('end', onLost)
    try {
      await opened.connect()
      await opened.query(
        'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
      )
      await opened.query('select pg_advisory_lock($1, 0)', [SEAT_CLASS])
      let free = 0
      for (const [first, last] of ranges) {
        const { rowCount } = await opened.query(
          'select n from generate_series($2::int, $3::int) as n where pg_try_advisory_lock($1, n) limit $4',
          [SEAT_CLASS, first, last, count - free],
        )
        free += rowCount ?? 0
      }
      await opened.query('select pg_advisory_unlock($1, 0)', [SEAT_CLASS])
      if (free < count) await opened.end()
      return free
    } catch (error) {
      await opened.end().catch(() => undefined)
      throw error
    }
  }

  /** Takes the seats, and waits for those of processes that are ending. The signal aborts when they are lost. */
  async function take(): Promise<AbortSignal> {
    for (const deadline = Date.now() + WAIT_MS; ; await pause()) {
      const lost = new AbortController()
      const free = await attempt(() => lost.abort())
      if (free === count) return lost.signal
      if (Date.now() > deadline || signal.aborted)
        throw new StartError(
          `rif ${command} needs ${count} of the product's ${budget} database connections, and its other processes leave ${free}: run fewer, set DATABASE_POOL_SIZE lower, or max_connections of PostgreSQL higher`,
        )
    }
  }

  const pause = () => sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)

  /** Takes the seats again whenever they are lost, and says once if somebody else has them. */
  async function hold(): Promise<void> {
    let lost: AbortSignal | undefined = await first
    let isSaid = false
    while (!signal.aborted) {
      if (lost !== undefined && !lost.aborted) await once(AbortSignal.any([lost, signal]), 'abort')
      else await pause()
      if (signal.aborted) return
      lost = await take().catch((error: unknown) => {
        if (!isSaid && error instanceof StartError) log.error(error.message)
        isSaid ||= error instanceof StartError
        return undefined
      })
    }
  }
  const first = take()
  const holding = hold().catch(() => undefined)
  const taken = first.then(() => undefined)
  taken.catch(() => undefined)

  return {
    taken,
    async stop() {
      stopping.abort()
      await client?.end().catch(() => undefined)
      await holding
      // An attempt that was under way has opened another one.
      await client?.end().catch(() => undefined)
    },
  }
}
