import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeProgram, ROOT } from '../lib/steps.mjs'
import { ARROWS_UP, CAPABILITIES, READERS_OF_ONE_NODE } from './architecture.mjs'
import { arrows, arrowsUp, breaches, OWNERS, readSources, sharedNames } from './boundaries.mjs'

const PLUGIN = 'plugin'
const CYCLE = 'lint/suspicious/noImportCycles'

const MODULE = 'apps/server/src/modules'

/** Violations that `boundaries.mjs` must report: [file, its only line, part of the problem]. */
const BREACHES = [
  ['packages/rules/src/a.ts', "import { z } from 'zod'", 'The rules import nothing'],
  ['packages/rules/src/b.ts', "import { readFileSync } from 'node:fs'", 'The rules import nothing'],
  ['packages/rules/src/c.ts', "import type { Code } from '@rif/api-schema'", 'The rules import nothing'],
  ['packages/rules/src/d.ts', "export { x } from '../../api-schema/src/x.ts'", 'The rules import nothing'],
  ['packages/rules/src/e.ts', "export const load = () => import('zod')", 'The rules import nothing'],
  ['packages/solvency/src/a.ts', "import { fee } from '@rif/rules'", 'The format of a proof imports nothing'],
  ['packages/api-schema/src/a.ts', "import { fee } from '@rif/rules'", 'only Zod'],
  ['packages/api-schema/src/b.ts', "import { readFileSync } from 'node:fs'", 'only Zod'],
  ['packages/api-schema/src/routes/c.ts', "import { fee } from '../../../rules/src/fee.ts'", 'only Zod'],
  ['apps/server/src/app.ts', "import { page } from '../../web/src/app/page.tsx'", 'the web app'],
  ['apps/server/src/lib/a.ts', "import { page } from '@rif/web'", 'the web app'],
  [
    'apps/server/src/plugins/a.ts',
    "import type { S } from '../modules/shop/shop.service.ts'",
    'know no capability',
  ],
  ['apps/server/src/db/b.ts', "import { c } from '../services.ts'", 'know no capability'],
  [`${MODULE}/shop/shop.routes.ts`, "import { find } from './shop.repository.ts'", 'call services'],
  [`${MODULE}/shop/shop.worker.ts`, "import { find } from './shop.repository.ts'", 'call services'],
  [`${MODULE}/access/auth/auth.routes.ts`, "import { sql } from 'kysely'", 'call services'],
  [`${MODULE}/shop/a.ts`, "import { find } from '../members/members.repository.ts'", 'through its services'],
  [`${MODULE}/shop/parts/a.ts`, "import { f } from '../../members/a.ts'", 'through its services'],
  [`${MODULE}/shop/b.ts`, "export const x: typeof import('../members/b.ts') = 1", 'through its services'],
  [`${MODULE}/shop/shop.repository.ts`, "import { buy } from './shop.service.ts'", 'below the services'],
  [`${MODULE}/books/ledger/a.ts`, "import type { F } from '../../fund/fund.service.ts'", 'points up'],
  [`${MODULE}/unknown/a.ts`, "import { x } from '../books/ledger/ledger.service.ts'", 'points up'],
  [
    `${MODULE}/prices/pricing/a.service.ts`,
    "export const f = (db) => db.insertInto('ledger_postings')",
    'Only books',
  ],
  [
    `${MODULE}/prices/pricing/b.service.ts`,
    'export const f = (sql) => sql`update members set level = 0`',
    'Only members',
  ],
  [
    `${MODULE}/prices/pricing/c.ts`,
    "export const f = (db) => db.selectFrom('sessions').innerJoin('members', 'a')",
    'Only',
  ],
  [
    `${MODULE}/prices/pricing/d.ts`,
    "export const f = (db) => db.selectFrom(['sessions', 'orders as o'])",
    'Only shop',
  ],
  [
    `${MODULE}/prices/pricing/e.ts`,
    'export const f = (sql) => sql`\n  DELETE FROM ONLY orders where id = 1`',
    'Only shop',
  ],
  [
    `${MODULE}/prices/pricing/f.ts`,
    'export const f = (sql) => sql`select a from sessions join orders using (a)`',
    'Only',
  ],
  ['apps/server/src/cli/a.ts', 'export const f = (sql) => sql`truncate ledger_pools`', 'Only books'],
  ['apps/server/src/chain/a.ts', "import { privateKeyToAccount } from 'viem/accounts'", 'private keys'],
  [`${MODULE}/shop/c.ts`, "export const f = () => import('viem/accounts')", 'private keys'],
  ['apps/server/src/cli/b.ts', "import koffi from 'koffi'", 'private keys'],
  ['apps/server/src/services.ts', "import { createSigner } from './signer/signer.ts'", 'through its client'],
  [
    `${MODULE}/shop/d.ts`,
    "import { keyInMemory } from '../../signer/keys/signing-key.ts'",
    'through its client',
  ],
  ['apps/server/src/signer/client.ts', "export { createSigner } from './signer.ts'", 'nothing of the signer'],
  ['apps/server/src/signer/terms.ts', "import { f } from '../modules/shop/shop.service.ts'", 'by itself'],
  [
    `${MODULE}/shop/e.ts`,
    'export const f = (db) => db.transaction().execute((dbTx) => dbTx)',
    'uses .transaction()',
  ],
  [
    'apps/server/src/cli/c.ts',
    'export const f = (db) => db.connection().execute((c) => c)',
    'second connection',
  ],
  [
    `${MODULE}/shop/f.ts`,
    'export const f = (db) => inTx(db, (dbTx) => insert(dbTx, find(db)))',
    'uses db inside a transaction',
  ],
  [
    `${MODULE}/shop/g.ts`,
    'export function g({ db }) {\n  return { async buy(dbTx) {\n    await [1].map(() => read({ db, dbTx }))\n  } }\n}',
    'uses db inside a transaction',
  ],
  [
    `${MODULE}/shop/h.ts`,
    'export const f = (db) => inSnapshot(db, async (snapshot) => db.selectFrom("orders"))',
    'uses db inside a transaction',
  ],
  [
    `${MODULE}/access/auth/a.ts`,
    'export const f = ({ chain }) => chain.untrustedClient.getCode()',
    'from one node',
  ],
  [
    `${MODULE}/access/auth/b.ts`,
    'export const f = ({ untrustedClient: client }) => client.getCode()',
    'from one node',
  ],
  [
    `${MODULE}/access/auth/c.ts`,
    "export const f = (chain) => chain['untrustedClient'].getCode()",
    'from one node',
  ],
  ['apps/web/src/app/a.tsx', "import { createApp } from '@rif/server'", 'does not import the server'],
  ['apps/web/src/lib/b.ts', "import { createApp } from '../../../server/src/app.ts'", 'import the server'],
  ['apps/web/src/lib/c.ts', "import { bytecode } from '@rif/contracts/bytecode'", 'import the server'],
  ['apps/web/src/features/shop/a.ts', "import { x } from '../rewards/queries.ts'", 'another feature'],
  ['apps/web/src/features/shop/pages/a.tsx', "import { x } from '../../rewards/a.ts'", 'another feature'],
  ['apps/web/src/features/home/b.tsx', "import { router } from '../../app/router.tsx'", 'app is above'],
  ['apps/web/src/wallet/a.ts', "import { x } from '../features/shop/queries.ts'", 'wallet is below'],
  ['apps/web/src/ui/a.tsx', "import { x } from '../wallet/connection.ts'", 'imports only lib'],
  ['apps/web/src/ui/b.tsx', "import { x } from '../features/shop/queries.ts'", 'imports only lib'],
  ['apps/web/src/lib/a.ts', "import { Button } from '../ui/button.tsx'", 'lib is below'],
]

