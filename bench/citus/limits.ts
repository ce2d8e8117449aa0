import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROOT = '/sys/fs/cgroup'
/** Short, so that a server that has used its share goes on soon. */
const PERIOD_US = 20_000
const REMOVE_ATTEMPTS = 20
const REMOVE_PAUSE_MS = 100

/** Where Linux lists its control groups, and how a limit of processor time is written: in version 1 or 2 of their interface. */
interface Interface {
  readonly root: string
  limit(group: string, share: number): Promise<void>
}

async function findInterface(): Promise<Interface> {
  const controllers = await readFile(join(ROOT, 'cgroup.controllers'), 'utf8').catch(() => undefined)
  if (controllers?.split(/\s/).includes('cpu')) {
    await writeFile(join(ROOT, 'cgroup.subtree_control'), '+cpu')
    return {
      root: ROOT,
      limit: (group, share) =>
        writeFile(join(group, 'cpu.max'), `${Math.round(share * PERIOD_US)} ${PERIOD_US}`),
    }
  }
  return {
    root: join(ROOT, 'cpu'),
    async limit(group, share) {
      await writeFile(join(group, 'cpu.cfs_period_us'), `${PERIOD_US}`)
      await writeFile(join(group, 'cpu.cfs_quota_us'), `${Math.round(share * PERIOD_US)}`)
    },
  }
}

/**
 * Limits a PostgreSQL server of this machine, with all its present and later processes, to a share of one core. Returns the function
 * that ends the limit. Throws when this process may not make a control group (docs/benchmarks.md, "Cluster").
 */
export async function limitServer(postmaster: number, share: number): Promise<() => Promise<void>> {
  try {
    const { root, limit } = await findInterface()
    const group = join(root, `rif-bench-${postmaster}`)
    await mkdir(group)
    await limit(group, share)
    for (const pid of [postmaster, ...(await childrenOf(postmaster))]) await move(pid, group)
    return async () => {
      for (const pid of await processesIn(group)) await move(pid, root)
      await removeEmpty(group)
    }
  } catch (error) {
    throw new Error(
      `the servers cannot be limited: ${(error as Error).message}; see "Cluster" in docs/benchmarks.md for another way`,
    )
  }
}

/** Moves a process to a group, unless it has ended. */
const move = (pid: number, group: string) =>
  writeFile(join(group, 'cgroup.procs'), `${pid}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ESRCH') throw error
  })

async function processesIn(group: string): Promise<number[]> {
  const pids = await readFile(join(group, 'cgroup.procs'), 'utf8')
  return pids.split('\n').filter(Boolean).map(Number)
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.map(Number).filter((_, index) => parents[index] === parent)
}

/** A process that ends is in its group for some milliseconds more. */
async function removeEmpty(group: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rmdir(group)
    } catch (error) {
      if (attempt === REMOVE_ATTEMPTS) throw error
      await sleep(REMOVE_PAUSE_MS)
    }
  }
}
