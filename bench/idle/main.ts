import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Process, processesUnder } from '../kit/processes.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'

const MAX_MB = 350
const MAX_SHARE = 1
const PORT = 19_080
const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))
const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url))
const START_TIMEOUT_MS = 300_000
/** The time after which the start is over: the chain, the demonstration and the first runs of the standing work. */
const settleSeconds = Number(process.env.BENCH_SETTLE_SECONDS ?? 60)
const seconds = Number(process.env.BENCH_SECONDS ?? 60)

// `npm run bench -- idle`: what the product needs while nobody uses it, with its database, chain and signer: all processes that `npm start`
// starts, without npm itself.
await runBenchmark('Idle', async () => {
  // Apart, because what has built the product keeps the memory for that.
  await promisify(execFile)(process.execPath, [BUILD])
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const product = spawn(process.execPath, [START], {
    env: { ...process.env, PORT: `${PORT}`, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await isReady(product)
    await sleep(settleSeconds * 1_000)
    return await measure(product.pid!)
  } finally {
    const ended = new Promise((resolve) => product.once('exit', resolve))
    if (product.kill('SIGTERM')) await ended
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function isReady(product: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (product.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(`http://localhost:${PORT}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(200)
  }
  throw new Error('the product does not start')
}

async function measure(pid: number): Promise<Floor[]> {
  const before = new Map((await processesUnder(pid)).map((process) => [process.pid, process.cpuMs]))
  const begun = performance.now()
  await sleep(seconds * 1_000)
  const elapsedMs = performance.now() - begun
  const processes = (await processesUnder(pid)).map((process) => ({
    ...process,
    sharePercent: (100 * (process.cpuMs - (before.get(process.pid) ?? 0))) / elapsedMs,
  }))
  const rows = [...new Set(processes.map(({ name }) => name))]
    .map((name) => {
      const same = processes.filter((process) => process.name === name)
      return { name, count: same.length, mb: memoryOf(same), share: shareOf(same) }
    })
    .toSorted((item, other) => other.mb - item.mb)
    .map(({ name, count, mb, share }) => [name, count, mb.toFixed(0), share.toFixed(2)])
  const [mb, share] = [memoryOf(processes), shareOf(processes)]
  const all = ['together', processes.length, mb.toFixed(0), share.toFixed(2)]
  const limits = ['at most', '', `${MAX_MB}`, `${MAX_SHARE}`]
  const head = ['processes', 'number', 'PSS, MB', `% of a core over ${seconds} s`]
  console.log(`${markdownTable(head, [...rows, all, limits])}\n`)
  return [
    { name: 'memory of all processes (PSS), MB', value: mb, atMost: MAX_MB },
    { name: 'processor, % of a core', value: share, atMost: MAX_SHARE },
  ]
}

function memoryOf(processes: readonly Process[]): number {
  return processes.reduce((sum, { pssMb }) => sum + pssMb, 0)
}

function shareOf(processes: readonly { readonly sharePercent: number }[]): number {
  return processes.reduce((sum, { sharePercent }) => sum + sharePercent, 0)
}