/** Violations that the linter must report: [file, its only line, the rule]. */
const LINT_BREACHES = [
  ['packages/rules/src/f.ts', 'export async function f() {}', PLUGIN],
  ['packages/rules/src/g.ts', 'export const now = () => Date.now()', PLUGIN],
  ['packages/rules/src/h.ts', 'export const now = () => new Date()', PLUGIN],
  ['packages/rules/src/i.ts', 'export const chance = () => Math.random()', PLUGIN],
  ['packages/rules/src/j.ts', 'export const f = (a) => ({ ...a, ...{ b: 1 } })', PLUGIN],
  ['apps/server/src/lib/spread.ts', 'export const f = (a) => ({ ...a, ...{ b: 1 } })', PLUGIN],
  ['apps/web/src/lib/spread.tsx', 'export const f = (a) => [...a, ...[1, 2]]', PLUGIN],
  ['apps/web/src/lib/spread.test.ts', 'export const f = (a) => g(...[a, 2])', PLUGIN],
  ['apps/server/src/lib/names.ts', 'export const f = (rows) => rows.map((one) => one.id)', PLUGIN],
  ['apps/web/src/lib/names.ts', 'export const { given } = f()', PLUGIN],
  ['apps/web/src/lib/cycle.ts', "export { x } from './cycle-back.ts'", CYCLE],
  ['apps/web/src/lib/type-cycle.ts', "export type { X } from './type-cycle-back.ts'", CYCLE],
]

