import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hash, isAddressEqual } from 'viem'
import { createAlarms } from '../../alarms/alarms.ts'
import { EVERYBODY, noteChange } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Chain } from '../client.ts'
import { storeL1Final } from '../l1-finality.ts'
import { createNodeLog } from '../nodes/node-log.ts'
import { storeNodeStates } from '../nodes/node-states.ts'
import { lineOf } from '../nodes/nodes.ts'
import { applyEvents } from './apply.ts'
import { createBackoff } from './backoff.ts'
import type { EventHandlers, EventName } from './events.ts'
import { createFollower, type FollowResult } from './follow.ts'
import { acquireLeadership, type Leadership } from './leader.ts'
import { noteConfirmed } from './noted.ts'
import { createChainReader, type ProvenHeader } from './reader.ts'
import { eventsAbove } from './recovery.ts'
import { findAncestor, rewind } from './rewind.ts'
import {
  addBanks,
  type ChainPosition,
  hasCursor,
  loadPosition,
  openCursor,
  recordPoll,
  storeUsdtDecimals,
} from './store.ts'

export type IndexerDeps = {
  readonly db: Db
  /** For the leader's own connection; not through a pooler in transaction mode. */
  readonly databaseUrl: string
  readonly chain: Chain
  readonly now: Now
  readonly log: Logger
  /** The block in which the first of our contracts was deployed. */
  readonly startBlock: bigint
  /** The block in which the bank that takes orders was deployed; default `startBlock`. */
  readonly bankStartBlock?: bigint
  /** The number of blocks, itself included, after which a block is final. At least 1. */
  readonly confirmations: number
  /** The interval between polls of the chain; default 1 s. */
  readonly pollMs?: number
  /** Blocks per step of a catch-up; default 2000. */
  readonly rangeBlocks?: number
}

export type Indexer = {
  /** Adds a module's handlers; before `start`. One handler per event name. */
  registerHandlers(handlers: EventHandlers): void
  /** Runs in the background: waits for leadership, then follows the chain until `stop`. */
  start(): void
  /** Ends after the database transaction in hand. */
  stop(): Promise<void>
  /** Polls the chain once and delivers the resulting events; throws errors. For tests and set-up. */
  runOnce(): Promise<void>
}

type Look = {
  head: bigint | null
  /** The hash of that block, if everything up to it was followed. */
  hash: Hash | null
  behind: boolean
  error: string | null
  halted: boolean
}

const MAX_WAIT_MS = 30_000
const DEFAULT_POLL_MS = 1000
/** So many polls only ask for a new block if there was nothing left to do; another process may change the database. */
const POLLS_AT_REST = 9
const DEFAULT_RANGE_BLOCKS = 2000

