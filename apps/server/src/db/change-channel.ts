import pg from 'pg'
import type { Logger } from '../lib/logger.ts'
import { type ChangeNote, collectChanges, EVERYBODY } from './changes.ts'
import type { Db } from './database.ts'

/** The PostgreSQL channel on which the product's processes announce changes. */
const CHANNEL = 'rif_changes'
/** PostgreSQL refuses a notification of 8,000 bytes or more. */
const MAX_PAYLOAD_BYTES = 7_900
/**
 * The delays of batching notes: the first for notes of a transaction after a pause, the second for others.
 */
const FIRST_GATHER_MS = 10
const GATHER_MS = 100
/** Above this number, everybody is told to read everything again. */
const MAX_NOTES = 50_000
const REFRESH: ChangeNote = `${EVERYBODY} refresh`
const CONNECT_TIMEOUT_MS = 5_000
const PING_MS = 5_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5_000

export interface ChangeChannel {
  /** Sends pending notes, and closes the connection. */
  stop(): Promise<void>
}

interface Settings {
  readonly url: string
  /** The database whose committed changes are sent. */
  readonly db: Db
  readonly log: Logger
  /** Receives the notes of all processes, including this one; if absent, this process only sends. */
  readonly onNotes?: (notes: readonly ChangeNote[]) => void
}

/**
 * Opens the one connection on which a process sends and receives changes, and reopens it when it breaks.
 * PostgreSQL commits transactions with notifications one at a time, so this process sends its notes after
 * their transactions, in batches, in a transaction that does not wait for the disk. After a gap everybody is
 * told to read everything again.
 */
export function openChangeChannel({ url, db, log, onNotes }: Settings): ChangeChannel {
  let waiting = new Set<ChangeNote>()
  let client: pg.Client | undefined
  let isStopped = false
  let hasGap = false
  let retryMs = FIRST_RETRY_MS
  let lastSentAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined
  let lastAsked: Promise<unknown> = Promise.resolve()
  let sendTimer: NodeJS.Timeout | undefined
  let retryTimer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    clearTimeout(sendTimer)
    sendTimer = undefined
    await opening
    await sending
    if (waiting.size === 0) return
    const notes = waiting.size > MAX_NOTES ? [REFRESH] : [...waiting]
    waiting = new Set()
    lastSentAt = performance.now()
    sending = notify(notes)
    await sending
  }

  /**
   * Sends notes. Notes that cannot be sent are dropped, and a gap is reported once the connection is back.
   */
  async function notify(notes: readonly ChangeNote[]): Promise<void> {
    const open = client
    if (open === undefined) {
      hasGap = true
      return
    }
    await ask(open, 'select pg_notify($1, payload) from unnest($2::text[]) as payload', [
      CHANNEL,
      payloadsOf(notes),
    ]).catch(() => {
      hasGap = true
      drop(open)
    })
  }

  /** Runs queries one after the other, as a connection requires. */
  function ask(open: pg.Client, text: string, values: readonly unknown[] = []): Promise<unknown> {
    const answer = lastAsked.then(() => open.query(text, [...values]))
    lastAsked = answer.catch(() => undefined)
    return answer
  }

  function collect(notes: ReadonlySet<ChangeNote>): void {
    if (isStopped) return
    for (const note of notes) waiting.add(note)
    const pauseMs = Math.max(FIRST_GATHER_MS, lastSentAt + GATHER_MS - performance.now())
    sendTimer ??= setTimeout(() => void send(), pauseMs)
  }

  async function connect(isFirst: boolean): Promise<void> {
    const opened = new pg.Client({
      connectionString: url,
      application_name: 'rif-changes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      options: '-c synchronous_commit=off',
    })
    opened.on('error', () => drop(opened))
    opened.on('end', () => drop(opened))
    opened.on('notification', ({ payload }) => onNotes?.((payload ?? '').split('\n') as ChangeNote[]))
    try {
      await opened.connect()
      if (onNotes !== undefined) await opened.query(`listen ${CHANNEL}`)
    } catch (error) {
      if (isFirst) log.warn({ err: error }, 'changes are not told yet')
      opened.end().catch(() => undefined)
      retry()
      return
    }
    if (isStopped) {
      await opened.end().catch(() => undefined)
      return
    }
    client = opened
    retryMs = FIRST_RETRY_MS
    if (!isFirst) onNotes?.([REFRESH])
    if (hasGap) {
      hasGap = false
      collect(new Set([REFRESH]))
    }
  }

  function drop(broken: pg.Client): void {
    if (client !== broken) return
    client = undefined
    broken.end().catch(() => undefined)
    if (isStopped) return
    log.warn({}, 'the connection for changes was lost')
    retry()
  }

  function retry(): void {
    if (isStopped) return
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void connect(false), retryMs * (0.5 + Math.random() / 2))
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)
  }

  // A connection whose packets are lost does not report it.
  const pings = setInterval(() => {
    const open = client
    if (open !== undefined) ask(open, 'select 1').catch(() => drop(open))
  }, PING_MS)
  collectChanges(db, collect)
  const opening = connect(true)

  return {
    async stop() {
      if (isStopped) return
      await send()
      isStopped = true
      clearInterval(pings)
      clearTimeout(retryTimer)
      const open = client
      client = undefined
      await open?.end().catch(() => undefined)
    },
  }
}

/** Packs notes, one a line, into as few payloads as hold them. */
function payloadsOf(notes: readonly ChangeNote[]): string[] {
  const payloads: string[] = []
  let payload = ''
  for (const note of notes) {
    if (payload.length + note.length >= MAX_PAYLOAD_BYTES) {
      payloads.push(payload)
      payload = ''
    }
    payload += payload === '' ? note : `\n${note}`
  }
  return [...payloads, payload]
}
