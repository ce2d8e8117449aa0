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

/** Locks a data directory for this process. Throws StartError when a running product has it. A killed one has lost it. */
export async function takeDataDir(dataDir: string): Promise<Instance> {
  const path = join(dataDir, FILE)
  const identity = (await processIdentity(process.pid)) as string
  const mine: Stored = { pid: process.pid, identity }
  for (;;) {
    const running = await findRunning(dataDir)
    if (running) {
      throw new StartError(
        `the product is running already with DATA_DIR ${dataDir} (process ${running.pid}${running.address ? `, ${running.address}` : ''})`,
      )
    }
    await rm(path, { force: true })
    if (await create(path, JSON.stringify(mine))) break
  }
  return {
    publish: (parts) => writeFileAtomically(path, JSON.stringify({ ...mine, ...parts })),
    release: () => rm(path, { force: true }),
  }
}

/** Returns the product that runs with this data directory, if any. */
export async function findRunning(dataDir: string): Promise<RunningProduct | undefined> {
  const stored = await readFile(join(dataDir, FILE), 'utf8').then(
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
