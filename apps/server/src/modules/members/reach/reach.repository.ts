import type { Refusal, RefusalLevel } from '@rif/api-schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { REFUSED_WALLETS } from './reach.relations.ts'

export type ReachList = 'countries' | 'addresses'

/** An entry of a list: a country, or a wallet in lower case. */
export interface Entry {
  readonly value: string
  readonly level: RefusalLevel
  readonly reason: string
  readonly approvedBy: string
  readonly changedAt: Date
}

const TABLES = {
  countries: { table: sql.table('refused_countries'), key: sql.ref('country') },
  addresses: { table: sql.table('refused_addresses'), key: sql.ref('address') },
}

/** Returns a list in order. */
export async function entries(db: Db, list: ReachList): Promise<Entry[]> {
  const { table, key } = TABLES[list]
  const { rows } = await sql<Entry>`
    select ${key} as value, level, reason, approved_by as "approvedBy", changed_at as "changedAt"
    from ${table} order by ${key}`.execute(db)
  return rows
}

/** Stores entries, replacing existing ones. */
export async function putRefusal(dbTx: Db, list: ReachList, rows: readonly Entry[]): Promise<void> {
  const { table, key } = TABLES[list]
  for (const { value, level, reason, approvedBy, changedAt } of rows)
    await sql`
      insert into ${table} (${key}, level, reason, approved_by, changed_at)
      values (${value}, ${level}, ${reason}, ${approvedBy}, ${changedAt})
      on conflict (${key}) do update set level = excluded.level, reason = excluded.reason,
        approved_by = excluded.approved_by, changed_at = excluded.changed_at`.execute(dbTx)
}

export async function removeRefusal(dbTx: Db, list: ReachList, values: readonly string[]): Promise<void> {
  const { table, key } = TABLES[list]
  await sql`delete from ${table} where ${key} = any(${values})`.execute(dbTx)
}

/** Returns the row with the reason why a wallet in lower case is refused. */
export const refusalOfAddress = (address: string): RawBuilder<unknown> => sql`
  select null::bigint as member_id, to_jsonb(refused) as value
  from ${REFUSED_WALLETS} as refused where refused.value = ${address}`

/** Returns the reason why a wallet in lower case is refused. */
export async function ofAddress(db: Db, address: string): Promise<Refusal | undefined> {
  const { rows } =
    await sql<Refusal>`select * from ${REFUSED_WALLETS} as refused where value = ${address}`.execute(db)
  return rows[0]
}
