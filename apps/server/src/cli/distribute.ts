import type { Config } from '../config.ts'
import type { Placement } from '../db/citus/distribute.ts'
import { distribute } from '../db/migrate.ts'
import { APP_ROLE, READ_ROLE } from '../db/roles.ts'
import { StartError } from '../lib/start-error.ts'
import { checkDatabase } from './database.ts'

/**
 * Runs `rif distribute`: distributes the tables of a migrated database over the machines of its Citus
 * cluster, with the owner's login (MIGRATION_DATABASE_URL), and checks that the logins of DATABASE_URL and
 * SIGNER_DATABASE_URL reach all machines. A killed run is continued by the next. Throws StartError with a
 * one-line reason.
 */
export async function runDistribute(config: Config): Promise<number> {
  const { databaseUrl, migrationDatabaseUrl, signerDatabaseUrl } = config
  const url = migrationDatabaseUrl ?? databaseUrl
  if (url === undefined)
    throw new StartError('distribute needs MIGRATION_DATABASE_URL, the login of the owner')
  await checkDatabase(url, migrationDatabaseUrl ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL')
  const begun = performance.now()
  const print = (text: string) => process.stdout.write(`${text}\n`)
  const logins = [
    { role: APP_ROLE, url: databaseUrl },
    { role: READ_ROLE, url: signerDatabaseUrl },
  ].flatMap(({ role, url }) => (url === undefined ? [] : [{ role, url }]))
  const placement = await distribute({
    url,
    logins,
    report: (step) => print(`  ${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${step}`),
  })
  print(placementText(placement))
  return 0
}

/** Returns a line about the distribution of a database's tables. */
export function placementText({ nodes, distributed, reference }: Placement): string {
  return `the database is distributed: ${distributed} tables by member over ${nodes} machine(s), ${reference} on every machine`
}
