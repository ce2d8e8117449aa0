import pg from 'pg'
import type { PoolLimits } from './lanes.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** Returns the settings of a session in the form of its start parameter, with limits of time. */
export function sessionOptions(
  { statementMs, lockMs, idleInTxMs }: Omit<PoolLimits, 'connectMs'>,
  others: Readonly<Record<string, string | number>> = {},
): string {
  const settings = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTxMs,
    ...others,
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Opens one connection, and closes it after `use`. A connection that breaks fails its query, and ends nothing else. */
export async function withConnection<T>(
  url: string | URL,
  use: (client: pg.Client) => Promise<T>,
  options: { applicationName?: string; limits?: Omit<PoolLimits, 'connectMs'> } = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: String(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: options.applicationName ?? 'rif',
    ...(options.limits && { options: sessionOptions(options.limits) }),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
