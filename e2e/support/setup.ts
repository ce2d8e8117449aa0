import { buildChildPrograms } from '../../apps/server/src/testing/child-programs.ts'

/** Before all tests: builds the programs that they start as processes of their own. Answers what removes them. */
export default async function setup(): Promise<() => Promise<void>> {
  const { dir, remove } = await buildChildPrograms()
  process.env.E2E_CHILD_PROGRAMS = dir
  return remove
}
