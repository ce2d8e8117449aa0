import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from '../local/atomic-file.ts'

const digits = z.string().regex(/^\d+$/)
const time = z.iso.datetime()

/** A signature that was given, or is about to be. Amounts are micro-units; a quote counts as 1. */
const signedEntry = z.strictObject({
  at: time,
  decision: z.literal('sign'),
  what: z.enum(['USDT', 'AMC', 'quotes']),
  member: digits,
  subject: z.string(),
  amount: digits,
  digest: z.string(),
  terms: z.string(),
  /** The bank that it was signed for, and the deadline. */
  bank: z.string(),
  until: time,
  /** Of a voucher: its USDT worth in micro-units, and whether the member signed the withdrawal. */
  worth: digits.optional(),
  consented: z.boolean().optional(),
})
/** The log lacks vouchers that were signed, so until a time every member counts as at the bounds. */
const gapEntry = z.strictObject({
  at: time,
  decision: z.literal('gap'),
  until: time,
  cause: z.string(),
  /** The claims up to this block are taken into account. */
  block: digits,
})
const refusedEntry = z.strictObject({
  at: time,
  decision: z.literal('refuse'),
  member: digits,
  subject: z.string(),
  reason: z.string(),
  /** The number of refusals since the last entry that were not written, because there were too many. */
  unwritten: z.number().int().optional(),
})
/** A transaction that publishes a solvency report was signed, or is about to be. */
const publishedEntry = z.strictObject({
  at: time,
  decision: z.literal('publish'),
  subject: z.string(),
  root: z.string(),
  bank: z.string(),
  nonce: digits,
  digest: z.string(),
})
const startEntry = z.strictObject({
  at: time,
  decision: z.literal('start'),
  claimSigner: z.string(),
  quoteSigner: z.string(),
})
const entrySchema = z.discriminatedUnion('decision', [
  signedEntry,
  publishedEntry,
  refusedEntry,
  startEntry,
  gapEntry,
])

export type LogEntry = z.output<typeof entrySchema>
export type SignedEntry = z.output<typeof signedEntry>
export type PublishedEntry = z.output<typeof publishedEntry>
export type GapEntry = z.output<typeof gapEntry>

/** The log of all decisions. */
export interface DecisionLog {
  /**
   * Writes one entry to the disk. When this throws, the entry does not count, and a later call tries again.
   */
  append(entry: LogEntry): Promise<void>
  /** The time of the last entry, in Unix milliseconds; 0 in an empty log. */
  lastAtMs(): number
  close(): Promise<void>
}

/** A position in the chain: the number of a line and its SHA-256 hash. */
interface Position {
  readonly number: number
  readonly hash: string
}

const START: Position = { number: 0, hash: '0'.repeat(64) }
const DAY_MS = 86_400_000
/** A file is rotated at this size. */
const MAX_FILE_BYTES = 16 * 2 ** 20

const headSchema = z.strictObject({
  number: z.number().int().nonnegative(),
  hash: z.string().length(64),
  /** The number of the first line of the current file. */
  first: z.number().int().positive(),
})
type Head = z.output<typeof headSchema>
const NO_HEAD: Head = { ...START, first: 1 }

/**
 * Opens the log of all decisions, one JSON line each, and passes the entries that a limit may still count to
 * `onEntry`. Each line has its number and the SHA-256 of the line before it, and a second file (`.head`) names the
 * last line, so that a changed, removed or inserted line is detected here. An incomplete last line results from a
 * kill before the entry was answered, and is cut off.
 *
 * At the first entry of a UTC day, and at a size limit, the file is rotated: it is renamed with the number of its
 * last line, and the chain continues in a new file. Rotated files are read back for a day and are never written
 * again. The folder of `path` exists. Throws StartError.
 */
