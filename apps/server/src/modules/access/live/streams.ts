import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CHANGE_KINDS, type ChangeKind } from '@rif/api-schema'
import { type ChangeNote, EVERYBODY, OPERATORS } from '../../../db/changes.ts'
import { AppError } from '../../../lib/errors.ts'

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
  /** The interval of heartbeats. */
  readonly beatMs: number
  /** The interval at which sessions and roles are checked. */
  readonly checkMs: number
  /** A reader that accepts nothing for this long is disconnected. */
  readonly slowMs: number
  /**
   * The lifetime of a stream, so that a vanished client is not kept for ever and others find the newest
   * processes.
   */
  readonly lifeMs: number
  /** A page is taken to be older than it says by this: its request takes a while to arrive, and so do notes of other processes. */
  readonly ageMarginMs: number
}

export const DEFAULT_STREAM_TIMES: StreamTimes = {
  firstGatherMs: 20,
  gatherMs: 250,
  beatMs: 20_000,
  checkMs: 10_000,
  slowMs: 15_000,
  lifeMs: 30 * 60_000,
  ageMarginMs: 5_000,
}

const RETRY_AFTER_SECONDS = 60
/** The number of notes that are kept at least for streams that open soon: a page opens its stream some seconds after its first read. */
const RECALLED = 5_000
/** The number of frames written before other work gets a turn. */
const WRITES_AT_ONCE = 500
const HEARTBEAT = ':\n\n'

const frameOf = (kinds: readonly ChangeKind[]) => `data: ${JSON.stringify({ kinds })}\n\n`

const KINDS: ReadonlySet<string> = new Set(CHANGE_KINDS)

interface Stream extends Reader {
  readonly response: ServerResponse
  readonly endsAt: number
  /** The kinds that are not announced yet: a slow reader keeps no more. */
  readonly pending: Set<ChangeKind>
  /** The time since which the reader has accepted nothing; 0 while it accepts. */
  blockedSince: number
}

/** Returns the readers among the given ones that may continue. Throws if this cannot be determined now. */
export type StreamCheck = (readers: readonly Reader[]) => Promise<readonly Reader[]>

