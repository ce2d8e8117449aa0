import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server program that the product starts: PostgreSQL, Anvil. */
export type ChildServer = {
  pid: number
  /** Resolves with one line about the end of the program. */
  exited: Promise<string>
  /** Interrupts the program, and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export type SpawnOptions = {
  command: string
  args: string[]
  /** The file to which the program's output is appended, also after this process has ended. */
  logFile: string
  cwd?: string
  uid?: number
  gid?: number
}

const POLL_MS = 25
/** The variables of the product's environment, which holds its secrets, that other programs get. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH']

/** Returns the environment for a program that is not the product's own. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]),
  )
}

/**
 * Starts a server program in its own session, so that Ctrl-C reaches only the product, which then stops the programs in
 * the right order. If this process is killed, a watcher interrupts the program.
 */
export function spawnServer(options: SpawnOptions): Promise<ChildServer> {
  const log = openSync(options.logFile, 'a')
  const { command, args, cwd, uid, gid } = options
  const env = plainEnvironment()
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

/** Starts a watcher that interrupts the program when the pipe from this process closes. */
function endWithParent(child: ChildProcess, pid: number): void {
  const watcher = spawn('sh', ['-c', 'cat >/dev/null; kill -INT "$0" 2>/dev/null', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: plainEnvironment(),
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
 * Returns an id of one run of a process, which differs if the system has reused the process number. Undefined
 * if no such process runs.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startTime] = [fields[0], fields[19]]
    return state === 'Z' ? undefined : `${pid}@${startTime}`
  } catch {
    // Without /proc (macOS), the number identifies the process.
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

/** Interrupts a process left by an earlier run, kills it after `graceMs`, and waits until it has ended. */
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

/** Below the ports that systems assign to outgoing connections and to servers that request any port. */
const FIRST_PORT = 20_000
const PORTS = 12_000
const MAX_PORT_ATTEMPTS = 100

/**
 * Returns a free port of 127.0.0.1. Between choosing a port and a program's taking it, the system must not
 * assign it to another, so it is a random one from the ports that systems do not assign.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt < MAX_PORT_ATTEMPTS; attempt++) {
    const port = FIRST_PORT + randomInt(PORTS)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${FIRST_PORT + PORTS}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