/**
 * Follows the banks and the transfer contract and delivers their events to the modules' handlers, exactly
 * once and in chain order. Any number of processes may run it; one leads. It waits out outages of node and
 * database with growing pauses; events that a reorganisation removes are undone; a reorganisation below L1
 * finality halts it. `indexerStatus` returns its state.
 */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { db, chain, now, log } = deps
  const { chainId } = chain
  const pollMs = deps.pollMs ?? DEFAULT_POLL_MS
  const reader = createChainReader(chain)
  const alarms = createAlarms(deps)
  const logNodes = createNodeLog(chain.nodes, log, alarms)
  const follower = createFollower({
    db,
    chainId,
    reader,
    confirmations: deps.confirmations,
    rangeBlocks: deps.rangeBlocks ?? DEFAULT_RANGE_BLOCKS,
  })
  const handlers: { [name in EventName]?: EventHandlers[name] } = {}
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let isOpen = false
  let notedFinal: bigint | undefined

  async function open(): Promise<void> {
    if (isOpen) return
    if (!(await hasCursor(db, chainId))) log.info({ startBlock: deps.startBlock }, 'indexing begins')
    const head = await reader.head()
    const before = await reader.blockAt(head, deps.startBlock > 0n ? deps.startBlock - 1n : 0n)
    const added = await openCursor(db, chainId, chain.contracts, before, now())
    if (added.length > 0) await followBanks(added, head)
    await storeUsdtDecimals(db, chainId, chain.decimals.USDT)
    isOpen = true
  }

  /**
   * Follows banks that are new in the settings of a database that has followed others: imports their events
   * up to now.
   */
  async function followBanks(added: readonly Address[], head: ProvenHeader): Promise<void> {
    const fromBlock = deps.bankStartBlock ?? deps.startBlock
    const position = await finalPosition(head)
    const { number } = position.finalised
    log.info({ banks: added, fromBlock, upTo: number }, 'reading the past of a new bank')
    const past = fromBlock > number ? [] : await eventsAbove(reader, head, fromBlock - 1n, number)
    const events = past.filter(({ contract }) => added.some((bank) => isAddressEqual(bank, contract)))
    await addBanks(db, chainId, position, { contracts: chain.contracts, fromBlock, events })
  }

  /** Returns a position whose last final block is in the chain of `head`, set back after a reorganisation. */
  async function finalPosition(head: ProvenHeader): Promise<ChainPosition> {
    const position = await loadPosition(db, chainId)
    const { number, hash } = position.finalised
    if ((await reader.blockAt(head, number)).hash === hash) return position
    const ancestor = await findAncestor(db, chainId, reader, head)
    if (ancestor === undefined) throw new Error('a reorganisation below L1 finality needs a recovery first')
    await rewind(db, chainId, position, ancestor)
    return loadPosition(db, chainId)
  }

  /** Follows the chain to its newest block, and stores the block that L1 has finalised. */
  async function follow(head: ProvenHeader): Promise<FollowResult> {
    // Read before the rest: if the stored blocks agree with the node afterwards, they agree with this block.
    const l1Final = await reader.finalised()
    const result = await follower.follow(head)
    if (result.kind !== 'ok') return result
    await storeL1Final(db, chainId, l1Final, now())
    if (l1Final.number !== notedFinal) noteChange(db, EVERYBODY, 'final')
    notedFinal = l1Final.number
    return result
  }

  const apply = (signal: AbortSignal): Promise<void> =>
    applyEvents({
      db,
      chainId,
      handlers,
      now,
      signal,
      onUndone: ({ name, txHash, logIndex, blockNumber }, outcome) =>
        void alarms
          .once(
            'event_undone',
            { event: name, block: `${blockNumber}`, outcome },
            { subject: `${txHash}/${logIndex}` },
          )
          .catch((err: unknown) => log.error({ err, txHash }, 'an undone event was not reported')),
      onSplit: (events, cause) =>
        log.warn({ events, reason: lineOf(cause) }, 'events are applied in smaller transactions'),
    })

  async function runOnce(): Promise<void> {
    await open()
    for (;;) {
      const result = await follow(await reader.head())
      if (result.kind === 'halted') throw new Error(result.reason)
      await apply(stopping.signal)
      await recordPoll(db, chainId, { head: result.head, at: now(), error: null, halted: false })
      await storeNodeStates(db, chain.nodes, now())
      if (result.kind === 'ok' && !result.behind) return
    }
  }

  /**
   * Polls the chain and reports errors instead of throwing. An outage does not end a halt. Returns undefined if the
   * newest block is still `restsAt`.
   */
  async function look(wasHalted: boolean, restsAt: Hash | null): Promise<Look | undefined> {
    try {
      await open()
      const newest = await reader.head()
      if (newest.hash === restsAt) return undefined
      const result = await follow(newest)
      if (result.kind === 'ok') {
        const { head, behind } = result
        return { head, hash: newest.hash, behind, error: null, halted: false }
      }
      if (result.kind === 'rewound') {
        const { to, missing } = result
        log.error({ to: `${to}`, missing }, 'reorganisation: blocks that were final are replaced')
        if (missing > 0) await alarms.once('chain_reorganised', { missing }, { subject: `${to}` })
        return { head: result.head, hash: null, behind: true, error: null, halted: false }
      }
      return { head: result.head, hash: null, behind: false, error: result.reason, halted: true }
    } catch (error) {
      // Only the first line, because viem's errors contain the node's address, and with it a provider's key.
      log.warn({ reason: lineOf(error) }, 'the chain cannot be followed')
      return { head: null, hash: null, behind: false, error: lineOf(error), halted: wasHalted }
    }
  }

  async function tryApply(signal: AbortSignal): Promise<string | null> {
    try {
      await apply(signal)
      return null
    } catch (error) {
      log.error({ err: error }, 'an event cannot be applied; later ones wait')
      return lineOf(error)
    }
  }

  async function lead(leadership: Leadership): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, leadership.lost])
    const followWait = createBackoff(pollMs, MAX_WAIT_MS)
    const applyWait = createBackoff(pollMs, MAX_WAIT_MS)
    let latest: Look = { head: null, hash: null, behind: false, error: null, halted: false }
    let applyError: string | null = null
    let notedHead: bigint | null = null
    let restsAt: Hash | null = null
    let pollsAtRest = 0
    while (!signal.aborted) {
      if (followWait.isDue()) {
        const newLook = await look(latest.halted, pollsAtRest < POLLS_AT_REST ? restsAt : null)
        if (newLook === undefined) {
          pollsAtRest++
          await pause(pollMs, signal)
          continue
        }
        latest = newLook
        followWait.settle(latest.error === null)
      }
      if (!latest.halted && applyWait.isDue()) {
        applyError = await tryApply(signal)
        applyWait.settle(applyError === null)
      }
      await logNodes()
      await alarms.sees('indexer_halted', latest.halted ? { reason: latest.error } : null)
      await alarms.sees('event_not_applied', applyError === null ? null : { reason: applyError })
      const { head, halted } = latest
      const error = latest.error ?? applyError
      // Best effort: while the database is unavailable nothing can be recorded in it.
      await recordPoll(db, chainId, { head, at: now(), error, halted }).catch(() => {})
      if (head !== notedHead) await noteConfirmed(db, chainId).catch(() => {})
      notedHead = head
      await storeNodeStates(db, chain.nodes, now()).catch(() => {})
      restsAt = error === null && !latest.behind ? latest.hash : null
      pollsAtRest = 0
      if (!latest.behind) await pause(pollMs, signal)
    }
  }

  async function run(): Promise<void> {
    const wait = createBackoff(pollMs, MAX_WAIT_MS)
    while (!stopping.signal.aborted) {
      if (!wait.isDue()) {
        await pause(pollMs, stopping.signal)
        continue
      }
      try {
        const leadership = await acquireLeadership(deps.databaseUrl, chainId, stopping.signal)
        if (leadership === undefined) return
        wait.settle(true)
        log.info({ chainId }, 'leading the indexing')
        await lead(leadership).finally(leadership.release)
      } catch (error) {
        wait.settle(false)
        log.warn({ err: error }, 'cannot ask for the lead of the indexing')
      }
    }
  }

  return {
    registerHandlers(added) {
      for (const name of Object.keys(added) as EventName[])
        if (handlers[name] !== undefined) throw new Error(`${name} has a handler already`)
      Object.assign(handlers, added)
    },
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
    runOnce,
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}
