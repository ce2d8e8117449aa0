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
