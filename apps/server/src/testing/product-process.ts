import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../local/processes.ts'
import { childProgram } from './child-program.ts'

export type ProductProcess = {
  child: ChildProcess
  address: string
  /** Returns the output so far, of both streams. */
  output(): string
  /** Returns standard error without the log. */
  errors(): string
  /** Resolves when the process responds; rejects with its output when it ended instead. */
  ready(): Promise<void>
  /** Resolves with the exit code, null after a signal. */
  ended: Promise<number | null>
}

const PROGRAM = new URL('../cli/rif.ts', import.meta.url)
const POLL_MS = 50

/** Runs `rif <command> <args>` in a separate process, with only the given settings. */
export async function runProductProcess(
  command: string,
  settings: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  /** The lines that the process reads from file descriptor 3. */
  secrets: readonly string[] = [],
): Promise<ProductProcess> {
  const port = settings.PORT ?? String(await freePort())
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [childProgram(PROGRAM), command, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: port, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<null, Readable, Readable>
  ;(child.stdio[3] as Writable).on('error', () => undefined).end(secrets.join('\n'))
  let text = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const address = `http://localhost:${port}`

  async function ready(): Promise<void> {
    let over = false
    void ended.then(() => {
      over = true
    })
    while (!over) {
      const answer = await fetch(`${address}/ready`).catch(() => undefined)
      if (answer?.ok) return
      await sleep(POLL_MS)
    }
    throw new Error(`rif ${command} ended: ${text}`)
  }
  return { child, address, output: () => text, errors: () => errors, ready, ended }
}
