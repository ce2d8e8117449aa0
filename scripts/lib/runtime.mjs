import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './install.mjs'
import { nodeProgram, Refusal, ROOT } from './steps.mjs'

const PARENT_CHECK_MS = 500
/** Set in the environment of a process that ends with its parent. npm sets another variable for its own. */
const WATCHES_PARENT = 'RIF_WATCHES_PARENT'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command of the project: installs the packages, then runs `body` under the Node that they bring. `toDevelop` asks for the
 * packages that only developers need, too. While packages are installed it does `beside`, which needs none of them. A Refusal is
 * printed as one line, any other error with its stack. Both end the process with exit code 1.
 */
export async function main(body, { toDevelop = false, beside } = {}) {
  try {
    requireNode()
    stopWithParent()
    await install({ toDevelop, beside })
    // Node keeps compiled code of the modules there, and starts in two thirds of the time.
    process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node')
    const program = otherNode()
    if (program === undefined) await body()
    else process.exitCode = await restart(program)
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`)
    process.exit(1)
  }
}

/** Throws a Refusal if this Node is too old to install the packages. */
function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Refusal(
    `Node.js 20.19 or later is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

/**
 * Returns the program of the Node that package.json pins, or undefined if this process runs on it. Where npm has no
 * package for the machine, the user's own Node runs the project, if it is of the pinned major version or later.
 */
function otherNode() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const names = new RegExp(`^node-(bin-)?${process.platform}-${process.arch}$`)
  const [name, version] = Object.entries(optionalDependencies).find(([key]) => names.test(key)) ?? []
  if (process.versions.node === version) return undefined
  const program = nodeProgram(`${name}/bin/node`)
  if (process.env[WATCHES_PARENT])
    throw new Refusal(`${program} is not Node.js ${version}: remove node_modules`)
  if (existsSync(program)) return program
  const [wanted] = Object.values(optionalDependencies)
  if (Number.parseInt(process.versions.node, 10) >= Number.parseInt(wanted, 10)) return undefined
  throw new Refusal(
    `npm has no Node.js ${wanted} for ${process.platform}-${process.arch}: install it yourself`,
  )
}

/**
 * Runs this command again under another Node and returns its exit code. The child leads a process group of its own,
 * so that Ctrl-C reaches it and its programs once, through this process.
 */
function restart(program) {
  const env = { ...process.env, [WATCHES_PARENT]: 'true' }
  const child = spawn(program, process.argv.slice(1), { env, detached: true, stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => process.kill(-child.pid, signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/**
 * npm and the shell between it and this process end on a signal, or are killed, without passing it on. This process
 * therefore ends as on SIGTERM when one of them is gone.
 */
function stopWithParent() {
  const { npm_lifecycle_event: byNpm, [WATCHES_PARENT]: byRestart } = process.env
  if (byNpm === undefined && byRestart === undefined) return
  const before = ancestors()
  const watch = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** Returns the ids of the parent and, where the system provides it, of its parent. */
function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(process.ppid)
  }
}
