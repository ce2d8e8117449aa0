import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runningProduct } from './running.ts'

/** Rows out of the product's database, every value as text. */
export async function rows(query: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: runningProduct().databaseUrl })
  await client.connect()
  try {
    return (await client.query({ text: query, types: { getTypeParser: () => String } })).rows
  } finally {
    await client.end()
  }
}

/** The first of them. */
export async function row(query: string): Promise<Record<string, string>> {
  const [first] = await rows(query)
  if (first === undefined) throw new Error(`no row: ${query}`)
  return first
}

/** Returns the address of the database for its owner, whose password the product keeps in its data directory unless it is given one. */
export function ownerOf(databaseUrl: string): string {
  if (process.env.MIGRATION_DATABASE_URL) return process.env.MIGRATION_DATABASE_URL
  const password = readFileSync(
    join(process.env.E2E_DATA_DIR as string, 'postgres-logins', 'rif_owner'),
    'utf8',
  )
  return Object.assign(new URL(databaseUrl), { username: 'rif_owner', password: password.trim() }).href
}

/** Runs statements as the owner of the database, who can do what the product cannot. */
export async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerOf(runningProduct().databaseUrl) })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
