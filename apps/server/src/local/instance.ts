import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContractAddresses } from '../chain/client.ts'
import { StartError } from '../lib/start-error.ts'
import { createFileAtomically, writeFileAtomically } from './atomic-file.ts'
import { processIdentity } from './processes.ts'

/** The addresses of a running product, for its other commands and for tests. */
export type RunningProduct = {
  pid: number
  /** The following fields are set once the product is ready. */
  address?: string
  databaseUrl?: string
  rpcUrl?: string
  contracts?: ContractAddresses
}

export type Instance = {
  /** Writes the addresses of the parts. */
  publish(parts: Omit<RunningProduct, 'pid'>): Promise<void>
  release(): Promise<void>
}

type Stored = RunningProduct & { identity: string }

const FILE = 'running.json'

/**
 * Locks a data directory for this process. Throws StartError if a running product holds it. A killed one has
 * released it.
 */
export async function takeDataDir(dataDir: string): Promise<Instance> {
  const path = join(dataDir, FILE)
  const mine = await takeFile(
    path,
    ({ pid, address }) =>
      `the product is running already with DATA_DIR ${dataDir} (process ${pid}${address ? `, ${address}` : ''})`,
  )
  return {
    publish: (parts) => writeFileAtomically(path, JSON.stringify({ ...mine, ...parts })),
    release: () => rm(path, { force: true }),
  }
}

/** Returns the product that runs with this data directory, if any. */
export async function findRunning(dataDir: string): Promise<RunningProduct | undefined> {
  return holderOf(join(dataDir, FILE))
}

/**
 * Creates a file that this process holds until it ends or removes the file. Throws StartError with the text
 * of `refusal` if another running process holds it. A killed one has released it.
 */
export async function takeFile(
  path: string,
  refusal: (holder: RunningProduct) => string,
): Promise<{ pid: number; identity: string }> {
  const identity = (await processIdentity(process.pid)) as string
  const mine = { pid: process.pid, identity }
  for (;;) {
    if (await createFileAtomically(path, JSON.stringify(mine))) return mine
    const content = await readFile(path, 'utf8').catch(() => undefined)
    if (content === undefined) continue
    const holder = await runningHolder(content)
    if (holder) throw new StartError(refusal(holder))
    if (await replaceAbandoned(path, content, JSON.stringify(mine), refusal)) return mine
  }
}

/**
 * Replaces the file of a holder that has ended. Only the process that holds the claim on exactly this content may do so:
 * of several starts at once, a slow one would otherwise replace the file of the one that was first.
 */
async function replaceAbandoned(
  path: string,
  abandoned: string,
  content: string,
  refusal: (holder: RunningProduct) => string,
): Promise<boolean> {
  const claim = `${path}.${createHash('sha256').update(abandoned).digest('hex').slice(0, 16)}`
  await takeFile(claim, refusal)
  try {
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== abandoned) return false
    await writeFileAtomically(path, content)
    return true
  } finally {
    await rm(claim)
  }
}

async function holderOf(path: string): Promise<RunningProduct | undefined> {
  return runningHolder(await readFile(path, 'utf8').catch(() => ''))
}

/** Returns the process that a lock file names, if it is still running. */
async function runningHolder(content: string): Promise<RunningProduct | undefined> {
  const stored = parse(content)
  if (!stored || (await processIdentity(stored.pid)) !== stored.identity) return undefined
  return stored
}

function parse(content: string): Stored | undefined {
  try {
    return JSON.parse(content) as Stored
  } catch {
    return undefined
  }
}
