import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'

const EVERY_MS = 200
/**
 * Together with the pause between two checks less than a second, so that a waiting call is answered within
 * one.
 */
const ANSWER_MS = 700
/** On a slow network the limit is twice the last round trip, up to this maximum. */
const LONGEST_ANSWER_MS = 3_000
/** The driver's message when the server closes a connection in use. */
const CLOSED_BY_SERVER = 'Connection terminated unexpectedly'

/** Longer than any statement of a call: after this time without calls, none is waiting for an answer. */
const QUIET_MS = 15_000

export interface OutageWatch {
  /** Starts the checks if they have stopped. Each call does so before it takes a connection. */
  wake(): void
  /** Reports whether the last check was answered. */
  isAnswering(): boolean
  stop(): void
}

/**
 * Checks on a separate connection that PostgreSQL answers, while there are calls, and calls `onLost` when it stops.
 * Otherwise a call on a connection whose packets are lost, or to a server that hangs, would wait for minutes.
 */
export function watchOutages(
  connection: pg.Pool,
  onLost: () => void,
  { quietMs = QUIET_MS } = {},
): OutageWatch {
  let isAnswering = true
  let isStopped = false
  let limitMs = ANSWER_MS
  let wokenAt = performance.now()
  let timer: NodeJS.Timeout | undefined

  const checkIn = (ms: number) => {
    timer = setTimeout(() => void check(), ms).unref()
  }

  async function check(): Promise<void> {
    const isAnswered = await answers(connection, limitMs, (ms) => {
      limitMs = Math.min(Math.max(2 * ms, ANSWER_MS), LONGEST_ANSWER_MS)
    })
    if (isStopped) return
    if (isAnswering && !isAnswered) onLost()
    isAnswering = isAnswered
    timer = undefined
    if (!isAnswering || performance.now() - wokenAt < quietMs) checkIn(EVERY_MS)
  }

  checkIn(EVERY_MS)
  return {
    wake() {
      wokenAt = performance.now()
      if (timer === undefined && !isStopped) checkIn(0)
    },
    isAnswering: () => isAnswering,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * Reports whether an answer came within the limit. Calls `onAnswer` with the time of every answer, including
 * late ones.
 */
async function answers(
  connection: pg.Pool,
  limitMs: number,
  onAnswer: (ms: number) => void,
): Promise<boolean> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: 'select 1',
    query_timeout: LONGEST_ANSWER_MS,
  }
  const sentAt = performance.now()
  let isAnswered = false
  const answered = connection.query(query).then(
    () => {
      isAnswered = true
      onAnswer(performance.now() - sentAt)
    },
    // A server that refuses the check answers, and so does one that closes its connection: the next check
    // decides. A driver timeout is not an answer, although it can occur before the limit below.
    (error: Error) => {
      isAnswered = error instanceof pg.DatabaseError || error.message === CLOSED_BY_SERVER
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([answered, late])
  clearTimeout(timer)
  // After a long pause of this process, the timer fires before an answer that has already arrived.
  await nextTurn()
  await nextTurn()
  return isAnswered
}
