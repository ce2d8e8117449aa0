import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically: after a crash at any moment either the old or the new content is there, and
 * once this resolves it is the new one. Readable only by its owner. Of several calls at once, one wins.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await withTemporaryFile(path, content, (temporary) => rename(temporary, path))
}

/**
 * Creates a file with its whole content, readable only by its owner. Returns false, and changes nothing, if the
 * file exists. Of several calls at once, exactly one returns true.
 */
export async function createFileAtomically(path: string, content: string | Uint8Array): Promise<boolean> {
  try {
    await withTemporaryFile(path, content, (temporary) => link(temporary, path))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Writes a file under a name that no other call uses, and has `place` give it its own. */
async function withTemporaryFile(
  path: string,
  content: string | Uint8Array,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await place(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
  const directory = await open(dirname(path), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
