import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LogEntry, openDecisionLog } from './decision-log.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-03-10T12:00:00.000Z')

let dir: string
let path: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rif-log-'))
  path = join(dir, 'decisions.jsonl')
})
afterEach(() => rm(dir, { recursive: true }))

const refusal = (atMs: number): LogEntry => ({
  at: new Date(atMs).toISOString(),
  decision: 'refuse',
  member: '1',
  subject: 'withdrawal/1',
  reason: 'unknown',
})
const files = async () => (await readdir(dir)).filter((name) => !name.endsWith('.head')).sort()
/** Opens the log, adds entries at the given times, and returns the entries that the start has read. */
async function write(timesMs: number[], maxFileBytes?: number): Promise<string[]> {
  const read: string[] = []
  const log = await openDecisionLog(path, ({ at }) => read.push(at), maxFileBytes)
  for (const atMs of timesMs) await log.append(refusal(atMs))
  await log.close()
  return read
}
const iso = (...timesMs: number[]) => timesMs.map((atMs) => new Date(atMs).toISOString())

test('a file is rotated at the first entry of a day, and the chain continues', async () => {
  const days = [0, 24, 48, 72, 96].map((hours) => NOON + hours * HOUR_MS)
  await write(days)
  expect(await files()).toEqual([
    'decisions.jsonl',
    ...['1', '2', '3', '4'].map((last) => `decisions.jsonl.${last.padStart(12, '0')}`),
  ])
  // Only entries that a limit of 24 hours may count are read again.
  expect(await write([])).toEqual(iso(days[3]!, days[4]!))
  const [last] = (await readFile(path, 'utf8')).trim().split('\n')
  expect(JSON.parse(last!).number).toBe(5)
})

test('a file is rotated at a size, and a restart reads all files of a day', async () => {
  const times = Array.from({ length: 20 }, (_, index) => NOON + index * 60_000)
  await write(times, 600)
  expect((await files()).length).toBeGreaterThan(4)
  expect(await write([NOON + HOUR_MS], 600)).toEqual(iso(...times))
})

test.each([
  ['changed', (text: string) => text.replace('withdrawal/1', 'withdrawal/2'), /was changed at line/],
  ['cut', (text: string) => text.replace(/[^\n]*\n$/, ''), /was changed at line|lacks the lines/],
])('a file that was set aside and %s stops the start', async (_what, change, refusal) => {
  await write(
    Array.from({ length: 20 }, (_, index) => NOON + index * 60_000),
    600,
  )
  const archive = join(dir, (await files())[2]!)
  await writeFile(archive, change(await readFile(archive, 'utf8')))
  await expect(write([])).rejects.toThrow(refusal)
})

test('a missing file prevents the start while a limit may count its entries, and not after that', async () => {
  const times = [NOON, NOON + 13 * HOUR_MS, NOON + 14 * HOUR_MS]
  await write(times)
  const [, archive] = await files()
  await rename(join(dir, archive!), join(dir, 'elsewhere'))
  await expect(write([])).rejects.toThrow(/lacks the lines before line 2/)
  await rename(join(dir, 'elsewhere'), join(dir, archive!))
  await write([NOON + 38 * HOUR_MS])
  await rm(join(dir, archive!))
  expect(await write([])).toEqual(iso(times[1]!, times[2]!, NOON + 38 * HOUR_MS))
})

test('a kill after a file was rotated loses nothing, and a removed beginning is detected', async () => {
  await write([NOON, NOON + 60_000])
  await rename(path, `${path}.${'2'.padStart(12, '0')}`)
  expect(await write([NOON + 120_000])).toEqual(iso(NOON, NOON + 60_000))
  expect(await write([NOON + 180_000])).toEqual(iso(NOON, NOON + 60_000, NOON + 120_000))
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(/^.*\n/, ''))
  await expect(write([])).rejects.toThrow(/lacks the lines before line 4/)
})
