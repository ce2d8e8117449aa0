import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultPlan, serialisePlan } from '@rif/rules'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runProductProcess } from '../testing/product-process.ts'
import { createEmptyDatabase } from '../testing/test-database.ts'
import { runSimulate } from './simulate.ts'

const FIXTURES = join(import.meta.dirname, '..', 'simulate', 'fixtures')
const SCENARIO = join(FIXTURES, 'worked-example.jsonl')

/** Starting a database server and the program from its sources takes long on a busy machine. */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rif-simulate-test-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Runs the command as a separate process. */
async function spawn(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { ended, output } = await runProductProcess('simulate', {}, args)
  return { code: await ended, output: output() }
}

/** Runs the command in this process, and returns its output file. */
async function simulate(...args: string[]): Promise<string> {
  const out = join(dir, 'out')
  await runSimulate([...args, '--out', out])
  return readFile(out, 'utf8')
}

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(dir, name), content)
  return join(dir, name)
}

const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The default plan with a lower referral rate, and no hash-rate discount. */
function otherPlan(): Promise<string> {
  const packages = defaultPlan.packages.map((terms) => ({ ...terms, referralPpm: terms.referralPpm / 2 }))
  const plan = { ...defaultPlan, packages, order: { ...defaultPlan.order, hashRatePpm: 0 } }
  return file('plan.json', JSON.stringify(serialisePlan(plan)))
}

it('prints the result, and nothing else', async () => {
  const expected = jsonLines(await readFile(join(FIXTURES, 'worked-example.expected.jsonl'), 'utf8'))
  const { code, output } = await spawn(SCENARIO)
  expect(code, output).toBe(0)
  expect(jsonLines(output)).toEqual(expected)
})

it('prints one line and nothing else when a line is malformed', { tags: ['full'] }, async () => {
  const malformed = await file('malformed.jsonl', '\n{"type":"join","at":"2026-01-01"}\n')
  expect(await spawn(malformed)).toEqual({
    code: 1,
    output: expect.stringMatching(/^rif: .*malformed\.jsonl: line 2: at: must be an ISO time .*\n$/),
  })
})

it('runs under another plan, writes to a file, and leaves the data in a given database, which must be empty', {
  tags: ['full'],
}, async () => {
  const empty = await createEmptyDatabase()
  const options = ['--plan', await otherPlan(), '--database-url', empty.urls.owner]
  const lines = jsonLines(await simulate(SCENARIO, ...options))
  expect(lines[0]).toMatchObject({ kind: 'ReferralReward', ratio_ppm: 50_000, value: '50.000000' })
  const again = simulate(SCENARIO, ...options)
  await expect(again).rejects.toThrow('a simulation needs an empty database (--database-url)')
  await empty.drop()
})

it('compares two plans, as tables and as JSON', async () => {
  const text = vi.spyOn(process.stdout, 'write')
  const comparison = JSON.parse(await simulate(SCENARIO, '--compare', await otherPlan()))
  const output = text.mock.calls.map(([chunk]) => chunk).join('')
  text.mockRestore()
  expect(comparison.coverage[0]).toEqual({
    kind: 'ReferralReward',
    before: { due: '1203.166666', paid: '1203.166666', coverage_ppm: 1_000_000 },
    // Half of it, and 0.416667 more because one package is sold without discount.
    after: { due: '602.000000', paid: '602.000000', coverage_ppm: 1_000_000 },
  })
  const rif = { asset: 'RIF', account: 'revenue', before: '3.333334', after: '0.000000' }
  expect(comparison.pools).toContainEqual(rif)
  expect(comparison.members.map((entry: { member: string }) => entry.member)).toContain('F')
  expect(comparison.refused).toEqual({ before: 3, after: 3 })
  expect(output).toMatch(/^Members \(\d changed, \d not\)\n {2}member +figure +before +after +change\n/)
  expect(output).toMatch(/\n {2}ReferralReward +calculated +1203\.166666 +602\.000000 +-601\.166666\n/)
})

it('reports errors in its arguments', async () => {
  const plan = await file('bad-plan.json', '{}')
  await expect(simulate(SCENARIO, '--plan', plan)).rejects.toThrow(
    /bad-plan\.json: packages: must be a list; /,
  )
  await expect(simulate()).rejects.toThrow(/^Usage: rif simulate SCENARIO\.jsonl /)
  await expect(simulate(SCENARIO, '--speed', '7')).rejects.toThrow(/Unknown option '--speed'/)
  const both = simulate(SCENARIO, '--compare', await otherPlan(), '--database-url', 'postgres://localhost/x')
  await expect(both).rejects.toThrow(/--compare runs on databases of its own/)
})
