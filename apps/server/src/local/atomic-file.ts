import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file atomically: after a crash at any moment either the old or the new content is there, and
 * once this resolves it is the new one. Readable only by its owner.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  const directory = await open(dirname(path), 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
