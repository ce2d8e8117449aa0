import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Something outside the program is wrong; the message is one line for whoever started it. */
export class Refusal extends Error {}

/** Refuses a Node that is too old, before anything is tried with it. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Refusal(
    `Node.js 20.19 or later is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

/** Does a piece of work and prints one line with the time it took; on a terminal the line is there from the start. */
export async function step(what, work) {
  const begun = performance.now()
  const label = `  ${what.padEnd(14)}`
  if (process.stdout.isTTY) process.stdout.write(`${label} ...`)
  const result = await work()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}${label} ${seconds} s\n`)
  return result
}

/**
 * Runs a program to its end and returns its exit code and output. With `show`, it is told the output as it comes, too.
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

/** The path of a program of an installed package, to be run by Node itself. */
export function nodeProgram(path) {
  return join(ROOT, 'node_modules', path)
}

/** Runs the body of a command: a refusal is one line, and a defect shows where it is. Both end with exit code 1. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`)
    process.exit(1)
  }
}
