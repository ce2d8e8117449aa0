import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPrograms } from '../apps/server/src/testing/programs.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** The heap limits of benchmarks that measure the product as a small server runs it. */
const NODE_OPTIONS: Readonly<Record<string, string>> = { fund: '--max-old-space-size=192' }
/** The benchmarks that run from a bundle, built in the same way as the product. */
const BUILT: ReadonlySet<string> = new Set(['api'])

// `npm run bench -- NAME [options]`: runs a benchmark and ends with its exit code. Each exits with 1 if it misses a limit.
const [name = '', ...options] = process.argv.slice(2)
const names = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join(HERE, entry.name)).includes('main.ts'))
  .map((entry) => entry.name)
if (names.includes(name)) process.exitCode = await run(name)
else {
  process.stderr.write(`usage: npm run bench -- ${names.join('|')} [options]\n`)
  process.exitCode = 1
}

async function run(benchmark: string): Promise<number> {
  if (!BUILT.has(benchmark)) return runNode(join(HERE, benchmark, 'main.ts'))
  const { dir, remove } = await buildPrograms(HERE, [`${benchmark}/main.ts`])
  try {
    return runNode(join(dir, benchmark, 'main.mjs'))
  } finally {
    await remove()
  }

  function runNode(program: string): number {
    const limits = NODE_OPTIONS[benchmark] === undefined ? [] : [NODE_OPTIONS[benchmark]]
    return spawnSync(process.execPath, [...limits, program, ...options], { stdio: 'inherit' }).status ?? 1
  }
}
