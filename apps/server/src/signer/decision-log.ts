import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from '../local/atomic-file.ts'

const digits = z.string().regex(/^\d+$/)
const time = z.iso.datetime()

/** A signature that was given, or is about to be. Amounts are micro-units; a quote counts as 1. */
const signedEntry = z.strictObject({
  ...{ at: time, decision: z.literal('sign'), what: z.enum(['USDT', 'AMC', 'quotes']) },
  ...{ member: digits, subject: z.string(), amount: digits, digest: z.string(), terms: z.string() },
})
const refusedEntry = z.strictObject({
  ...{ at: time, decision: z.literal('refuse'), member: digits, subject: z.string(), reason: z.string() },
  /** Refusals since the last entry that were not written, because there were too many. */
  unwritten: z.number().int().optional(),
})
const startEntry = z.strictObject({
  ...{ at: time, decision: z.literal('start'), claimSigner: z.string(), quoteSigner: z.string() },
})
const entrySchema = z.discriminatedUnion('decision', [signedEntry, refusedEntry, startEntry])

export type LogEntry = z.output<typeof entrySchema>
export type SignedEntry = z.output<typeof signedEntry>

/** The file of all decisions. */
export interface DecisionLog {
  /** Writes one entry to the disk. When this throws, the entry does not count, and a later call tries again. */
  append(entry: LogEntry): Promise<void>
  /** The time of the last entry, in Unix milliseconds; 0 in an empty file. */
  lastAtMs(): number
  close(): Promise<void>
}

interface Position {
  readonly number: number
  readonly hash: string
}

const START: Position = { number: 0, hash: '0'.repeat(64) }
const headSchema = z.strictObject({ number: z.number().int().nonnegative(), hash: z.string().length(64) })

/**
 * Opens the file of all decisions, one JSON line each, and passes the entries in it to `onEntry`. Each line has its number and
 * the SHA-256 of the line before it, and a second file names the last line, so that a line that was changed, removed or
 * inserted is found here. A last line without its end is what a kill left of an entry that nobody has had an answer for,
 * and is cut off. Throws StartError.
 */
export async function openDecisionLog(
  path: string,
  onEntry: (entry: LogEntry) => void,
): Promise<DecisionLog> {
  const headPath = `${path}.head`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`the signer's log ${path} cannot be opened: ${error.code}`)
  })
  try {
    const head = await readHead(headPath)
    let { position, bytes, lastAtMs } = await readEntries(path, head, onEntry)
    const { size } = await file.stat()
    if (size > bytes) await file.truncate(bytes)
    await file.sync()
    let isClean = true

    return {
      async append(entry) {
        if (!isClean) await file.truncate(bytes)
        isClean = false
        const number = position.number + 1
        const line = JSON.stringify({ number, ...entry, before: position.hash })
        const content = Buffer.from(`${line}\n`)
        await writeAll(file, content)
        await file.datasync()
        const next = { number, hash: hashOf(line) }
        await writeFileAtomically(headPath, JSON.stringify(next))
        position = next
        bytes += content.length
        lastAtMs = Date.parse(entry.at)
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

async function readHead(path: string): Promise<Position> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read: ${error.code}`)
  })
  if (text === undefined) return START
  try {
    return headSchema.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${path} is damaged: restore it together with the log beside it`)
  }
}

/** Reads every whole line. Throws StartError unless they are an unbroken chain that contains the head. */
async function readEntries(path: string, head: Position, onEntry: (entry: LogEntry) => void) {
  let position = START
  let bytes = 0
  let lastAtMs = 0
  let hasHead = head.number === 0
  const broken = (what: string) =>
    new StartError(`the signer's log ${path} ${what}: restore it from its copy`)
  for await (const line of wholeLines(path)) {
    const number = position.number + 1
    const entry = parseLine(line, { number, before: position.hash })
    if (entry === undefined) throw broken(`was changed at line ${number}`)
    position = { number, hash: hashOf(line) }
    bytes += Buffer.byteLength(line) + 1
    lastAtMs = Math.max(lastAtMs, Date.parse(entry.at))
    if (number === head.number) {
      if (position.hash !== head.hash) throw broken(`was changed at line ${number}`)
      hasHead = true
    }
    onEntry(entry)
  }
  if (!hasHead) throw broken(`ends at line ${position.number}, before line ${head.number} that was written`)
  if (position.number > head.number + 1) throw broken('has lines that were not written by the signer')
  return { position, bytes, lastAtMs }
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
