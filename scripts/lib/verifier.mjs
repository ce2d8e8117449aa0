import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './steps.mjs'

/** The verifier of solvency reports (docs/solvency.md), which the server offers beside the app. */
export const VERIFIER = 'verify-solvency.mjs'

/**
 * Builds the verifier into one file without dependencies in a folder, with its SHA-256 checksum beside it. The same source gives
 * the same bytes.
 * @param {string} folder
 */
export async function buildVerifier(folder) {
  // Loaded here, because this module is loaded before the packages are installed.
  const { build } = await import('esbuild')
  const file = join(folder, VERIFIER)
  await build({
    entryPoints: [join(ROOT, 'packages', 'solvency', 'verifier', 'main.ts')],
    outfile: file,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const sum = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  await writeFile(`${file}.sha256`, `${sum}  ${VERIFIER}\n`)
  return { code: 0, output: `${sum}  ${VERIFIER}\n` }
}
