import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const SCRIPT = 'export {}\n'.repeat(1_000)

/** A folder as the build of the app makes it: the document, and a script with a hashed name, also compressed. */
export async function createTestWebRoot(): Promise<{ webRoot: string; remove(): Promise<void> }> {
  const webRoot = await mkdtemp(join(tmpdir(), 'rif-web-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>RIFund</title>')
  await writeFile(join(webRoot, 'assets/app-1234.js'), SCRIPT)
  await writeFile(join(webRoot, 'assets/app-1234.js.gz'), gzipSync(SCRIPT))
  return { webRoot, remove: () => rm(webRoot, { recursive: true }) }
}
