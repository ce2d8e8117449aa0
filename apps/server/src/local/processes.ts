import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server program that the product runs beside itself: PostgreSQL, Anvil. */
export type ChildServer = {
  pid: number
  /** Resolves with one line that says how the program ended, whoever ended it. */
  exited: Promise<string>
  /** Asks the program to end, and ends it by force when it does not within `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export type SpawnOptions = {
  command: string
  args: string[]
  /** Where the program's output goes, appended; it goes on there when this process is gone. */
  logFile: string
  cwd?: string
  env?: NodeJS.ProcessEnv
  uid?: number
  gid?: number
}

const POLL_MS = 25

/**
 * Starts a server program in a session of its own, so that Ctrl-C reaches only the product, which then stops the
 * program in the right order. Should this process be killed, a watcher asks the program to end.
 */
export function spawnServer(options: SpawnOptions): Promise<ChildServer> {
  const log = openSync(options.logFile, 'a')
  const { command, args, cwd, env, uid, gid } = options
  const child = spawn(command, args, { cwd, env, uid, gid, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
    )
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      const pid = child.pid as number
      endWithParent(child, pid)
      resolve({ pid, exited, stop: (graceMs) => stopChild(child, exited, graceMs) })
    })
  })
}

/** The pipe to the watcher closes when this process ends, however it ends. */
function endWithParent(child: ChildProcess, pid: number): void {
  const watcher = spawn('sh', ['-c', 'cat >/dev/null; kill -INT "$0" 2>/dev/null', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => undefined)
  child.once('exit', () => watcher.kill())
  watcher.unref()
  ;(watcher.stdin as unknown as { unref(): void } | null)?.unref()
}

async function stopChild(child: ChildProcess, exited: Promise<string>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(timer)
}

/**
 * Names one run of a process, so that a number that was given to another program since is not taken for it.
 * Undefined when no such process runs.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTime] = [fields[0], fields[19]]
    return state === 'Z' ? undefined : `${pid}@${startTime}`
  } catch {
    // No /proc (macOS): the number alone has to do.
    return isAlive(pid) ? String(pid) : undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ends a process that an earlier run left: with SIGINT, and by force after `graceMs`. Waits until it is gone. */
export async function stopLeftover(pid: number, graceMs: number): Promise<void> {
  const identity = await processIdentity(pid)
  if (!identity) return
  const deadline = Date.now() + graceMs
  signal(pid, 'SIGINT')
  while ((await processIdentity(pid)) === identity) {
    if (Date.now() > deadline) signal(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A port of 127.0.0.1 that nothing listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
