import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CHANGE_KINDS, type ChangeKind } from '@rif/api-schema'
import { type ChangeNote, EVERYBODY, OPERATORS } from '../../db/changes.ts'
import { AppError } from '../../lib/errors.ts'

/** The reader of a stream. */
export interface Reader {
  readonly memberId: bigint | null
  /** In lower case. */
  readonly address: string
  readonly tokenHash: Buffer
  readonly isOperator: boolean
  /** The network address. */
  readonly source: string
}

export interface StreamLimits {
  readonly perWallet: number
  readonly perSource: number
  readonly perProcess: number
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { perWallet: 12, perSource: 300, perProcess: 12_000 }

/** The times of a stream, in milliseconds. */
export interface StreamTimes {
  /** The minimum interval between announcements of one stream; changes in between are sent together. */
  readonly gatherMs: number
  readonly firstGatherMs: number
  /**
   * The interval of the periodic work: each stream gets a heartbeat every `BEAT_TURNS`, and is checked every
   * `CHECK_TURNS`.
   */
  readonly turnMs: number
  /** A reader that accepts nothing for this long is disconnected. */
  readonly slowMs: number
  /**
   * The lifetime of a stream, so that a vanished client is not kept for ever and others find the newest
   * processes.
   */
  readonly lifeMs: number
}

export const DEFAULT_STREAM_TIMES: StreamTimes = {
  ...{ firstGatherMs: 20, gatherMs: 250, turnMs: 1_000, slowMs: 15_000, lifeMs: 30 * 60_000 },
}

const BEAT_TURNS = 20
const CHECK_TURNS = 10
const RETRY_AFTER_SECONDS = 60
/** The number of frames written before other work gets a turn. */
const WRITES_AT_ONCE = 500
const HEARTBEAT = Buffer.from(':\n\n')

const BIT = Object.fromEntries(CHANGE_KINDS.map((kind, index) => [kind, 1 << index])) as Record<
  ChangeKind,
  number
>

interface Stream extends Reader {
  readonly response: ServerResponse
  readonly slot: number
  readonly endsAt: number
  /** The pending kinds as bits: a slow reader needs no more memory. */
  pending: number
  /** The time since which the reader has accepted nothing; 0 while it accepts. */
  blockedSince: number
}

/** Returns the readers among the given ones that may continue. Throws if this cannot be determined now. */
export type Check = (readers: readonly Reader[]) => Promise<readonly Reader[]>

/**
 * Creates the open streams of this process. A stream holds no data and no timer: its pending announcements
 * are bits of one number, and one timer serves all streams.
 */
export function createStreams({
  check,
  limits = DEFAULT_STREAM_LIMITS,
  times = DEFAULT_STREAM_TIMES,
}: {
  check: Check
  limits?: StreamLimits
  times?: StreamTimes
}) {
  const slots = Array.from({ length: BEAT_TURNS }, () => new Set<Stream>())
  /** By member, by wallet and by network address. */
  const index = new Map<string, Set<Stream>>()
  const operators = new Set<Stream>()
  const frames = new Map<number, Buffer>()
  let dirty = new Set<Stream>()
  let size = 0
  let opened = 0
  let turn = 0
  let lastFlushAt = Number.NEGATIVE_INFINITY
  let flushTimer: NodeJS.Timeout | undefined
  let isEnding = false

  const keysOf = ({ memberId, address, source }: Reader) => [
    ...(memberId === null ? [] : [`${memberId}`]),
    address,
    `from ${source}`,
  ]
  const countOf = (key: string) => index.get(key)?.size ?? 0

  /**
   * Checks the limits for one more stream. Throws RATE_LIMITED, and UNAVAILABLE if this process has no room.
   */
  function requireRoom({ address, source }: Reader): void {
    if (isEnding || size >= limits.perProcess) throw new AppError('UNAVAILABLE')
    if (countOf(address) < limits.perWallet && countOf(`from ${source}`) < limits.perSource) return
    throw new AppError('RATE_LIMITED', { retry_after_seconds: RETRY_AFTER_SECONDS })
  }

  function frameOf(pending: number): Buffer {
    const known = frames.get(pending)
    if (known !== undefined) return known
    const kinds = CHANGE_KINDS.filter((kind) => (pending & BIT[kind]) !== 0)
    const frame = Buffer.from(`data: ${JSON.stringify({ kinds })}\n\n`)
    frames.set(pending, frame)
    return frame
  }

  function write(stream: Stream, frame: Buffer): void {
    if (!stream.response.write(frame)) stream.blockedSince = performance.now()
  }

  /** Sends pending announcements, unless the reader is slow: then they are sent when it has caught up. */
  function tell(stream: Stream): void {
    if (stream.pending === 0 || stream.blockedSince !== 0) return
    const frame = frameOf(stream.pending)
    stream.pending = 0
    write(stream, frame)
  }

  async function flush(): Promise<void> {
    const due = dirty
    dirty = new Set()
    lastFlushAt = performance.now()
    flushTimer = undefined
    let written = 0
    for (const stream of due) {
      tell(stream)
      if (++written % WRITES_AT_ONCE === 0) await nextTurn()
    }
  }

  function mark(streams: Iterable<Stream>, bit: number): void {
    for (const stream of streams) {
      stream.pending |= bit
      dirty.add(stream)
    }
    if (dirty.size === 0) return
    const pauseMs = Math.max(times.firstGatherMs, lastFlushAt + times.gatherMs - performance.now())
    flushTimer ??= setTimeout(() => void flush(), pauseMs)
  }

  function remove(stream: Stream): void {
    if (!slots[stream.slot]!.delete(stream)) return
    size--
    operators.delete(stream)
    dirty.delete(stream)
    for (const key of keysOf(stream)) {
      const others = index.get(key)
      others?.delete(stream)
      if (others?.size === 0) index.delete(key)
    }
  }

  function end(stream: Stream): void {
    remove(stream)
    stream.response.end()
  }

  /**
   * Ends the streams of readers that may not read any more. While this cannot be determined, the streams
   * stay.
   */
  async function endRefused(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return
    const allowed = new Set<Reader>(await check(streams).catch(() => streams))
    for (const stream of streams) if (!allowed.has(stream)) end(stream)
  }

  function workOn(slot: ReadonlySet<Stream>): void {
    const at = performance.now()
    for (const stream of [...slot]) {
      if (stream.blockedSince !== 0) {
        if (at - stream.blockedSince < times.slowMs) continue
        remove(stream)
        stream.response.destroy()
      } else if (at >= stream.endsAt) end(stream)
      else write(stream, HEARTBEAT)
    }
  }

  const turns = setInterval(() => {
    turn++
    workOn(slots[turn % BEAT_TURNS]!)
    const due = slots.filter((_, slot) => slot % CHECK_TURNS === turn % CHECK_TURNS)
    void endRefused(due.flatMap((slot) => [...slot]))
  }, times.turnMs)

  return {
    /** The number of open streams. */
    size: () => size,

    requireRoom,

    /**
     * Opens a stream on a response whose headers are sent. It ends by itself, by its reader, or when the
     * reader may not read any more.
     */
    open(reader: Reader, response: ServerResponse): void {
      // The reader has already gone, and no later event would report that.
      if (response.destroyed) return
      // Another response is pending on the same connection, and Node does not close the connection with it.
      // No browser sends such requests.
      if (response.socket === null) {
        response.end()
        return
      }
      const slot = opened++ % BEAT_TURNS
      const endsAt = performance.now() + times.lifeMs * (0.75 + Math.random() / 2)
      const stream: Stream = { ...reader, response, slot, endsAt, pending: 0, blockedSince: 0 }
      slots[slot]!.add(stream)
      size++
      if (reader.isOperator) operators.add(stream)
      for (const key of keysOf(reader)) {
        const others = index.get(key)
        if (others === undefined) index.set(key, new Set([stream]))
        else others.add(stream)
      }
      response.once('close', () => remove(stream))
      response.on('error', () => remove(stream))
      response.on('drain', () => {
        stream.blockedSince = 0
        tell(stream)
      })
      // A new stream reads everything anyway, so earlier changes need no announcement.
      write(stream, frameOf(BIT.refresh))
    },

    /** Announces changes to the streams, and checks those whose session may have ended. */
    deliver(notes: readonly ChangeNote[]): void {
      for (const note of notes) {
        const [of = '', kind = ''] = note.split(' ')
        if (kind === 'session') void endRefused([...(index.get(of) ?? [])])
        const bit = BIT[kind as ChangeKind]
        if (bit === undefined) continue
        if (of === EVERYBODY) for (const slot of slots) mark(slot, bit)
        else mark(of === OPERATORS ? operators : (index.get(of) ?? []), bit)
      }
    },

    /** Ends all streams and refuses new ones; the readers open them at another process. */
    endAll(): void {
      isEnding = true
      clearInterval(turns)
      clearTimeout(flushTimer)
      for (const slot of slots) for (const stream of [...slot]) end(stream)
    },
  }
}
