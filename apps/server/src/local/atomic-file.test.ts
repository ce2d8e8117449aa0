import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileAtomically, writeFileAtomically } from './atomic-file.ts'
import { takeFile } from './instance.ts'

const AT_ONCE = 40

let dir: string
let path: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rif-files-'))
  path = join(dir, 'state.json')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Returns contents of different lengths, so that a mixture of two would show. */
const contents = Array.from({ length: AT_ONCE }, (_, index) => `${index}`.repeat(1000 * (index + 1)))

it('lets several writers replace one file at once', async () => {
  await Promise.all(contents.map((content) => writeFileAtomically(path, content)))
  expect(contents).toContain(await readFile(path, 'utf8'))
  expect(await readdir(dir)).toEqual(['state.json'])
})

it('lets exactly one of several writers create a file', async () => {
  const created = await Promise.all(contents.map((content) => createFileAtomically(path, content)))
  expect(created.filter(Boolean)).toHaveLength(1)
  expect(await readFile(path, 'utf8')).toBe(contents[created.indexOf(true)])
  expect(await createFileAtomically(path, 'later')).toBe(false)
  expect(await readdir(dir)).toEqual(['state.json'])
})

it('gives an abandoned lock to exactly one of several that take it at once', async () => {
  for (let round = 0; round < 20; round++) {
    await writeFile(path, JSON.stringify({ pid: process.pid, identity: 'of a process that has ended' }))
    const taken = await Promise.allSettled(contents.map(() => takeFile(path, ({ pid }) => `held by ${pid}`)))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = taken.flatMap((item) =>
      item.status === 'rejected' ? [String(item.reason.message)] : [],
    )
    expect(new Set(refusals)).toEqual(new Set([`held by ${process.pid}`]))
  }
  expect(await readdir(dir)).toEqual(['state.json'])
})
