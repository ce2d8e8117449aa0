import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPrograms } from '../apps/server/src/testing/programs.ts'

// `built.ts <name>`: runs a benchmark from a bundle, built in the same way as the product.
const [name = ''] = process.argv.slice(2)
const { dir, remove } = await buildPrograms(fileURLToPath(new URL('.', import.meta.url)), [`${name}/main.ts`])
try {
  process.exitCode =
    spawnSync(process.execPath, [join(dir, `${name}/main.mjs`)], { stdio: 'inherit' }).status ?? 1
} finally {
  await remove()
}
