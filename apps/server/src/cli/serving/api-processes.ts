import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Facts } from '../../alarms/alarms.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Logger } from '../../lib/logger.ts'
import { StartError } from '../../lib/start-error.ts'
import type { MetricValues } from '../../plugins/metrics.ts'
import type { ChainAccess } from '../platform.ts'
import { type Link, openLink, Refused } from './link.ts'

/**
 * The environment of an API process: the parts that the main process has opened, and the name of the process.
 */
export interface ApiPlace extends Omit<ChainAccess, 'chain' | 'contractsCheck' | 'local'> {
  readonly databaseUrl: string
  readonly contracts: ChainAccess['chain']['contracts']
  /** The unlocked accounts of the chain that the main process started; null on any other. */
  readonly demoAccounts: readonly Address[] | null
  readonly databasePoolSize: number
  /** The level of the log unless the settings name one. */
  readonly logLevel: string
}

/** Calls that the main process answers for its API processes. */
export interface MainWork {
  /** Handles the JSON-RPC requests of browsers to the local chain. */
  relay(body: unknown): Promise<unknown>
  /** Returns the metrics of the main process. */
  metrics(): Promise<MetricValues>
}

export interface ApiProcesses {
  /**
   * Lets the processes serve, and resolves when the first of them listens. Throws StartError with its reason
   * if it cannot.
   */
  begin(place: ApiPlace, work: MainWork): Promise<void>
  /** Resolves with one line when no process can be kept running. */
  readonly failed: Promise<string>
  /** Returns the number of processes that listen. */
  serving(): number
  /** Stops the processes after they have answered their requests in progress. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** After running this long, a process starts again with the shortest pause. */
const SETTLED_MS = 60_000
/** The maximum number of consecutive failed starts. */
const MAX_FAILED_STARTS = 5

/** Returns the name of the n-th API process, from 1. */
const nameOf = (number: number) => `api-${number}`

/**
 * Forks processes that serve the API on one port, and restarts each when it ends. The first loads the program
 * at once and waits for `begin`. Each ends when this process ends, because the channel between them closes.
 */
export function forkApiProcesses({
  count,
  log,
  onEnded,
}: {
  count: number
  log: Logger
  /** Is called with what is known about each process that ended by itself. */
  onEnded?: (api: string, facts: Facts) => void
}): ApiProcesses {
  // The operating system distributes connections: waiting ones survive the death of a process, and a busy
  // main process delays none.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const stopping = new AbortController()
  const { signal: stopped } = stopping
  const links = new Map<string, Link>()
  const serving = new Set<string>()
  const begun = deferred<{ place: ApiPlace; work: MainWork }>()
  const oneServes = deferred<void>()
  const hasServed = oneServes.promise.then(
    () => true,
    () => false,
  )
  const failed = deferred<string>()
  let isReady = false

  function giveUp(line: string): void {
    oneServes.reject(new StartError(line))
    if (isReady) failed.resolve(line)
  }

  /** Returns the metrics of all processes except the requesting one, without those that do not answer. */
  async function othersMetrics(asker: string): Promise<MetricValues[]> {
    const { work } = await begun.promise
    const others = [...serving].filter((name) => name !== asker).map((name) => links.get(name)!)
    const asked = [work.metrics(), ...others.map((link) => link.ask<MetricValues>('metrics'))]
    return (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  /** Runs a process until it ends. Returns whether it served, and its reason if it refused to. */
  async function run(name: string): Promise<{ served: boolean; refusal: string | undefined; how: string }> {
    cluster.setupPrimary({ args: ['serve', name], serialization: 'advanced' })
    const worker = fork()
    if (worker instanceof Error) return { served: false, refusal: undefined, how: worker.message }
    const ended = endOf(worker)
    const link = openLink(worker.process, {
      relay: async (body) => (await begun.promise).work.relay(body),
      metrics: () => othersMetrics(name),
    })
    links.set(name, link)
    let served = false
    let hasEnded = false
    let refusal: string | undefined
    void begun.promise
      .then(({ place }) => link.ask('begin', { ...place, name }))
      .then(
        () => {
          served = true
          // Its answer can arrive after its end.
          if (hasEnded) return
          serving.add(name)
          isReady = true
          oneServes.resolve()
        },
        (error: unknown) => {
          if (!(error instanceof Refused)) return
          refusal = error.message
          worker.process.kill('SIGTERM')
        },
      )
    const how = await ended
    hasEnded = true
    serving.delete(name)
    links.delete(name)
    return { served, refusal, how }
  }

  async function keepRunning(name: string): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    let failedStarts = 0
    while (!stopped.aborted) {
      const begunAt = performance.now()
      const { served, refusal, how } = await run(name)
      if (stopped.aborted) return
      const reason = refusal?.split('\n', 1)[0]
      log.error({ api: name, how, ...(reason && { reason }) }, 'an API process ended')
      onEnded?.(name, { how, reason })
      if (refusal !== undefined && !isReady) return giveUp(refusal)
      failedStarts = served ? 0 : failedStarts + 1
      if (failedStarts >= MAX_FAILED_STARTS && (!isReady || serving.size === 0))
        return giveUp(`an API process ended ${failedStarts} times while it started: ${refusal ?? how}`)
      if (performance.now() - begunAt > SETTLED_MS) pauseMs = FIRST_PAUSE_MS
      await sleep(pauseMs, undefined, { signal: stopped }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
  const [first = '', ...others] = Array.from({ length: count }, (_, index) => nameOf(index + 1))
  // The others start when the first one serves, so that loading them does not delay it.
  const running = [
    keepRunning(first),
    ...others.map(async (name) => {
      if (await hasServed) await keepRunning(name)
    }),
  ]

  return {
    async begin(place, work) {
      begun.resolve({ place, work })
      await oneServes.promise
    },
    failed: failed.promise,
    serving: () => serving.size,
    async stop() {
      stopping.abort()
      oneServes.reject(new Error('stopped'))
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
      await Promise.all(running)
    },
  }
}

/** Forks a process. Returns the error if the system has no memory or process number left. */
function fork(): Worker | Error {
  try {
    return cluster.fork()
  } catch (error) {
    return error as Error
  }
}

/** Waits until a process ends or fails to start. Returns the outcome. */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `${code}`))
    // A message to a process that has just ended fails too; its end follows.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(error.message)
    })
  })
}
