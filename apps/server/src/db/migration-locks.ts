import type pg from 'pg'
import { statementsOf } from './schema-files.ts'

/** The uses of a table that wait while a migration runs: all, or only changes. */
export type WaitingStatement = 'reads and writes' | 'writes'

/** A table that a migration locks until it is committed. */
export interface TableLock {
  readonly table: string
  readonly waiting: WaitingStatement
  /** The rows that PostgreSQL last counted. */
  readonly rows: number
}

const NAME = '(?:if (?:not )?exists )?(?:only )?([a-z_][a-z0-9_]*)'
/** The statements that lock what exists already, by its name, and what waits for them. */
const LOCKING: readonly (readonly [RegExp, WaitingStatement])[] = [
  [new RegExp(`\\b(?:alter|lock) table ${NAME}`, 'g'), 'reads and writes'],
  [new RegExp(`\\btruncate (?:table )?${NAME}`, 'g'), 'reads and writes'],
  [new RegExp(`\\bcreate (?:or replace )?view ${NAME}`, 'g'), 'reads and writes'],
  [new RegExp(`\\bdrop trigger \\S+ on ${NAME}`, 'g'), 'reads and writes'],
  [new RegExp(`\\bdrop constraint ${NAME}`, 'g'), 'reads and writes'],
  [/\bcreate (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?([a-z_][a-z0-9_]*)/g, 'writes'],
  // The functions' step drops a trigger before it creates it anew.
  [/\bcreate (?:constraint )?trigger \w+ [^;]*? on ([a-z_][a-z0-9_]*)/g, 'reads and writes'],
  [/\breferences ([a-z_][a-z0-9_]*)/g, 'writes'],
]
const DROPPED = /\bdrop (?:table|view|index) (?:if exists )?([a-z_0-9, ]+)/g
const FUNCTION = /^create (?:or replace )?(?:function|procedure)\b/
/** Statements that are put together when they run, from names in the text. */
const PUT_TOGETHER = /^do .*\bexecute\b/
const QUOTED = /'([a-z_][a-z0-9_]*)'/g

/**
 * Returns the tables that a migration locks until it is committed, before it runs: those of its statements, of the indexes that it
 * drops, and those that a dropped foreign key refers to. A trigger of the same name is dropped before it is created. New tables are left
 * out, and functions, whose bodies run later. Locks of single rows are not listed.
 */
export async function locksOf(client: pg.Client, migration: string): Promise<TableLock[]> {
  const named = namesIn(migration)
  const { rows } = await client.query<{ name: string; table: string; rows: string }>(
    `select n.name, t.relname as "table", greatest(t.reltuples, 0)::bigint::text as rows
    from (
      select relname as name, oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
      union all
      select i.relname, x.indrelid from pg_index as x join pg_class as i on i.oid = x.indexrelid
        where i.relnamespace = 'public'::regnamespace
      union all
      select conname, confrelid from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    ) as n
    join pg_class as t on t.oid = n.oid
    where n.name = any($1)
    order by t.relname`,
    [[...named.keys()]],
  )
  const locks = new Map<string, TableLock>()
  for (const row of rows) {
    const waiting =
      locks.get(row.table)?.waiting === 'reads and writes' ? 'reads and writes' : named.get(row.name)!
    locks.set(row.table, { table: row.table, waiting, rows: Number(row.rows) })
  }
  return [...locks.values()]
}

/** Returns the names of tables, views, indexes and constraints whose tables are locked. */
function namesIn(migration: string): ReadonlyMap<string, WaitingStatement> {
  const names = new Map<string, WaitingStatement>()
  const note = (name: string, waiting: WaitingStatement) => {
    if (names.get(name) !== 'reads and writes') names.set(name, waiting)
  }
  for (const statement of statementsOf(migration)) {
    const text = statement
      .replace(/--[^\n]*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
    if (FUNCTION.test(text)) continue
    for (const [pattern, waiting] of LOCKING)
      for (const [, name] of text.matchAll(pattern)) note(name!, waiting)
    for (const [, list] of text.matchAll(DROPPED))
      for (const name of list!.split(',')) note(name.trim().split(' ')[0]!, 'reads and writes')
    if (PUT_TOGETHER.test(text)) for (const [, name] of text.matchAll(QUOTED)) note(name!, 'reads and writes')
  }
  return names
}
