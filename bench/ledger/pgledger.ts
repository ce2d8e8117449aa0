import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'

/** The schema of pgledger's tables and functions. */
export const PGLEDGER = 'pgledger'
/** pgledger turns its UUIDs into texts with a function of another project, of which it keeps a copy. */
const ULID = 'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql'
/** The name of an account, as long as those that pgledger chooses, so that the load needs no look-up. */
const nameOf = (number: string) => `'pgla_' || lpad((${number})::text, 26, '0')`

/**
 * Installs pgledger (https://github.com/pgr0ss/pgledger) from the file `pgledger.sql` of a copy of its repository, and creates the
 * accounts from 1 to `last`, which must not go below zero and hold more than a load spends.
 */
export async function installPgledger(
  pool: pg.Pool,
  { path, last, role }: { path: string; last: number; role: string },
): Promise<void> {
  const files = [join(dirname(path), ULID), path]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  await pool.query(`
    create schema ${PGLEDGER};
    set search_path = ${PGLEDGER}, public;
    ${texts.join('\n')}
    insert into pgledger_accounts (id, name, currency, balance, allow_negative_balance, allow_positive_balance, created_at, updated_at)
      select ${nameOf('n')}, n, 'USDT', 1000000000000, false, true, now(), now() from generate_series(1, ${last}) as n;
    grant usage on schema ${PGLEDGER} to ${role};
    grant select, insert, update on all tables in schema ${PGLEDGER} to ${role};
    reset search_path`)
  await pool.query('vacuum analyze')
}

/** The same load as `transferScript`, for pgledger: one unit from one random account to another. */
export const pgledgerScript = (members: number): string => `
\\set from random(1, ${members})
\\set to 1 + (:from + random(0, ${members - 2})) % ${members}
select count(*) from pgledger_create_transfer(${nameOf(':from')}, ${nameOf(':to')}, 1);
`
