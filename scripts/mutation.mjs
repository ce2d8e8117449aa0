// `npm run test:mutation`: changes the code of packages/rules in one place at a time and reports the changes that its tests do
// not detect. Arguments go to StrykerJS: `npm run test:mutation -- --mutate packages/rules/src/fund.ts`.
import { main } from './lib/runtime.mjs'
import { nodeProgram, run } from './lib/steps.mjs'

const STRYKER = nodeProgram('@stryker-mutator/core/bin/stryker.js')
const CONFIG = 'packages/rules/stryker.config.json'
const NEEDS = { toDevelop: true }

await main(async () => {
  const args = [STRYKER, 'run', CONFIG, ...process.argv.slice(2)]
  const { code } = await run(process.execPath, args, { show: (text) => process.stdout.write(text) })
  process.exitCode = code
}, NEEDS)