export async function openDecisionLog(
  path: string,
  onEntry: (entry: LogEntry) => void,
  maxFileBytes = MAX_FILE_BYTES,
): Promise<DecisionLog> {
  const headPath = `${path}.head`
  const openFile = () =>
    open(path, 'a', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`the signer's log ${path} cannot be opened: ${error.code} (SIGNER_LOG)`)
    })
  let file = await openFile()
  try {
    let { position, bytes, lastAtMs, first } = await readLog(path, await readHead(headPath), onEntry)
    const { size } = await file.stat()
    if (size > bytes) await file.truncate(bytes)
    await file.sync()
    let isClean = true

    /** Rotates the file. A kill in between leaves an empty file, which has the same effect. */
    async function setAside(): Promise<void> {
      await rename(path, archivePath(path, position.number))
      const old = file
      file = await openFile()
      await old.close()
      await syncFolder(dirname(path))
      ;[bytes, first] = [0, position.number + 1]
    }

    return {
      async append(entry) {
        if (!isClean) await file.truncate(bytes)
        isClean = true
        const at = Date.parse(entry.at)
        const isOtherDay = Math.floor(at / DAY_MS) !== Math.floor(lastAtMs / DAY_MS)
        if (bytes > 0 && (isOtherDay || bytes >= maxFileBytes)) await setAside()
        isClean = false
        const number = position.number + 1
        const line = JSON.stringify({ number, ...entry, before: position.hash })
        const content = Buffer.from(`${line}\n`)
        await writeAll(file, content)
        await file.datasync()
        const next = { number, hash: hashOf(line) }
        await writeFileAtomically(headPath, JSON.stringify({ ...next, first }))
        position = next
        bytes += content.length
        lastAtMs = at
        isClean = true
      },
      lastAtMs: () => lastAtMs,
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeAll(file: FileHandle, content: Buffer): Promise<void> {
  let written = 0
  while (written < content.length) {
    const { bytesWritten } = await file.write(content, written)
    written += bytesWritten
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function readHead(path: string): Promise<Head> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read: ${error.code}`)
  })
  if (text === undefined) return NO_HEAD
  try {
    return headSchema.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${path} is damaged: restore it together with the log beside it`)
  }
}

/** Returns the path of a rotated file, by the number of its last line. */
const archivePath = (path: string, last: number) => `${path}.${String(last).padStart(12, '0')}`

/**
 * Returns the rotated files that are needed, oldest first: back to a file that begins a day before the
 * current one, or as far as they exist without a gap.
 */
async function archivesOf(path: string): Promise<string[]> {
  const start = `${basename(path)}.`
  const isArchive = (name: string) => name.startsWith(start) && /^\d{12,}$/.test(name.slice(start.length))
  const names = (await readdir(dirname(path))).filter(isArchive).sort()
  const files: string[] = []
  let begin = await firstOf(path)
  const needed = () => begin === undefined || begin.number > 1
  for (let until = begin?.atMs; names.length > 0 && needed(); ) {
    const file = join(dirname(path), names.pop() as string)
    if (begin !== undefined && file !== archivePath(path, begin.number - 1)) continue
    files.unshift(file)
    begin = (await firstOf(file)) ?? begin
    until ??= begin?.atMs
    if (begin !== undefined && until !== undefined && begin.atMs <= until - DAY_MS) break
  }
  return files
}

/** Returns the number and the time of the first line of a file; undefined for an empty one. */
async function firstOf(path: string): Promise<{ number: number; atMs: number } | undefined> {
  for await (const line of wholeLines(path)) {
    const { number, at } = startOf(line)
    return { number, atMs: Date.parse(at) }
  }
  return undefined
}

const startSchema = z.object({ number: z.number().int().positive(), at: time, before: z.string() })

function startOf(line: string): z.output<typeof startSchema> {
  try {
    return startSchema.parse(JSON.parse(line))
  } catch {
    throw new StartError("the signer's log has a damaged first line: restore it from its copy")
  }
}

/**
 * Reads every complete line of the files. Throws StartError unless they are an unbroken chain that contains
 * the head.
 */
async function readLog(path: string, head: Head, onEntry: (entry: LogEntry) => void) {
  const broken = (what: string) =>
    new StartError(`the signer's log ${path} ${what}: restore it from its copy`)
  let position = START
  let lastAtMs = 0
  let begin: { number: number; atMs: number } | undefined
  let hasHead = head.number === 0
  let [bytes, first] = [0, 0]
  for (const file of [...(await archivesOf(path)), path]) {
    const isCurrent = file === path
    for await (const line of wholeLines(file)) {
      if (begin === undefined) {
        const { number, at, before } = startOf(line)
        begin = { number, atMs: Date.parse(at) }
        if (number > 1) position = { number: number - 1, hash: before }
      }
      const number = position.number + 1
      const entry = parseLine(line, { number, before: position.hash })
      if (entry === undefined) throw broken(`was changed at line ${number}`)
      position = { number, hash: hashOf(line) }
      if (isCurrent) {
        bytes += Buffer.byteLength(line) + 1
        if (first === 0) first = number
      }
      lastAtMs = Math.max(lastAtMs, Date.parse(entry.at))
      if (number === head.number) {
        if (position.hash !== head.hash) throw broken(`was changed at line ${number}`)
        hasHead = true
      }
      onEntry(entry)
    }
  }
  if (!hasHead) throw broken(`ends at line ${position.number}, before line ${head.number} that was written`)
  if (position.number > head.number + 1) throw broken('has lines that were not written by the signer')
  const isFirst = first === 0 || first === head.first || first === head.number + 1
  const isWhole = begin === undefined || begin.number === 1 || begin.atMs <= lastAtMs - DAY_MS
  if (!isFirst || !isWhole) throw broken(`lacks the lines before line ${isWhole ? first : begin?.number}`)
  return { position, bytes, lastAtMs, first: first || position.number + 1 }
}

/** Returns the lines of a file that end with a line feed. */
async function* wholeLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() as string
    yield* lines
  }
}

function parseLine(line: string, expected: { number: number; before: string }): LogEntry | undefined {
  try {
    const { number, before, ...entry } = JSON.parse(line) as { number: number; before: string }
    if (number !== expected.number || before !== expected.before) return undefined
    return entrySchema.parse(entry)
  } catch {
    return undefined
  }
}

function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex')
}
