// `npm run rif -- <command>`: the command line of the product (docs/operations/settings.md), built first if its sources changed.
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { ROOT } from './lib/steps.mjs'

await main(async () => {
  await prepare()
  const program = join(ROOT, 'apps', 'server', 'src', 'cli', 'rif.ts')
  process.argv.splice(1, 1, program)
  await import(program)
})
