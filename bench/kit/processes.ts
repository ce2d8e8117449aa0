import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'

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

/** A process at a moment. */
export interface Process {
  readonly pid: number
  readonly name: string
  /** The processor time since its start, in milliseconds. */
  readonly cpuMs: number
  /** The memory that it would free by ending: its own, and its share of what it has in common with others. */
  readonly pssMb: number
}

/** Returns the program, and for Node the script, without their folders. PostgreSQL's processes describe what they do after a colon. */
function nameOf(command: string): string {
  const [program = '', ...args] = command.split('\0')
  const script = args.find((arg) => /\.m?js$/.test(arg))
  return basename(script ?? program.split(/[: ]/)[0]!)
}

/** Returns a process and all that descend from it, as Linux lists them. A process that ends meanwhile is left out. */
export async function processesUnder(pid: number): Promise<Process[]> {
  const parents = new Map<number, number>()
  const byPid = new Map<number, Omit<Process, 'pssMb'>>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    if (stat === '') continue
    const end = stat.lastIndexOf(')')
    const [, parent, ...fields] = stat.slice(end + 2).split(' ')
    const [user, system] = fields.slice(9, 11).map(Number)
    const name = nameOf(await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => ''))
    parents.set(Number(entry), Number(parent))
    byPid.set(Number(entry), { pid: Number(entry), name, cpuMs: (user! + system!) * MS_PER_TICK })
  }
  const isUnder = (processId: number | undefined): boolean =>
    processId === pid || (processId !== undefined && isUnder(parents.get(processId)))
  const processes: Process[] = []
  for (const process of byPid.values()) {
    if (!isUnder(process.pid)) continue
    const memory = await readFile(`/proc/${process.pid}/smaps_rollup`, 'utf8').catch(() => '')
    const kb = /^Pss:\s+(\d+)/m.exec(memory)?.[1]
    if (kb !== undefined) processes.push({ ...process, pssMb: Number(kb) / 1_024 })
  }
  return processes
}
