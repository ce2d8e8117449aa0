import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildPrograms, type Programs } from './programs.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const PRODUCT = 'cli/rif.ts'
const CHILD = /child(\.fixture)?\.ts$/

/**
 * Builds the product's program, and the children that tests start and kill. Tests start a hundred of them: built once
 * a start takes half a second, from the sources it takes three.
 */
export async function buildChildPrograms(): Promise<Programs> {
  const files = await readdir(SOURCES, { recursive: true })
  return buildPrograms(SOURCES, [PRODUCT, ...files.filter((file) => CHILD.test(file))])
}
