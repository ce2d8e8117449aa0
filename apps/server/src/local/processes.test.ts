import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WAIT } from '../testing/wait.ts'
import { spawnServer } from './processes.ts'

const SECRET = 'smtps://sender:only-for-the-product@mail.example'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rif-processes-'))
  process.env.MAIL = SECRET
})
afterAll(async () => {
  delete process.env.MAIL
  await rm(folder, { recursive: true })
})

/** Returns what a program that the product starts finds in its environment. */
async function environmentOfChild(): Promise<string> {
  const logFile = join(folder, 'child.log')
  const child = await spawnServer({ command: 'sh', args: ['-c', 'env; echo all; exec sleep 60'], logFile })
  await vi.waitUntil(async () => (await readFile(logFile, 'utf8')).includes('all\n'), WAIT)
  await child.stop(1_000)
  return readFile(logFile, 'utf8')
}

it("a program that the product starts gets the path, and none of the product's settings", async () => {
  const environment = await environmentOfChild()
  expect(environment).toContain(`PATH=${process.env.PATH}`)
  expect(environment).not.toContain(SECRET)
})
