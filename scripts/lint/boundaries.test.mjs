import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeProgram, ROOT } from '../lib/steps.mjs'

const IMPORTS = 'lint/style/noRestrictedImports'
const PLUGIN = 'plugin'
const CYCLE = 'lint/suspicious/noImportCycles'

/** Breaches of "Which way things point": [file, its one line, the rule that must catch it]. */
const BREACHES = [
  ['packages/rules/src/a.ts', "import { z } from 'zod'", IMPORTS],
  ['packages/rules/src/b.ts', "import { readFileSync } from 'node:fs'", IMPORTS],
  ['packages/rules/src/c.ts', "import type { ErrorCode } from '@rif/api-schema'", IMPORTS],
  ['packages/rules/src/d.ts', "export { x } from '../../api-schema/src/x.ts'", IMPORTS],
  ['packages/rules/src/e.ts', "export const load = () => import('./x.ts').then(async (x) => x)", PLUGIN],
  ['packages/rules/src/f.ts', 'export async function f() {}', PLUGIN],
  ['packages/rules/src/g.ts', 'export const now = () => Date.now()', PLUGIN],
  ['packages/rules/src/h.ts', 'export const now = () => new Date()', PLUGIN],
  ['packages/rules/src/i.ts', 'export const chance = () => Math.random()', PLUGIN],
  ['packages/api-schema/src/a.ts', "import { fee } from '@rif/rules'", IMPORTS],
  ['packages/api-schema/src/b.ts', "import { readFileSync } from 'node:fs'", IMPORTS],
  ['packages/api-schema/src/routes/c.ts', "import { fee } from '../../../rules/src/fee.ts'", IMPORTS],
  ['apps/server/src/app.ts', "import { page } from '../../web/src/app/page.tsx'", IMPORTS],
  ['apps/server/src/lib/a.ts', "import { page } from '@rif/web'", IMPORTS],
  ['apps/server/src/modules/shop/shop.routes.ts', "import { find } from './shop.repository.ts'", IMPORTS],
  ['apps/server/src/modules/shop/shop.worker.ts', "import { find } from './shop.repository.ts'", IMPORTS],
  ['apps/server/src/modules/auth/auth.routes.ts', "import { sql } from 'kysely'", IMPORTS],
  [
    'apps/server/src/modules/shop/shop.service.ts',
    "import { find } from '../members/members.repository.ts'",
    IMPORTS,
  ],
  [
    'apps/server/src/modules/fund/orders/orders.service.ts',
    "import { find } from '../../members/members.repository.ts'",
    IMPORTS,
  ],
  [
    'apps/server/src/modules/fund/orders/orders.repository.ts',
    "import { buy } from './orders.service.ts'",
    IMPORTS,
  ],
  ['apps/server/src/modules/auth/auth.worker.ts', "import { tidy } from '../shop/shop.upkeep.ts'", IMPORTS],
  ['apps/server/src/modules/shop/shop.repository.ts', "import { buy } from './shop.service.ts'", IMPORTS],
  [
    'apps/server/src/modules/a/a.service.ts',
    "export const f = (db) => db.insertInto('ledger_postings')",
    PLUGIN,
  ],
  [
    'apps/server/src/modules/b/b.service.ts',
    'export const f = (sql) => sql`update ledger_balances set balance = 0`',
    PLUGIN,
  ],
  ['apps/server/src/cli/a.ts', 'export const f = (sql) => sql`\n  DELETE FROM ledger_pools`', PLUGIN],
  ['apps/web/src/app/a.tsx', "import { createApp } from '@rif/server'", IMPORTS],
  ['apps/web/src/lib/b.ts', "import { createApp } from '../../../server/src/app.ts'", IMPORTS],
  ['apps/web/src/lib/c.ts', "import { rifBankBytecode } from '@rif/contracts/bytecode'", IMPORTS],
  ['apps/web/src/features/shop/queries.ts', "import { x } from '../rewards/queries.ts'", IMPORTS],
  ['apps/web/src/features/shop/pages/shop-page.tsx', "import { x } from '../../rewards/queries.ts'", IMPORTS],
  [
    'apps/web/src/features/home/pages/home-page.tsx',
    "import { router } from '../../../app/router.tsx'",
    IMPORTS,
  ],
  ['apps/web/src/wallet/a.ts', "import { x } from '../features/shop/queries.ts'", IMPORTS],
  ['apps/web/src/ui/a.tsx', "import { x } from '../wallet/connection.ts'", IMPORTS],
  ['apps/web/src/ui/b.tsx', "import { x } from '../features/shop/queries.ts'", IMPORTS],
  ['apps/web/src/lib/a.ts', "import { Button } from '../ui/button.tsx'", IMPORTS],
  ['apps/web/src/lib/cycle.ts', "export { x } from './cycle-back.ts'", CYCLE],
]

