import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Leadership, held until `release`, or until the connection to the database breaks: then `lost` aborts. */
export type Leadership = { readonly lost: AbortSignal; release(): Promise<void> }

const RETRY_MS = 500
/** The first key of the two-key advisory lock; the second is the chain id. */
const LOCK_CLASS = 0x52_49_46

/**
 * Waits until this process leads the indexing of a chain: a session advisory lock on a separate connection
 * (so not through a pooler in transaction mode). A killed leader's connection breaks, which releases the
 * lock; keepalives bound that wait if the whole machine vanished. Returns undefined if `signal` aborts first.
 */
export async function acquireLeadership(
  databaseUrl: string,
  chainId: number,
  signal: AbortSignal,
): Promise<Leadership | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    application_name: 'rif-leader',
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const release = async (): Promise<void> => {
    await client.end().catch(() => {})
  }
  try {
    await client.connect()
    await client.query(
      'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
    )
    while (!signal.aborted) {
      const { rows } = await client.query<{ isLocked: boolean }>(
        'select pg_try_advisory_lock($1, $2) as "isLocked"',
        [LOCK_CLASS, chainId],
      )
      if (rows[0]?.isLocked) return { lost: lost.signal, release }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}
