// `npm run chaos`: runs the built product with faults between its parts, under a mixed load.
//   --only <text>    the faults whose name contains the text
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { ROOT, run } from './lib/steps.mjs'

const NEEDS = { toDevelop: true }

await main(async () => {
  await prepare()
  const program = join(ROOT, 'chaos', 'main.ts')
  const { code } = await run(process.execPath, [program, ...process.argv.slice(2)], {
    cwd: ROOT,
    show: (text) => process.stdout.write(text),
  })
  process.exitCode = code
}, NEEDS)
