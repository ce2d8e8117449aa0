import type { Database } from '../../apps/server/src/db/database.ts'

const FILLERS = 4
const CHUNK = 1000

/** Each member's initial balances in `available` and in `withdrawing`, which none of the loads exhausts. */
const START_MICROS = 1_000_000_000_000n

/** Credits the members from `first` to `last`, through the same function that the service calls. */
export async function fillBooks(database: Database, first: number, last: number): Promise<void> {
  const chunks: number[] = []
  for (let start = first; start <= last; start += CHUNK) chunks.push(start)
  const fill = async () => {
    for (let start = chunks.shift(); start !== undefined; start = chunks.shift()) {
      const end = Math.min(start + CHUNK - 1, last)
      await database.pool.query(FILL, [start, end, `${2n * START_MICROS}`, `${START_MICROS}`])
    }
  }
  await Promise.all(Array.from({ length: FILLERS }, fill))
  await database.pool.query('vacuum analyze')
}

const FILL = `
  select count(ledger_post(array['fill/' || member], '{grant}', '{bench}', '{1}', '{null}', '2026-01-05', '2026-01-05T10:00:00Z',
      '{1}', array[member], '{USDT}', '{external}', '{available}', array[$3::bigint])),
    count(ledger_post(array['hold/' || member], '{withdrawal_request}', '{bench}', '{1}', '{null}', '2026-01-05', '2026-01-05T10:00:00Z',
      '{1}', array[member], '{USDT}', '{available}', '{withdrawing}', array[$4::bigint]))
  from generate_series($1::bigint, $2::bigint) as member`

/**
 * Returns a pgbench script of `transfers`: the same statement with the same arguments as the service sends,
 * at the present time.
 */
export const transferScript = (members: number): string => `
\\set from random(1, ${members})
\\set to 1 + (:from + random(0, ${members - 2})) % ${members}
\\set key random(1, 9000000000000000000)
select ledger_post(array['pgbench/' || :key], '{transfer}', '{bench}', '{1}', '{null}', (now() at time zone 'UTC')::date, now(),
  '{1,1}', array[:from, :to]::bigint[], '{USDT,USDT}', '{available,clearing}', '{clearing,available}', '{1,1}') as posted;
`
