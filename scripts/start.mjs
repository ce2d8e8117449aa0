// `npm start`: builds what has changed, then runs the whole product in this process, so that signals reach it.
// `npm run dev` (--dev): runs it from the sources, and restarts the server and reloads the app when they change.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { nodeProgram, ROOT } from './lib/steps.mjs'

await main(() => (process.argv.includes('--dev') ? develop() : start()))

async function start() {
  await prepare()
  const program = join(ROOT, 'apps', 'server', 'dist', 'cli', 'rif.js')
  process.argv = [process.execPath, program, 'start']
  await import(program)
}

async function develop() {
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

/** Starts a program in a process group of its own, so that Ctrl-C reaches it once, through this process. */
function runPart(args, cwd, settings) {
  const env = { ...process.env, ...settings }
  return spawn(process.execPath, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
}
