import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Describes whether a history of the demonstration can be made in a data directory. */
export type HistoryState = 'new' | 'unfinished' | 'other'

/** The mark of a history that is being made: a run that finds it starts over. */
const markOf = (dataDir: string) => join(dataDir, 'history-unfinished')
/** Parts of a data directory that is in use. */
const PARTS = ['chain', 'postgres-password']

/** Reads how far the history in a data directory is: `other` is a directory with a finished history or without one. */
export async function historyState(dataDir: string): Promise<HistoryState> {
  if (await exists(markOf(dataDir))) return 'unfinished'
  const partsExist = await Promise.all(PARTS.map((part) => exists(join(dataDir, part))))
  return partsExist.includes(true) ? 'other' : 'new'
}

/** Marks the history of a data directory as unfinished, and removes the log of what an earlier run signed. */
export async function beginHistory(dataDir: string): Promise<void> {
  await writeFile(markOf(dataDir), '', { mode: 0o600 })
  await removeDecisions(dataDir)
}

/** Removes the mark. Call it when all of the history is on the disk. */
export async function endHistory(dataDir: string): Promise<void> {
  await rm(markOf(dataDir), { force: true })
}

/** The log belongs to a chain that is removed with it. */
async function removeDecisions(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'signer')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
