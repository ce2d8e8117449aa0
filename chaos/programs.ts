import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, createWriteStream, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The commands that run in processes of their own. */
export const KINDS = ['serve', 'worker', 'index', 'sign'] as const
export type Kind = (typeof KINDS)[number]

export interface Programs {
  /** Starts every process, each again half a second after it ends, as a service manager does. */
  start(): void
  signal(kind: Kind, signal: NodeJS.Signals): void
  /** Ends a process, which starts again with other settings, or with its own. */
  restart(kind: Kind, changes?: Readonly<Record<string, string>>): void
  /** Shifts the clock of every process, or of one kind. */
  shiftClock(ms: number, kind?: Kind): Promise<void>
  /** Runs a command to its end, and returns its exit code and output. */
  run(command: string): Promise<{ code: number | null; output: string }>
  /** Returns the lines that a process has logged since the rehearsal began. */
  logOf(kind: Kind): Promise<string[]>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../apps/server/src/cli/rif.ts', import.meta.url))
const CLOCK = new URL('./clock-shift.mjs', import.meta.url).href
const RESTART_AFTER_MS = 500
const CLOCK_READ_MS = 300

/**
 * Runs the product's commands with the given settings, and writes their output to files in `dir`. The signer reads the passphrase
 * of its keys from a file descriptor.
 */
export function createPrograms(
  dir: string,
  settingsOf: (kind: string) => Readonly<Record<string, string>>,
  passphraseFile: string,
) {
  const running = new Map<Kind, ChildProcess>()
  const changed = new Map<string, Readonly<Record<string, string>>>()
  let isStopping = false
  const logFile = (kind: Kind) => join(dir, `${kind}.log`)
  const clockFile = (kind: string) => join(dir, `${kind}.clock`)

  function launch(command: string): ChildProcess {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
    const env = {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      CLOCK_SHIFT_FILE: clockFile(command),
      ...settingsOf(command),
      ...changed.get(command),
    }
    const passphrase = openSync(passphraseFile, 'r')
    const child = spawn(process.execPath, ['--import', CLOCK, PROGRAM, command], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', command === 'sign' ? passphrase : 'ignore'],
    })
    closeSync(passphrase)
    return child
  }

  function keep(kind: Kind): void {
    const child = launch(kind)
    running.set(kind, child)
    const log = createWriteStream(logFile(kind), { flags: 'a' })
    child.stdout!.pipe(log, { end: false })
    child.stderr!.pipe(log, { end: false })
    child.once('close', async () => {
      log.end()
      running.delete(kind)
      await sleep(RESTART_AFTER_MS)
      if (!isStopping) keep(kind)
    })
  }

  return {
    start() {
      for (const kind of KINDS) keep(kind)
    },
    signal(kind, signal) {
      running.get(kind)?.kill(signal)
    },
    restart(kind, changes = {}) {
      changed.set(kind, changes)
      running.get(kind)?.kill('SIGTERM')
    },
    async shiftClock(ms, kind) {
      for (const each of kind === undefined ? KINDS : [kind]) await writeFile(clockFile(each), String(ms))
      await sleep(CLOCK_READ_MS)
    },
    async run(command) {
      const child = launch(command)
      let output = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      return { code, output }
    },
    async logOf(kind) {
      return (await readFile(logFile(kind), 'utf8')).split('\n')
    },
    async stop() {
      isStopping = true
      const children = [...running.values()]
      await Promise.all(
        children.map(async (child) => {
          const ended = new Promise((resolve) => child.once('close', resolve))
          child.kill('SIGCONT')
          child.kill('SIGTERM')
          const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
          await ended
          clearTimeout(timer)
        }),
      )
    },
  } satisfies Programs
}
