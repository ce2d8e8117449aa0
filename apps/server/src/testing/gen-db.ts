import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from '../local/postgres.ts'
import { generateDatabaseTypes } from './database-types.ts'

// `npm run gen:db`: writes db/types.gen.ts from a database of its own, migrated for the purpose.
const dataDir = await mkdtemp(join(tmpdir(), 'rif-gen-db-'))
const server = await startPostgres({ dataDir, fast: true })
try {
  await migrate({ url: server.url })
  const { db, close } = createDatabase({ url: server.url, max: 1, applicationName: 'gen-db' })
  await writeFile(new URL('../db/types.gen.ts', import.meta.url), await generateDatabaseTypes(db))
  await close()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
