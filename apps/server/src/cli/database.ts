import pg from 'pg'
import { createDatabase, type Database } from '../db/database.ts'
import { StartError } from '../lib/start-error.ts'

const OLDEST_SERVER = 15
const CONNECT_TIMEOUT_MS = 5000
/** The role of a running server, which may post to the ledger but not write its tables. The migrations create it. */
const APP_ROLE = 'rif_app'

/** Checks that a database answers and is new enough. Throws StartError without the password of the address. */
export async function checkDatabase(url: string): Promise<void> {
  const version = await withClient(url, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    return rows[0]!.version
  }).catch((error: unknown) => {
    throw new StartError(
      `the database at ${placeOf(url)} cannot be reached: ${reasonOf(error)} (DATABASE_URL)`,
    )
  })
  if (version < OLDEST_SERVER * 10_000) {
    throw new StartError(
      `the database at ${placeOf(url)} is PostgreSQL ${Math.floor(version / 10_000)}: ${OLDEST_SERVER} or later is needed`,
    )
  }
}

/** Opens the pool of a running server, with the role `rif_app` if the user may take it. */
export async function openDatabase(url: string, max: number): Promise<Database> {
  const hasRole = await withClient(url, (client) => client.query(`set role ${APP_ROLE}`)).then(
    () => true,
    () => false,
  )
  return createDatabase({ url, max, applicationName: 'rif', ...(hasRole && { role: APP_ROLE }) })
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Returns the first line of an error. An AggregateError of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: Error[] }
  return (message || errors?.[0]?.message || String(error)).split('\n', 1)[0] as string
}
