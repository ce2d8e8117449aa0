// `npm run rif -- <command>`: the product's command line (docs/operations.md), built first when its sources changed.
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main, ROOT } from './lib/steps.mjs'

await main(async () => {
  await prepare()
  const program = join(ROOT, 'apps', 'server', 'dist', 'cli', 'rif.js')
  process.argv.splice(1, 1, program)
  await import(program)
})
