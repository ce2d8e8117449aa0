import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'

/** The state of one limit for one source. */
export interface Count {
  /** The hits in the current window by all processes, as far as known to this one. */
  readonly current: number
  /** The rest of the window in milliseconds. */
  readonly ttl: number
}

interface Entry {
  /** The hits of this process, and those of them that are stored. */
  own: number
  written: number
  /** The hits of other processes at the last write. */
  others: number
  endsAt: number
}

const WRITE_EVERY_MS = 1_000
/** A process writes at the latest after this part of a limit, so each can exceed it by at most that much. */
const UNSHARED_PART = 16
/** The maximum number of sources in memory. Beyond it the oldest are dropped; the database still has them. */
const MAX_KEYS = 50_000

/**
 * Counts hits in fixed windows over all processes of a database. A process writes its hits of all sources once a second in one
 * statement, and earlier when a source has used a sixteenth of its limit since: with n processes a source can exceed a
 * limit by n sixteenths. While the database does not answer, each process counts alone.
 */
export function createSharedCounts({ db, windowMs }: { db: Db; windowMs: number }) {
  const entries = new Map<string, Entry>()
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let isPlanned = false

  async function write(): Promise<void> {
    const batch = [...entries]
      .filter(([, { own, written }]) => own > written)
      .map(([key, entry]) => ({ key, entry, hits: entry.own - entry.written }))
    if (batch.length === 0) return
    // Hits that cannot be written are included in the next write.
    const totals = await addHits(db, batch, windowMs).catch(() => undefined)
    const at = performance.now()
    for (const { key, entry, hits } of batch) {
      const total = totals?.get(key)
      if (total === undefined) continue
      entry.written += hits
      entry.others = Math.max(0, total.hits - entry.written)
      entry.endsAt = at + total.ttl
    }
  }

  /** Writes all hits so far; hits during a write are included in the next one. */
  function flush(): Promise<void> {
    if (running === undefined) {
      running = write().finally(() => {
        running = undefined
      })
      return running
    }
    following ??= running.then(() => {
      following = undefined
      return flush()
    })
    return following
  }

  function writeLater(): void {
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      const at = performance.now()
      for (const [key, { endsAt }] of entries) if (endsAt <= at) entries.delete(key)
      void flush()
    }, WRITE_EVERY_MS).unref()
  }

  function entryOf(key: string): Entry {
    const at = performance.now()
    const currentEntry = entries.get(key)
    if (currentEntry !== undefined && currentEntry.endsAt > at) return currentEntry
    const entry = { own: 0, written: 0, others: 0, endsAt: at + windowMs }
    entries.delete(key)
    if (entries.size >= MAX_KEYS) entries.delete(entries.keys().next().value!)
    entries.set(key, entry)
    return entry
  }

  return {
    /** Counts a hit of a source, unless the source is already over its limit. */
    async hit(key: string, limit: number): Promise<Count> {
      const entry = entryOf(key)
      if (entry.own + entry.others <= limit) entry.own++
      const number = entry.own
      if (entry.own - entry.written > limit / UNSHARED_PART) await flush()
      else writeLater()
      return {
        current: number + entry.others,
        ttl: Math.max(0, Math.ceil(entry.endsAt - performance.now())),
      }
    },

    /** Deletes the rows of windows that have ended. */
    async clear(): Promise<void> {
      await forAll('reads', async () => {
        const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
        await sql`delete from rate_limits where ends_at < ${rows[0]!.at}`.execute(db)
      })
    },
  }
}

/**
 * Adds hits to the windows of their sources, or starts windows. Returns the totals and the rest of each
 * window in ms.
 */
export async function addHits(
  db: Db,
  hits: readonly { readonly key: string; readonly hits: number }[],
  windowMs: number,
): Promise<ReadonlyMap<string, { readonly hits: number; readonly ttl: number }>> {
  const keys = hits.map(({ key }) => key)
  const numbers = hits.map((hit) => hit.hits)
  // Sorted, because two processes lock the same rows. The time is a value of the new row, because Citus accepts no clock
  // in what changes an old one.
  const statement = sql<{ key: string; hits: number; ttl: number }>`
    insert into rate_limits as kept (key, hits, ends_at, counted_at)
    select key, hits, clock_timestamp() + ${windowMs} * interval '1 ms', clock_timestamp()
    from unnest(${keys}::text[], ${numbers}::integer[]) as new (key, hits) order by key
    on conflict (key) do update set
      hits = case when kept.ends_at <= excluded.counted_at then excluded.hits else kept.hits + excluded.hits end,
      ends_at = case when kept.ends_at <= excluded.counted_at then excluded.ends_at else kept.ends_at end,
      counted_at = excluded.counted_at
    returning key, hits, ceil(extract(epoch from ends_at - counted_at) * 1000)::integer as ttl`
  const { rows } = await forAll('reads', () => statement.execute(db))
  return new Map(rows.map(({ key, ...total }) => [key, total]))
}
