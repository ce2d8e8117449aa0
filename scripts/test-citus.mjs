// `CITUS_DATABASE_URL=postgres://postgres@coordinator/db npm run test:citus [-- FILES | -- --kills]`: runs the server's unit tests on a Citus
// cluster. Each test file has a database of its own on every machine of the cluster, so the cluster is one for tests
// (docs/scale.md, "The tests on a cluster").
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

if (!process.env.CITUS_DATABASE_URL) {
  process.stderr.write('test:citus needs CITUS_DATABASE_URL, the superuser of a coordinator: docs/scale.md\n')
  process.exit(1)
}
// Killed servers take the databases of other tests along, so these run alone.
const isKilling = process.argv.includes('--kills')
const files = isKilling
  ? ['kill', 'moves'].map((name) => `apps/server/src/cluster.${name}.test.ts`)
  : process.argv.slice(2)
const env = { ...process.env, ...(isKilling && { CITUS_KILLS: '1' }) }
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--project', 'server', '--maxWorkers', isKilling ? '1' : '2', '--testTimeout', '60000'],
    ...files,
  ],
  { cwd: ROOT, stdio: 'inherit', env },
)
process.exit(status ?? 1)
