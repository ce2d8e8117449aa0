// `CITUS_DATABASE_URL=postgres://postgres@coordinator/db npm run test:citus [FILES]`: runs the server's unit tests on a Citus
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
const { status } = spawnSync(
  process.execPath,
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--project', 'server', '--maxWorkers', '2', '--testTimeout', '60000'],
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: 'inherit' },
)
process.exit(status ?? 1)
