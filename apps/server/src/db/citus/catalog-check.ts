import { sql } from 'kysely'
import { TABLE_CLASSES } from '../../tables.ts'
import type { Db } from '../database.ts'
import type { TableClass } from '../tables.ts'

type Classes = Readonly<Record<string, TableClass>>
type Key = { table: string; name: string; isPrimary: boolean; columns: (string | null)[] }
type ForeignKey = { table: string; name: string; target: string; columns: string[]; targetColumns: string[] }

const DISTRIBUTION_COLUMN = 'member_id'

/**
 * Checks in the catalogue that the schema can be distributed by member_id, and returns one line for each
 * problem. Works without Citus: architecture, "Ledger and data at three sizes".
 */
export async function findCatalogProblems(db: Db, classes: Classes = TABLE_CLASSES): Promise<string[]> {
  const [tables, keys, foreignKeys, identities] = await Promise.all([
    readTables(db),
    readKeys(db),
    readForeignKeys(db),
    readNumberedColumns(db),
  ])
  const classifiedTables = tables.filter(({ table }) => classes[table] !== undefined)
  return [
    ...checkNames(
      tables.map(({ table }) => table),
      classes,
    ),
    ...classifiedTables
      .filter(({ table }) => classes[table] === 'distributed')
      .flatMap(({ table, memberType }) => checkTable(table, memberType, keys)),
    ...keys.filter(({ table }) => classes[table] === 'distributed').flatMap(checkKey),
    ...foreignKeys.flatMap((key) => checkForeignKey(key, classes)),
    ...identities
      .filter(({ type }) => type !== 'bigint')
      .map(({ table, column, type }) => `${table}.${column}: numbered by itself as ${type}, not bigint`),
  ]
}

function checkNames(tables: string[], classes: Classes): string[] {
  return [
    ...tables
      .filter((table) => !classes[table])
      .map((table) => `${table}: declared by no capability (tables.ts)`),
    ...Object.keys(classes)
      .filter((table) => !tables.includes(table))
      .map((table) => `${table}: declared in tables.ts, but there is no such table`),
  ]
}

function checkTable(table: string, memberType: string | null, keys: Key[]): string[] {
  if (memberType === null) return [`${table}: distributed, but has no member_id`]
  const problems =
    memberType === 'bigint' ? [] : [`${table}: member_id is ${memberType}, not a bigint not null`]
  if (!keys.some((key) => key.table === table && key.isPrimary)) problems.push(`${table}: has no primary key`)
  return problems
}

function checkKey({ table, name, isPrimary, columns }: Key): string[] {
  if (!columns.includes(DISTRIBUTION_COLUMN)) {
    return [`${table}: unique over all members, which no machine can check alone: ${name}`]
  }
  if (isPrimary && columns[0] !== DISTRIBUTION_COLUMN) {
    return [`${table}: the primary key does not begin with member_id`]
  }
  return []
}

function checkForeignKey(key: ForeignKey, classes: Classes): string[] {
  const [from, to] = [classes[key.table], classes[key.target]]
  if (!from || !to) return []
  const what = `${key.table}: foreign key ${key.name} to ${key.target}`
  if (from === 'distributed' && to === 'distributed') {
    const at = key.columns.indexOf(DISTRIBUTION_COLUMN)
    const isTogether = at >= 0 && key.targetColumns[at] === DISTRIBUTION_COLUMN
    return isTogether ? [] : [`${what} leads to another member's rows`]
  }
  const isAllowed = to === 'reference' || (from === 'coordinator' && to === 'coordinator')
  return isAllowed ? [] : [`${what} leads from a ${from} to a ${to} table`]
}

/** Returns the tables with the type of member_id, or null where the column does not exist. */
async function readTables(db: Db): Promise<{ table: string; memberType: string | null }[]> {
  const { rows } = await sql<{ table: string; memberType: string | null }>`
    select c.relname as "table",
      case when a.attname is null then null
        else format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then '' else ' null' end
      end as "memberType"
    from pg_class as c left join pg_attribute as a
      on a.attrelid = c.oid and a.attname = ${DISTRIBUTION_COLUMN} and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`.execute(db)
  return rows
}

/** Returns unique indexes and exclusion constraints; an expression has the column null. */
async function readKeys(db: Db): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select c.relname as "table", i.indexrelid::regclass::text as name, i.indisprimary as "isPrimary",
      array(
        select a.attname::text
        from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
        left join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.attnum
        where k.place <= i.indnkeyatts order by k.place
      ) as columns
    from pg_index as i join pg_class as c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and (i.indisunique or i.indisexclusion)
    order by 1, 2`.execute(db)
  return rows
}

async function readForeignKeys(db: Db): Promise<ForeignKey[]> {
  const names = (table: 'conrelid' | 'confrelid', columns: 'conkey' | 'confkey') => sql`array(
    select a.attname::text from unnest(${sql.ref(`con.${columns}`)}) with ordinality as k (attnum, place)
    join pg_attribute as a on a.attrelid = ${sql.ref(`con.${table}`)} and a.attnum = k.attnum order by k.place)`
  const { rows } = await sql<ForeignKey>`
    select con.conrelid::regclass::text as "table", con.conname as name, con.confrelid::regclass::text as target,
      ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as "targetColumns"
    from pg_constraint as con
    where con.contype = 'f' and con.connamespace = 'public'::regnamespace
    order by 1, 2`.execute(db)
  return rows
}

/** Returns identity columns and columns with a default from a sequence. */
async function readNumberedColumns(db: Db): Promise<{ table: string; column: string; type: string }[]> {
  const { rows } = await sql<{ table: string; column: string; type: string }>`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
      and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
    order by 1, 2`.execute(db)
  return rows
}
