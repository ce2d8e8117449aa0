import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

/** Returns the path of a program that was built for this run of the tests. */
export function childProgram(source: URL): string {
  const file = relative(SOURCES, fileURLToPath(source))
  return join(inject('childPrograms'), file.replace(/\.ts$/, '.mjs'))
}
