import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder with its parents, unless it exists. Unlike mkdir with `recursive`, it returns on a file
 * system that refuses folders with ENOENT, such as /proc. Throws the error of mkdir.
 */
export async function makeDir(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return
  if (dirname(path) !== path) await makeDir(dirname(path), mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw error
  })
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