/** Code that is similar to a violation and allowed. */
const ALLOWED = [
  ['packages/rules/src/money.ts', 'export const day = (ms) => new Date(ms).toISOString()'],
  ['packages/rules/src/k.ts', 'export const f = (a, b) => ({ ...a, ...(b ? { b } : {}), ...[a].map(g) })'],
  ['packages/rules/src/order.ts', "export { day } from './money.ts'"],
  ['packages/rules/src/order.test.ts', "import { it } from 'vitest'\nit('x', async () => {})"],
  [
    'packages/api-schema/src/auth.ts',
    "import { z } from 'zod'\nimport { a } from './primitives.ts'\nexport const b = z.object({ a })",
  ],
  [
    `${MODULE}/shop/shop.quotes.ts`,
    "export { f } from '../books/ledger/ledger.service.ts'\nexport { g } from './shop.repository.ts'\nexport { h } from '../../lib/errors.ts'\nexport { rules } from '@rif/rules'",
  ],
  [
    `${MODULE}/books/ledger/ledger.repository.ts`,
    'export const f = (sql) => sql`insert into ledger_postings values (1)`',
  ],
  [`${MODULE}/rewards/audit.ts`, 'export const f = (sql) => sql`select 1 from ledger_postings`'],
  [`${MODULE}/desk/search/search.repository.ts`, "export const f = (db) => db.selectFrom('members')"],
  [
    'apps/web/src/features/shop/components/quote.tsx',
    "export { a } from '../queries.ts'\nexport { b } from '../../../ui/button.tsx'\nexport { c } from '../../../lib/api.ts'\nexport { d } from '../../../wallet/flow.ts'\nexport { e } from './row.tsx'",
  ],
  [
    'apps/server/src/signer/keys/a.ts',
    "export { privateKeyToAccount } from 'viem/accounts'\nexport { b } from '../limits.ts'",
  ],
  ['apps/server/src/local/a.ts', "export { generatePrivateKey } from 'viem/accounts'"],
  ['apps/server/src/cli/sign.ts', "export { createSigner } from '../signer/signer.ts'"],
  [
    `${MODULE}/shop/i.ts`,
    'export const f = ({ db }) => inTx(db, (dbTx) => [dbTx.db, { db: dbTx }, (db: Db) => db])\nexport const g = (dbTx, db) => db',
  ],
  ['apps/web/src/wallet/decode.ts', "export { rifBankAbi } from '@rif/contracts/abi'"],
]

