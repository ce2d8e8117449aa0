import { fstatSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartError } from '../../lib/start-error.ts'

/** Gives the passphrases and PINs of the keys, in the order in which they are requested. */
export interface Secrets {
  /** Throws StartError when there is none. */
  next(what: string): Promise<string>
}

const MAX_BYTES = 4_096

/**
 * Reads the secrets from a file descriptor, one line each, or prompts for them on the terminal. A single line
 * serves all keys. They never come from an argument or from the environment, which other programs of the
 * machine can read.
 */
export function openSecrets(fd: number | undefined): Secrets {
  if (fd === undefined) return { next: askOnTerminal }
  const lines = readLines(fd)
  let index = 0
  return {
    async next(what) {
      const line = lines.length === 1 ? lines[0] : lines[index++]
      if (!line) throw new StartError(`the file descriptor ${fd} (KEY_SECRETS_FD) has no line for ${what}`)
      return line
    },
  }
}

/**
 * Reads a file from its start, so that a process that is restarted with the descriptor finds the same
 * content.
 */
function readLines(fd: number): string[] {
  const content = Buffer.alloc(MAX_BYTES)
  let length = 0
  try {
    const isFile = fstatSync(fd).isFile()
    for (;;) {
      const count = readSync(fd, content, length, content.length - length, isFile ? length : null)
      if (count === 0) break
      length += count
    }
  } catch (cause) {
    throw new StartError(`the file descriptor ${fd} (KEY_SECRETS_FD) cannot be read`, { cause })
  }
  return content
    .toString('utf8', 0, length)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

async function askOnTerminal(what: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new StartError(`${what} is needed: set KEY_SECRETS_FD, or start this on a terminal`)
  process.stderr.write(`${what}: `)
  // Does not echo the typed text.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
