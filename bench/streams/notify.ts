import pg from 'pg'

const CLIENTS = 16
const GATHER_MS = 100

/** The ways in which transactions announce their changes. */
export const WAYS = ['nothing', 'after', 'inside'] as const
export type Way = (typeof WAYS)[number]

/**
 * Returns the transactions per second of several clients that each insert a row: without notifications, with
 * notifications sent every 100 ms after the commits as in the product, or with one notification in each
 * transaction.
 */
export async function commitsPerSecond(url: string, way: Way, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS })
  const sender = new pg.Client({ connectionString: url, options: '-c synchronous_commit=off' })
  const listener = new pg.Client({ connectionString: url })
  // The server may stop before the last connection has closed.
  pool.on('error', () => undefined)
  for (const client of [sender, listener]) client.on('error', () => undefined)
  await Promise.all([sender.connect(), listener.connect()])
  await sender.query('create table if not exists bench_rows (id bigserial primary key, amount bigint)')
  await listener.query('listen bench')
  let waiting: string[] = []
  const flush = async () => {
    const notes = waiting
    waiting = []
    if (notes.length > 0)
      await sender.query("select pg_notify('bench', $1)", [notes.slice(0, 400).join('\n')])
  }
  const timer = setInterval(() => void flush(), GATHER_MS)
  const until = performance.now() + 1_000 * seconds
  let count = 0
  async function client(member: number): Promise<void> {
    const connection = await pool.connect()
    while (performance.now() < until) {
      await connection.query('begin')
      await connection.query('insert into bench_rows (amount) values ($1)', [member])
      if (way === 'inside') await connection.query("select pg_notify('bench', $1)", [`${member} balance`])
      await connection.query('commit')
      if (way === 'after') waiting.push(`${member} balance`)
      count++
    }
    connection.release()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, member) => client(member)))
  clearInterval(timer)
  await Promise.all([pool.end(), sender.end(), listener.end()])
  return count / seconds
}
