import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../config.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { WAIT } from '../testing/wait.ts'
import { runMigrate } from './migrate.ts'

// Other statements and connections than those of the product do not matter to it.

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let product: pg.Client
beforeAll(async () => {
  database = await createEmptyDatabase()
  product = new pg.Client({ connectionString: database.urls.app, application_name: 'rif' })
  await product.connect()
})
afterAll(async () => {
  await product.end()
  await database.drop()
})

/** Runs `rif migrate`, and returns what it prints and whether it was refused. */
async function migrateWith(...args: string[]): Promise<{ output: string; refusal: string | undefined }> {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(`${text}`)
    return true
  })
  const { app, owner } = database.urls
  const config = loadConfig({ DATABASE_URL: app, MIGRATION_DATABASE_URL: owner })
  const refusal = await runMigrate(config, args).then(
    () => undefined,
    (error: Error) => error.message,
  )
  write.mockRestore()
  return { output: lines.join(''), refusal }
}

const applied = async () => {
  const { rows } = await product.query("select to_regclass('members') is not null as done")
  return rows[0].done as boolean
}

test('a migration is refused while the product is connected, and says before what it locks', async () => {
  const { output, refusal } = await migrateWith()
  expect(refusal).toBe(
    'the product is connected (rif_app x1), and fails while its tables change: stop its processes first, or run `rif migrate --while-connected`',
  )
  expect(output).toContain('tables locks no table\n')
  expect(await applied()).toBe(false)
})

test('other arguments are refused', async () => {
  expect((await migrateWith('--force')).refusal).toBe('Usage: rif migrate [--while-connected]')
})

test('with --while-connected the connected processes are told some seconds before the first change', async () => {
  const running = migrateWith('--while-connected')
  // As a process asks: the lock is there before anything has changed.
  await vi.waitFor(async () => {
    const { rows } = await product.query(
      "select from pg_locks where locktype = 'advisory' and objid = 7243002 and granted",
    )
    expect(rows).toHaveLength(1)
  }, WAIT)
  expect(await applied()).toBe(false)
  const { output, refusal } = await running
  expect(refusal).toBeUndefined()
  expect(output).toContain('telling rif_app x1\n')
  expect(await applied()).toBe(true)
})

test('nothing to do is no reason to refuse', async () => {
  expect(await migrateWith()).toEqual({ output: 'the database is up to date\n', refusal: undefined })
})
