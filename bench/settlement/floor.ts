import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../apps/server/src/db/database.ts'
import { FIRST_DAY, MEASURED_DAY } from './books.ts'
import { postBySql } from './post.ts'

/** The rows that settlement reads for a day. */
const READ = [
  'select m.member_id, m.sponsor_id, p.parent_id, p.side from members as m join placements as p using (member_id) order by m.member_id',
  'select * from member_standings',
  `select member_id, level, price_micros from orders where status = 'Paid' and collected_at >= '${MEASURED_DAY}Z' order by paid_sequence`,
  `select member_id, order_id, level, price_micros, static_paid_micros from orders
    where status = 'Paid' and collected_at < '${MEASURED_DAY}Z' order by member_id, paid_sequence`,
  `select member_id, amc_micros, release_parts from rewards where day = '${FIRST_DAY}' and amc_micros > 0`,
]

const WRITTEN = ['settlement_members', 'settlement_rewards'] as const

/**
 * The floor: the rows that settlement reads, read by COPY; the rows it stages, written by COPY; and posted by the same
 * set-based SQL, without product code. The database is one in which the day is staged. Returns the seconds.
 */
export async function measureFloor({ pool }: Database, url: string): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-bench-copy-'))
  // The server may run as another user.
  await chmod(dir, 0o777)
  const file = (name: string) => `'${join(dir, name)}'`
  try {
    for (const table of WRITTEN) await pool.query(`copy ${table} to ${file(table)}`)
    await pool.query(`truncate ${WRITTEN.join(', ')}`)
    const { rows } = await pool.query<{ at: string }>(
      'select fixed_at::text as at from settlement_days where day = $1',
      [MEASURED_DAY],
    )
    await pool.query('checkpoint')
    const begun = performance.now()
    for (const [index, query] of READ.entries())
      await pool.query(`copy (${query}) to ${file(`read-${index}`)}`)
    for (const table of WRITTEN) await pool.query(`copy ${table} from ${file(table)}`)
    await postBySql(url, { day: MEASURED_DAY, fixedAt: rows[0]!.at })
    return (performance.now() - begun) / 1_000
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
