import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { runProductProcess } from '../testing/product-process.ts'
import { COMMAND_LIST, helpFor } from './usage.ts'

const NAMES = [...COMMAND_LIST.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name!)

it('lists the commands of docs/operations/settings.md', async () => {
  const page = await readFile(new URL('../../../../docs/operations/settings.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `rif ([a-z-]+)/gm)].map(([, name]) => name!)
  expect(new Set(documented)).toEqual(new Set(NAMES))
})

it('shows the arguments of a command, for --help after it', () => {
  for (const name of NAMES) expect(helpFor([name, '--help'])).toMatch(new RegExp(`^Usage: rif ${name}\\b`))
  expect(helpFor(['person', '-h'])).toContain('       rif person erase ADDRESS [--dry-run] [--yes]\n')
  expect(helpFor(['help'])).toBe(COMMAND_LIST)
  expect(helpFor(['audit'])).toBeUndefined()
})

// Without the help, `keystore --help` made a file of that name and `sign --help` ended with 1.
it.each(['keystore', 'sign', 'simulate', 'audit'])(
  'ends with 0 without a setting: %s --help',
  async (name) => {
    const { ended, output } = await runProductProcess(name, {}, ['--help'], ['a passphrase of the test'])
    expect(await ended).toBe(0)
    expect(output()).toBe(`${helpFor([name, '--help'])}\n`)
  },
)
