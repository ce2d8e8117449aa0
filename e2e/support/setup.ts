import { buildChildPrograms } from '../../apps/server/src/testing/child-programs.ts'

/** Builds the programs that tests start as processes. Returns the function that removes them. */
export default async function setup(): Promise<() => Promise<void>> {
  const { dir, remove } = await buildChildPrograms()
  process.env.E2E_CHILD_PROGRAMS = dir
  return remove
}
