import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../local/postgres.ts'
import { createDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'
import { describeCatalogue } from './catalogue.ts'
import { generateDatabaseTypes } from './database-types.ts'

// `npm run gen:db`: writes db/types.gen.ts and db/catalogue.gen.txt from a new, migrated database.
const dataDir = await mkdtemp(join(tmpdir(), 'rif-gen-db-'))
const server = await startPostgres({ dataDir, fast: true })
try {
  await migrate({ url: server.urls.owner })
  const { db, close } = createDatabase({ url: server.urls.owner, max: 1, applicationName: 'gen-db' })
  await writeFile(new URL('../types.gen.ts', import.meta.url), await generateDatabaseTypes(db))
  await writeFile(new URL('../catalogue.gen.txt', import.meta.url), await describeCatalogue(db))
  await close()
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
