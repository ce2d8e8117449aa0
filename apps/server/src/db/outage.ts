import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'

/** Twice a second. A server that is slow by a second is slow, not lost. */
const EVERY_MS = 500
const ANSWER_MS = 1_500

export interface OutageWatch {
  /** False from the first unanswered check to the next answered one. */
  isAnswering(): boolean
  stop(): void
}

/**
 * Checks on the health connection that PostgreSQL answers, and calls `onLost` when it stops. Without it, a call on a
 * connection whose packets are lost would wait for minutes.
 */
export function watchOutages(health: pg.Pool, onLost: () => void): OutageWatch {
  let isAnswering = true
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    const isAnswered = await answers(health)
    if (isStopped) return
    if (isAnswering && !isAnswered) onLost()
    isAnswering = isAnswered
    timer = setTimeout(() => void check(), EVERY_MS).unref()
  }

  timer = setTimeout(() => void check(), EVERY_MS).unref()
  return {
    isAnswering: () => isAnswering,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function answers(health: pg.Pool): Promise<boolean> {
  const query: pg.QueryConfig & { query_timeout: number } = { text: 'select 1', query_timeout: 2 * ANSWER_MS }
  let isAnswered = false
  const answered = health.query(query).then(
    () => {
      isAnswered = true
    },
    // A server that refuses the check answers, and so does one that closes its connection: the next check decides.
    (error: Error) => {
      isAnswered = !('syscall' in error || 'errors' in error)
    },
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS)
  })
  await Promise.race([answered, late])
  clearTimeout(timer)
  // After a long pause of this process, the timer runs before the answer that is already here.
  await nextTurn()
  await nextTurn()
  return isAnswered
}
