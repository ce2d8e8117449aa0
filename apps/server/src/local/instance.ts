import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContractAddresses } from '../chain/client.ts'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from './atomic-file.ts'
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
    const holder = await holderOf(path)
    if (holder) throw new StartError(refusal(holder))
    await rm(path, { force: true })
    if (await create(path, JSON.stringify(mine))) return mine
  }
}

async function holderOf(path: string): Promise<RunningProduct | undefined> {
  const stored = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Stored,
    () => undefined,
  )
  if (!stored || (await processIdentity(stored.pid)) !== stored.identity) return undefined
  return stored
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(content)
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
