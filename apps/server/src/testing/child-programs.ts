import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildPrograms, type Programs } from './programs.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const PRODUCT = 'cli/rif.ts'
const CHILD = /child(\.fixture)?\.ts$/

/**
 * Builds the product's program and the child programs of tests. Tests start about a hundred of them: a built
 * program starts in half a second, one from its sources in three.
 */
export async function buildChildPrograms(): Promise<Programs> {
  const files = await readdir(SOURCES, { recursive: true })
  return buildPrograms(SOURCES, [PRODUCT, ...files.filter((file) => CHILD.test(file))])
}
