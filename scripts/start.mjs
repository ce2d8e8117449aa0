// `npm start`: installs and builds what is missing, then runs the whole product in this process, so that signals
// reach it. `npm run dev` (--dev): the same from the sources, restarted and reloaded when they change.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, prepare } from './lib/prepare.mjs'
import { main, nodeProgram, ROOT, requireNode } from './lib/steps.mjs'

const PARENT_CHECK_MS = 500

await main(() => (process.argv.includes('--dev') ? develop() : start()))

async function start() {
  stopWithNpm()
  await prepare()
  const program = join(ROOT, 'apps', 'server', 'dist', 'cli', 'rif.js')
  process.argv = [process.execPath, program, 'start']
  await import(program)
}

/**
 * npm and the shell between it and this process end on a signal, or are killed, without passing it on. When either
 * is gone, that is taken for SIGTERM, so that nothing goes on running unseen.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const before = ancestors()
  const watch = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** The parent and, where the system tells, its parent. */
function ancestors() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(process.ppid)
  }
}

async function develop() {
  stopWithNpm()
  requireNode()
  await install()
  const port = Number(process.env.PORT || 8080)
  const address = `http://localhost:${port}`
  const api = { PORT: String(port + 1), PUBLIC_URL: address }
  const watch = ['watch', '--clear-screen=false', '--conditions=source']
  const parts = [
    runPart([nodeProgram('tsx/dist/cli.mjs'), ...watch, 'apps/server/src/cli/rif.ts', 'start'], ROOT, api),
    runPart(
      [nodeProgram('vite/bin/vite.js'), '--port', String(port), '--strictPort', '--host', 'localhost'],
      join(ROOT, 'apps', 'web'),
      { API_ORIGIN: `http://localhost:${port + 1}` },
    ),
  ]
  const stopAll = () => {
    for (const part of parts) if (!part.killed) part.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stopAll)
  const ended = parts.map((part) => new Promise((resolve) => part.once('exit', (code) => resolve(code ?? 0))))
  process.exitCode = await Promise.race(ended)
  stopAll()
  await Promise.all(ended)
}

/** In a session of its own: Ctrl-C reaches it once, through this process. */
function runPart(args, cwd, settings) {
  const env = { ...process.env, ...settings }
  return spawn(process.execPath, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
}