/** What looks similar and is allowed. */
const ALLOWED = [
  ['packages/rules/src/money.ts', 'export const day = (ms) => new Date(ms).toISOString()'],
  ['packages/rules/src/order.ts', "export { day } from './money.ts'"],
  ['packages/rules/src/order.test.ts', "import { it } from 'vitest'\nit('x', async () => {})"],
  [
    'packages/api-schema/src/auth.ts',
    "import { z } from 'zod'\nimport { a } from './primitives.ts'\nexport const b = z.object({ a })",
  ],
  [
    'apps/server/src/modules/shop/shop.quotes.ts',
    "export { f } from '../ledger/ledger.service.ts'\nexport { g } from './shop.repository.ts'\nexport { h } from '../../lib/errors.ts'\nexport { rules } from '@rif/rules'",
  ],
  [
    'apps/server/src/modules/fund/orders/orders.view.ts',
    "export { f } from '../../ledger/ledger.service.ts'\nexport { g } from '../products/products.repository.ts'\nexport { h } from '../../../lib/errors.ts'",
  ],
  [
    'apps/server/src/modules/ledger/ledger.repository.ts',
    'export const f = (sql) => sql`insert into ledger_postings values (1)`',
  ],
  [
    'apps/server/src/modules/rewards/rewards.audit.ts',
    'export const f = (sql) => sql`select 1 from ledger_postings`',
  ],
  [
    'apps/web/src/features/shop/components/quote.tsx',
    "export { a } from '../queries.ts'\nexport { b } from '../../../ui/button.tsx'\nexport { c } from '../../../lib/api.ts'\nexport { d } from '../../../wallet/flow.ts'\nexport { e } from './row.tsx'",
  ],
  ['apps/web/src/wallet/decode.ts', "export { rifBankAbi } from '@rif/contracts/abi'"],
]

let dir
let found
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rif-lint-'))
  cpSync(join(ROOT, 'scripts', 'lint'), join(dir, 'scripts', 'lint'), { recursive: true })
  const { vcs, $schema, ...settings } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  write('biome.json', JSON.stringify(settings))
  for (const [path, code] of [...BREACHES, ...ALLOWED]) write(path, `${code}\n`)
  write('apps/web/src/lib/cycle-back.ts', "export { x } from './cycle.ts'\n")
  found = diagnostics()
})
afterAll(() => rmSync(dir, { recursive: true }))

function write(path, content) {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), content)
}

/** The categories of what the linter says about each file. */
function diagnostics() {
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', 'packages', 'apps']
  let output
  try {
    const stdio = ['ignore', 'pipe', 'ignore']
    output = execFileSync(process.execPath, [nodeProgram('@biomejs/biome/bin/biome'), ...args], {
      cwd: dir,
      stdio,
    })
  } catch (error) {
    output = error.stdout
  }
  const byFile = new Map()
  for (const { category, severity, location } of JSON.parse(output).diagnostics) {
    if (severity !== 'error' && severity !== 'fatal') continue
    const path = location.path.file ?? location.path
    byFile.set(path, [...(byFile.get(path) ?? []), category])
  }
  return byFile
}

describe('the linter catches', () => {
  it.each(BREACHES)('%s: %s', (path, _code, rule) => {
    expect(found.get(path) ?? []).toContain(rule)
  })
})

describe('the linter allows', () => {
  it.each(ALLOWED)('%s', (path) => {
    expect(found.get(path) ?? []).toEqual([])
  })
})
