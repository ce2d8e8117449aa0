import { readdir, readFile } from 'node:fs/promises'

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10

/**
 * Returns the processor time of a process and its children in milliseconds, including children that have ended, as
 * Linux counts it. A PostgreSQL server has one process per connection.
 */
export async function cpuOfChildren(pid: number): Promise<number> {
  let ticks = 0
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name of the program, in brackets, may contain spaces.
    const [, parent, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(9, 13).map(Number)
    if (Number(name) === pid) ticks += user! + system! + endedUser! + endedSystem!
    else if (Number(parent) === pid) ticks += user! + system!
  }
  return ticks * MS_PER_TICK
}
