import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** An error outside the program. Its message is one line for the user. */
export class Refusal extends Error {}

/** Runs `work` and prints one line with its duration. A terminal shows the line from the start, unless others are printed meanwhile. */
export async function step(what, work, { isAlone = true } = {}) {
  const begun = performance.now()
  const label = `  ${what.padEnd(14)}`
  if (isAlone && process.stdout.isTTY) process.stdout.write(`${label} ...`)
  const result = await work()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}${label} ${seconds} s\n`)
  return result
}

/**
 * Runs a program to its end and returns its exit code and output. `show` receives the output as it is written.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: (text: string) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd = ROOT, env = process.env, show } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8')
      child[stream].on('data', (text) => {
        output += text
        show?.(text)
      })
    }
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: signal ? 1 : (code ?? 1), output }))
  })
}

/** Returns the path of a file of an installed package. */
export function nodeProgram(path) {
  return join(ROOT, 'node_modules', path)
}
