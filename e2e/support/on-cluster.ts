import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { distribute, migrate } from '../../apps/server/src/db/migrate.ts'
import {
  createClusterDatabase,
  onServers,
  openCluster,
  urlOf,
} from '../../apps/server/src/testing/cluster.ts'
import { installChromium } from '../../scripts/lib/chromium.mjs'

const DATABASE = 'rif_e2e'
const PLAYWRIGHT = createRequire(import.meta.url).resolve('@playwright/test/cli')

// `npm run test:citus -- --e2e [FILES]`: runs end-to-end tests against a product whose database is distributed over the cluster of
// CITUS_DATABASE_URL, by default the main job. The chain and everything else is that of `rif start`.
const servers = await openCluster(process.env.CITUS_DATABASE_URL!)
await installChromium()
await createClusterDatabase(servers, DATABASE)
const loginOf = (login: keyof typeof servers.logins) =>
  urlOf(servers.logins[login], { pathname: `/${DATABASE}` })
try {
  await migrate({ url: loginOf('owner') })
  await distribute({ url: loginOf('owner'), report: () => undefined })
  process.exitCode = await runTests(process.argv.slice(2))
} finally {
  await onServers(servers.urls, `drop database if exists ${DATABASE} with (force)`)
}

async function runTests(files: readonly string[]): Promise<number> {
  const chosen = files.length > 0 ? files : ['main-job']
  const tests = spawn(process.execPath, [PLAYWRIGHT, 'test', '--project=main', ...chosen], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: {
      ...process.env,
      CI: 'true',
      E2E_PORT: process.env.E2E_PORT ?? '18093',
      DATABASE_URL: loginOf('app'),
      MIGRATION_DATABASE_URL: loginOf('owner'),
      SIGNER_DATABASE_URL: loginOf('read'),
    },
  })
  return new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)))
}
