// `npm run test:mutation`: changes the code of packages/rules, packages/solvency and the contracts' libraries in one place at a time
// and reports the changes that their tests do not notice. `-- rules`, `-- solvency` or `-- contracts` runs one of them; further
// arguments go to StrykerJS or to contracts/script/mutation.mjs: `npm run test:mutation -- rules --mutate packages/rules/src/fund.ts`.
import { main } from './lib/runtime.mjs'
import { nodeProgram, Refusal, run } from './lib/steps.mjs'

const STRYKER = [nodeProgram('@stryker-mutator/core/bin/stryker.js'), 'run', 'packages/stryker.config.mjs']
const PARTS = { rules: STRYKER, solvency: STRYKER, contracts: ['contracts/script/mutation.mjs'] }
const NEEDS = { toDevelop: true }

await main(async () => {
  const [name, ...args] = process.argv.slice(2)
  if (name !== undefined && !(name in PARTS))
    throw new Refusal(`no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  for (const part of name === undefined ? Object.keys(PARTS) : [name]) {
    const env = { ...process.env, MUTATED_PACKAGE: part }
    const show = (text) => process.stdout.write(text)
    const { code } = await run(process.execPath, [...PARTS[part], ...args], { env, show })
    if (code !== 0) process.exitCode = code
  }
}, NEEDS)
