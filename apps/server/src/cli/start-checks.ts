import { setTimeout as sleep } from 'node:timers/promises'
import { ChainAway } from '../chain/client.ts'
import { lineOf } from '../chain/nodes/nodes.ts'
import { deferred } from '../lib/deferred.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'

/** A check that a process makes at its start, and repeats while the part that it asks is away. */
export interface StartCheck {
  isPassed(): boolean
  /** Resolves when it has passed. */
  readonly passed: Promise<void>
  /** Resolves with one line if it is refused after the start: the process must end. */
  readonly refused: Promise<string>
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

/**
 * Runs a check, and repeats it in the background while it fails for another reason than a StartError. `noteAway` gets the reason of
 * each attempt. With `waits` the first attempt is awaited: a StartError is then thrown.
 */
export async function startCheck({
  run,
  waits,
  noteAway,
  back,
  log,
}: {
  run: () => Promise<void>
  waits: boolean
  /** Says why it cannot be made; null once it has passed after that. Called after each attempt. */
  noteAway: (reason: string | null) => Promise<void>
  /** The line of the log when it has passed after that. */
  back: string
  log: Logger
}): Promise<StartCheck> {
  const stopping = new AbortController()
  const passed = deferred<void>()
  const refused = deferred<string>()
  let isPassed = false
  let reason: string | undefined

  /** Makes one attempt. Throws StartError. */
  async function attempt(): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (error instanceof StartError && !(error instanceof ChainAway)) throw error
      reason = lineOf(error)
      await noteAway(reason)
      return
    }
    if (reason !== undefined) {
      log.warn(back)
      await noteAway(null)
    }
    isPassed = true
    passed.resolve()
  }

  async function repeat(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!stopping.signal.aborted && !isPassed) {
      await attempt()
      if (isPassed) return
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  if (waits) await attempt()
  const running = repeat().catch((error: unknown) => refused.resolve((error as Error).message))
  return {
    isPassed: () => isPassed,
    passed: passed.promise,
    refused: refused.promise,
    async stop() {
      stopping.abort()
      // A request to a node that hangs is not awaited.
      await Promise.race([running, sleep(FIRST_PAUSE_MS, undefined, { ref: false })])
    },
  }
}
