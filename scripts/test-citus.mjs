// `CITUS_DATABASE_URL=postgres://postgres@coordinator/db npm run test:citus [-- FILES | -- --kills | -- --e2e]`: runs the server's unit
// tests on a Citus cluster, or the end-to-end tests of the main job (e2e/support/on-cluster.ts). Each test file has a database of its
// own on every machine of the cluster, so the cluster is one for tests (docs/scale.md, "The tests on a cluster").
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './lib/prepare.mjs'
import { installSoftHsm } from './lib/softhsm.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

if (!process.env.CITUS_DATABASE_URL) {
  process.stderr.write('test:citus needs CITUS_DATABASE_URL, the superuser of a coordinator: docs/scale.md\n')
  process.exit(1)
}
// Killed servers affect the databases of other tests, so these tests run alone.
const isKilling = process.argv.includes('--kills')
const files = isKilling
  ? ['kill', 'moves'].map((name) => `apps/server/src/cluster.${name}.test.ts`)
  : process.argv.slice(2)
const env = { ...process.env, ...(isKilling && { CITUS_KILLS: '1' }) }
const vitest = [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'server',
  '--maxWorkers',
  isKilling ? '1' : '2',
  ...files,
]
const endToEnd = [join(ROOT, 'e2e/support/on-cluster.ts'), ...files.filter((file) => file !== '--e2e')]
const isEndToEnd = files.includes('--e2e')
if (isEndToEnd) await prepare()
else await installSoftHsm()
const program = isEndToEnd ? endToEnd : vitest
const { status } = spawnSync(process.execPath, program, { cwd: ROOT, stdio: 'inherit', env })
process.exit(status ?? 1)
