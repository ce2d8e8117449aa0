// `npm start`: builds what has changed, then runs the whole product in this process, so that signals reach it.
// `npm run dev` (--dev): runs it from the sources, and restarts the server and reloads the app when they change.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { nodeProgram, ROOT } from './lib/steps.mjs'

const WATCHED = [
  'apps/server/src',
  'apps/server/schema',
  'contracts/generated',
  'packages/rules/src',
  'packages/api-schema/src',
]
/** An editor writes a file in several steps. */
const SETTLE_MS = 50

await main(() => (process.argv.includes('--dev') ? develop() : start()))

async function start() {
  // Developers and tests start often, so they use the short demonstration.
  process.env.DEMO_DAYS ??= '90'
  const program = join(ROOT, 'apps', 'server', 'src', 'cli', 'rif.ts')
  await prepare(() => makeHistory(program))
  process.argv = [process.execPath, program, 'start']
  await import(program)
}

/** Generates the history of the demonstration, if there is none, in a process that ends with this one. Ends this one if it fails. */
async function makeHistory(program) {
  const child = spawn(process.execPath, [program, 'history'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const code = await endOf(child)
  if (code !== 0) process.exit(code ?? 1)
}

async function develop() {
  const port = Number(process.env.PORT || 8080)
  const settings = {
    PORT: String(port + 1),
    PUBLIC_URL: `http://localhost:${port}`,
  }
  const server = await watchServer(settings)
  const app = runPart(
    [nodeProgram('vite/bin/vite.js'), '--port', String(port), '--strictPort', '--host', 'localhost'],
    join(ROOT, 'apps', 'web'),
    { API_ORIGIN: `http://localhost:${settings.PORT}` },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => app.kill('SIGTERM'))
  process.exitCode = (await endOf(app)) ?? 0
  await server.stop()
}

/** Bundles the server from its sources and runs it. Bundles and starts it again when they change. */
async function watchServer(settings) {
  const { buildPrograms } = await import('../apps/server/src/testing/programs.ts')
  const programs = await buildPrograms(join(ROOT, 'apps', 'server', 'src'), ['cli/rif.ts'], {
    packagesOnce: true,
  })
  const start = () => runPart([join(programs.dir, 'cli', 'rif.mjs'), 'start'], ROOT, settings)
  const stop = async (child) => {
    const ended = endOf(child)
    child.kill('SIGTERM')
    await ended
  }
  let child = start()
  let restarting = Promise.resolve()
  let timer
  const restart = async () => {
    // esbuild prints the errors of the sources; the last working server keeps running.
    const isBuilt = await programs.rebuild().then(
      () => true,
      () => false,
    )
    if (!isBuilt) return
    await stop(child)
    child = start()
  }
  const watchers = WATCHED.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        restarting = restarting.then(restart)
      }, SETTLE_MS)
    }),
  )
  return {
    async stop() {
      for (const watcher of watchers) watcher.close()
      clearTimeout(timer)
      await restarting
      await stop(child)
      await programs.remove()
    },
  }
}

/** Resolves with the exit code of a child process, including one that has ended already. */
function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', resolve))
}

/** Starts a program in a process group of its own, so that Ctrl-C reaches it once, through this process. */
function runPart(args, cwd, settings) {
  const env = { ...process.env, ...settings }
  return spawn(process.execPath, args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
}