/** Functions that a service hands on as they are, and the entries of two programs. */
const HANDED_ON = ['keepVisits', 'devicesRead', 'main']

let dir
let linted
let breachLines
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rif-lint-'))
  cpSync(join(ROOT, 'scripts', 'lint'), join(dir, 'scripts', 'lint'), { recursive: true })
  const { vcs, $schema, ...settings } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
  write('biome.json', JSON.stringify(settings))
  for (const [path, code] of [...BREACHES, ...LINT_BREACHES, ...ALLOWED]) write(path, `${code}\n`)
  write('apps/web/src/lib/cycle-back.ts', "export { x } from './cycle.ts'\n")
  write('apps/web/src/lib/type-cycle-back.ts', "export type { X } from './type-cycle.ts'\n")
  linted = diagnostics()
  breachLines = breaches(readSources(dir))
})
afterAll(() => rmSync(dir, { recursive: true }))

function write(path, content) {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), content)
}

/** Returns the categories of the linter's errors by file. */
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

describe('a violation is reported', () => {
  it.each(BREACHES)('%s: %s', (path, _code, problem) => {
    const problems = breachLines.filter((line) => line.startsWith(`${path}: `))
    expect(problems.join('\n')).toContain(problem)
  })
  it.each(LINT_BREACHES)('%s: %s', (path, _code, rule) => {
    expect(linted.get(path) ?? []).toContain(rule)
  })
})

describe('allowed code is not reported', () => {
  it.each(ALLOWED)('%s', (path) => {
    expect(linted.get(path) ?? []).toEqual([])
    expect(breachLines.filter((line) => line.startsWith(`${path}: `))).toEqual([])
  })
})

describe('the repository', () => {
  const sources = readSources(ROOT)

  it('follows the declared architecture', () => {
    expect(breaches(sources)).toEqual([])
  })

  it('has at most five upward imports, each declared with a reason and in use', () => {
    console.log(
      `${arrows(sources).length} arrows between capabilities of the server, ${arrowsUp(sources).length} up`,
    )
    expect(arrowsUp(sources)).toEqual(ARROWS_UP.map(([from, to]) => `${from} -> ${to}`).sort())
    expect(ARROWS_UP.length).toBeLessThanOrEqual(5)
    for (const [, , reason] of ARROWS_UP) expect(reason).toMatch(/\w+ .{20,}\.$/)
  })

  it('gives an exported name to one thing of an app', () => {
    const shared = sharedNames(sources).filter(
      (line) => !HANDED_ON.some((name) => line.includes(`: ${name} (`)),
    )
    expect(shared).toEqual([])
    const pair = ['a', 'b'].map((file) => ({ path: `apps/web/src/${file}.ts`, exports: new Set(['same']) }))
    expect(sharedNames(pair)).toEqual(['apps/web: same (apps/web/src/a.ts, apps/web/src/b.ts)'])
  })

  it('names each file that reads from one node, with a reason and in use', () => {
    const readers = sources.filter(({ readsOneNode }) => readsOneNode).map(({ path }) => path)
    expect(READERS_OF_ONE_NODE.map(([path]) => path).sort()).toEqual(readers.sort())
    for (const [, reason] of READERS_OF_ONE_NODE) expect(reason).toMatch(/^[A-Z].{8,}\.$/)
  })

  it('declares every capability, and every table once', () => {
    const names = sources.flatMap(
      ({ path }) => path.match(/^apps\/server\/src\/modules\/([\w-]+)\//)?.[1] ?? [],
    )
    expect([...new Set(names)].sort()).toEqual([...CAPABILITIES].sort())
    const [, tables] = readFileSync(join(ROOT, 'apps/server/src/db/types.gen.ts'), 'utf8').split(
      'interface DB {',
    )
    const inSchema = [...tables.matchAll(/^ {2}(\w+): /gm)].map(([, table]) => table)
    expect([...OWNERS.keys()].sort()).toEqual([...inSchema, 'schema_migrations'].sort())
  })
})
