import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPrograms } from '../apps/server/src/testing/programs.ts'

// `built.ts <name>`: runs a benchmark as the product is built. From sources each function is given its name anew
// whenever it is made, which takes a fifteenth of an answer's time.
const [name = ''] = process.argv.slice(2)
const { dir, remove } = await buildPrograms(fileURLToPath(new URL('.', import.meta.url)), [`${name}/main.ts`])
try {
  process.exitCode =
    spawnSync(process.execPath, [join(dir, `${name}/main.mjs`)], { stdio: 'inherit' }).status ?? 1
} finally {
  await remove()
}