/** Creates the open streams of this process. A stream holds no data, only the kinds of changes to announce. */
export function createStreams({
  check,
  limits = DEFAULT_STREAM_LIMITS,
  times = DEFAULT_STREAM_TIMES,
}: {
  check: StreamCheck
  limits?: StreamLimits
  times?: StreamTimes
}) {
  const streams = new Set<Stream>()
  /** By member, by wallet, by network address, and those of operators. */
  const index = new Map<string, Set<Stream>>()
  let dirty = new Set<Stream>()
  let lastFlushAt = Number.NEGATIVE_INFINITY
  let flushTimer: NodeJS.Timeout | undefined
  let isEnding = false
  /** The latest notes with the time of their arrival, and the time since which none is missing among them. */
  let recent: { readonly at: number; readonly note: ChangeNote }[] = []
  let completeSince = performance.now() + times.ageMarginMs

  /** Keeps notes for streams that open soon. */
  function recall(notes: readonly ChangeNote[]): void {
    const at = performance.now()
    for (const note of notes) recent.push({ at, note })
    if (recent.length <= 2 * RECALLED) return
    completeSince = recent.at(-RECALLED - 1)!.at
    recent = recent.slice(-RECALLED)
  }

  /** Returns what has changed for a reader since its page was opened; `refresh` if that is not known. */
  function changedSince(reader: Reader, pageAgeMs: number | undefined): readonly ChangeKind[] {
    const since = performance.now() - (pageAgeMs ?? Number.POSITIVE_INFINITY) - times.ageMarginMs
    if (since <= completeSince) return ['refresh']
    const keys: readonly string[] = [EVERYBODY, ...keysOf(reader)]
    return recent.flatMap(({ at, note }) => {
      const [of = '', kind = ''] = note.split(' ')
      return at >= since && KINDS.has(kind) && keys.includes(of) ? [kind as ChangeKind] : []
    })
  }

  const keysOf = ({ memberId, address, source, isOperator }: Reader) => [
    ...(memberId === null ? [] : [`${memberId}`]),
    ...(isOperator ? [OPERATORS] : []),
    address,
    `from ${source}`,
  ]
  const countOf = (key: string) => index.get(key)?.size ?? 0

  /**
   * Checks the limits for one more stream. Throws RATE_LIMITED, and UNAVAILABLE if this process has no room.
   */
  function requireRoom({ address, source }: Reader): void {
    if (isEnding || streams.size >= limits.perProcess) throw new AppError('UNAVAILABLE')
    if (countOf(address) < limits.perWallet && countOf(`from ${source}`) < limits.perSource) return
    throw new AppError('RATE_LIMITED', { retry_after_seconds: RETRY_AFTER_SECONDS })
  }

  function write(stream: Stream, frame: string): void {
    if (!stream.response.write(frame)) stream.blockedSince = performance.now()
  }

  /** Sends pending announcements, unless the reader is slow: then they are sent when it has caught up. */
  function tell(stream: Stream): void {
    if (stream.pending.size === 0 || stream.blockedSince !== 0) return
    const kinds = [...stream.pending]
    stream.pending.clear()
    write(stream, frameOf(kinds))
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

  function mark(audience: Iterable<Stream>, kind: ChangeKind): void {
    for (const stream of audience) {
      stream.pending.add(kind)
      dirty.add(stream)
    }
    if (dirty.size === 0) return
    const pauseMs = Math.max(times.firstGatherMs, lastFlushAt + times.gatherMs - performance.now())
    flushTimer ??= setTimeout(() => void flush(), pauseMs)
  }

  function remove(stream: Stream): void {
    streams.delete(stream)
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
  async function endRefused(some: readonly Stream[]): Promise<void> {
    if (some.length === 0) return
    const allowed = new Set<Reader>(await check(some).catch(() => some))
    for (const stream of some) if (!allowed.has(stream)) end(stream)
  }

  async function beat(): Promise<void> {
    const at = performance.now()
    let written = 0
    for (const stream of [...streams]) {
      if (stream.blockedSince !== 0) {
        if (at - stream.blockedSince < times.slowMs) continue
        remove(stream)
        stream.response.destroy()
      } else if (at >= stream.endsAt) end(stream)
      else write(stream, HEARTBEAT)
      if (++written % WRITES_AT_ONCE === 0) await nextTurn()
    }
  }

  const beats = setInterval(() => void beat(), times.beatMs)
  const checks = setInterval(() => void endRefused([...streams]), times.checkMs)

  return {
    /** The number of open streams. */
    size: () => streams.size,

    requireRoom,

    /**
     * Opens a stream on a response whose headers are sent, and announces what has changed since its page was opened. It ends by itself,
     * by its reader, or when the reader may not read any more.
     */
    open(reader: Reader, response: ServerResponse, pageAgeMs?: number): void {
      // The reader has already gone, and no later event would report that.
      if (response.destroyed) return
      // Another response is pending on the same connection, and Node does not close the connection with it.
      // No browser sends such requests.
      if (response.socket === null) {
        response.end()
        return
      }
      const endsAt = performance.now() + times.lifeMs * (0.75 + Math.random() / 2)
      const stream: Stream = { ...reader, response, endsAt, pending: new Set(), blockedSince: 0 }
      streams.add(stream)
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
      // The page waits for it, so it is also sent when nothing has changed.
      const kinds = [...new Set(changedSince(reader, pageAgeMs))]
      write(stream, frameOf(kinds))
    },

    /** Announces changes to the streams, and checks those whose session may have ended. */
    deliver(notes: readonly ChangeNote[]): void {
      recall(notes)
      for (const note of notes) {
        const [of = '', kind = ''] = note.split(' ')
        if (kind === 'session') void endRefused([...(index.get(of) ?? [])])
        if (KINDS.has(kind)) mark(of === EVERYBODY ? streams : (index.get(of) ?? []), kind as ChangeKind)
      }
    },

    /** Ends all streams and refuses new ones; the readers open them at another process. */
    endAll(): void {
      isEnding = true
      clearInterval(beats)
      clearInterval(checks)
      clearTimeout(flushTimer)
      for (const stream of [...streams]) end(stream)
    },
  }
}
