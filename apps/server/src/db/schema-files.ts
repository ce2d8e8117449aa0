import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { StartError } from '../lib/start-error.ts'

/**
 * The product's schema: `apps/server/schema`. `tables` and the numbered files of `migrations` are applied once; `checks`, `views` and
 * `functions`, which hold no data, are created anew whenever one of their texts has changed.
 */
export const SCHEMA_DIR = fileURLToPath(new URL('../../schema', import.meta.url))

/** The first step of an empty database: all files of `tables`, in one transaction. */
const TABLES = { version: '0000', name: 'tables' }
/** The last step: all files of `checks`, `views` and `functions`. Its version comes after those of all migrations. */
const FUNCTIONS = { version: 'functions', name: 'functions' }

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** A file of the schema. */
export interface SchemaFile {
  /** Relative to the schema's folder. */
  readonly name: string
  readonly sql: string
}

/** Files that are applied together, and recorded as one row of `schema_migrations`. */
export interface SchemaStep {
  readonly version: string
  readonly name: string
  readonly files: readonly SchemaFile[]
  readonly checksum: string
}

export interface Schema {
  /** The tables, then the migrations in their order. Each is applied once. */
  readonly once: readonly SchemaStep[]
  /** The functions that checks of tables call. They are there before the tables. */
  readonly checks: readonly SchemaFile[]
  /** The checks, views and functions with their triggers; undefined when there are none. */
  readonly functions: SchemaStep | undefined
}

/** Reads a schema's folder; a folder within it that is missing is empty. Throws StartError for a migration with another name. */
export async function readSchema(dir: string): Promise<Schema> {
  const [checks, tables, views, functions, migrations] = await Promise.all(
    ['checks', 'tables', 'views', 'functions', 'migrations'].map((folder) => readFolder(dir, folder)),
  )
  const defined = [...checks!, ...views!, ...functions!]
  const numbered = migrations!.map((file) => {
    const name = file.name.slice('migrations/'.length)
    const version = FILE_NAME.exec(name)?.[1]
    if (!version) throw new StartError(`migration ${name} is not named like 0001_orders.sql`)
    return stepOf({ version, name }, [file])
  })
  return {
    once: [...(tables!.length > 0 ? [stepOf(TABLES, tables!)] : []), ...numbered],
    checks: checks!,
    functions: defined.length > 0 ? stepOf(FUNCTIONS, defined) : undefined,
  }
}

function stepOf(step: Pick<SchemaStep, 'version' | 'name'>, files: readonly SchemaFile[]): SchemaStep {
  const hash = createHash('sha256')
  for (const { sql } of files) hash.update(sql)
  return { ...step, files, checksum: hash.digest('hex') }
}

async function readFolder(dir: string, folder: string): Promise<SchemaFile[]> {
  const all = await readdir(`${dir}/${folder}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const names = all.filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({
      name: `${folder}/${name}`,
      sql: await readFile(`${dir}/${folder}/${name}`, 'utf8'),
    })),
  )
}

/**
 * Splits a file into its statements. A statement ends at a line that ends with `;`, outside comments and a function's
 * body, which is in `$$` or between `begin atomic` and `end;`. Citus runs some DDL on the other machines with the text of its message,
 * which must be a single statement.
 */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let lines: string[] = []
  let body: '$$' | 'atomic' | undefined
  for (const line of text.split('\n')) {
    lines.push(line)
    if (body !== 'atomic' && line.split('$$').length % 2 === 0) body = body ? undefined : '$$'
    else if (body === undefined && line === 'begin atomic') body = 'atomic'
    else if (body === 'atomic' && line === 'end;') body = undefined
    if (body !== undefined || line.startsWith('--') || !line.endsWith(';')) continue
    statements.push(lines.join('\n'))
    lines = []
  }
  return [...statements, lines.join('\n')].filter((statement) => statement.trim() !== '')
}
