import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { buildPrograms } from '../../apps/server/src/testing/programs.ts'
import { type Caller, growTree, openSessions } from '../api/members.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { openClients } from './clients.ts'
import { commitsPerSecond, WAYS, type Way } from './notify.ts'
import type { Answer, Order } from './server.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const streams = Number(process.env.BENCH_STREAMS ?? 10_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 15)
const MEMBERS = 500
const SETTLE_MS = 2_000
const WAIT_MS = 5_000
const MB = 1_000_000
const MOST_MB = 1_000
const MOST_TO_BARE = 4

type Kind = 'product' | 'bare'
interface Figures {
  readonly rssMb: number
  readonly cpuPercent: number
  readonly latencies: readonly number[]
}

// `npm run bench -- streams`: the number of change streams that one process can hold, compared with a bare
// `node:http` server that holds as many, and the cost of change notifications for transactions. The clients
// run in another process.
await runBenchmark('Streams', async () => {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const programs = await buildPrograms(root, ['server.ts'])
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const postgres = await startPostgres({ dataDir })
  try {
    await migrateSimulation(postgres.adminUrl)
    const callers = await makeCallers(postgres.adminUrl)
    const program = join(programs.dir, 'server.mjs')
    return [
      ...(await compareServers(program, postgres.adminUrl, callers)),
      ...(await compareWays(postgres.adminUrl)),
    ]
  } finally {
    await postgres.stop()
    await programs.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function makeCallers(url: string): Promise<Caller[]> {
  const database = createDatabase({ url, max: 4, applicationName: 'rif-bench' })
  const services = servicesOn(database)
  await services.plans.ensureDefault(database.db)
  const ids: bigint[] = []
  await growTree(services, ids, MEMBERS)
  const callers = await openSessions(services, ids, MEMBERS)
  await database.close()
  return callers
}

/** Runs one server with `count` streams, and sends all of them an event every second. */
async function hold(
  program: string,
  kind: Kind,
  { url, callers, count }: { url: string; callers: readonly Caller[]; count: number },
): Promise<Figures> {
  const child = spawn(process.execPath, ['--expose-gc', program, kind, url], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  try {
    const { port } = (await nextAnswer(child)) as { port: number }
    const clients = await openClients(port, callers, count, WAIT_MS)
    await sleep(SETTLE_MS)
    const before = await figuresOf(child)
    const latencies: number[] = []
    const from = performance.now()
    for (let second = 0; second < seconds; second++) {
      const at = performance.now()
      const heard = clients.next(at)
      send(child, 'tell')
      latencies.push(...(await heard))
      await sleep(Math.max(0, at + 1_000 - performance.now()))
    }
    const wallMs = performance.now() - from
    const after = await figuresOf(child)
    clients.close()
    if (latencies.length < count * seconds)
      throw new Error(`${count * seconds - latencies.length} events of ${kind} did not arrive`)
    return {
      rssMb: Math.max(before.rssBytes, after.rssBytes) / MB,
      cpuPercent: (100 * (after.cpuMs - before.cpuMs)) / wallMs,
      latencies,
    }
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

async function nextAnswer(child: ChildProcess): Promise<Answer> {
  const [answer] = await once(child, 'message')
  return answer as Answer
}

async function figuresOf(child: ChildProcess) {
  send(child, 'figures')
  return (await nextAnswer(child)) as Exclude<Answer, { port: number }>
}

function send(child: ChildProcess, order: Order): void {
  child.send(order)
}

async function compareServers(program: string, url: string, callers: readonly Caller[]): Promise<Floor[]> {
  const kept: Record<string, Figures[]> = {}
  const measure = (name: string, kind: Kind, count: number) => async () => {
    const figures = await hold(program, kind, { url, callers, count })
    kept[name] = [...(kept[name] ?? []), figures]
    return figures.rssMb
  }
  const few = streams / 10
  const rss = await inRounds(rounds, {
    bareFew: measure('bareFew', 'bare', few),
    fewer: measure('fewer', 'product', few),
    bare: measure('bare', 'bare', streams),
    product: measure('product', 'product', streams),
  })
  const row = (what: string, name: keyof typeof rss) => {
    const figures = kept[name]!.slice(1)
    const sorted = figures.flatMap(({ latencies }) => latencies).sort((a, b) => a - b)
    const at = (part: number) => `${Math.round(sorted[Math.floor(sorted.length * part)]!)} ms`
    const cpu = median(figures.map(({ cpuPercent }) => cpuPercent))
    return [what, `${Math.round(median(rss[name]))} MB`, `${cpu.toFixed(1)} %`, at(0.5), at(0.99)] as const
  }
  const perStream = (many: number[], some: number[]) => (median(many) - median(some)) / (streams - few)
  const rows = [
    row(`bare \`node:http\`, ${few.toLocaleString('en')} streams`, 'bareFew'),
    row(`product, ${few.toLocaleString('en')} streams`, 'fewer'),
    row(`bare \`node:http\`, ${streams.toLocaleString('en')} streams`, 'bare'),
    row(`product, ${streams.toLocaleString('en')} streams`, 'product'),
  ]
  const head = ['process', 'RSS', 'CPU, one event a second to all', 'p50', 'p99']
  console.log(`${markdownTable(head, rows)}\n`)
  const kb = (figure: number) => `${(1_000 * figure).toFixed(1)} kB`
  const [ours, floor] = [perStream(rss.product, rss.fewer), perStream(rss.bare, rss.bareFew)]
  console.log(
    `memory of one more stream: ${kb(ours)}, bare ${kb(floor)}: ${(ours / floor).toFixed(2)} times\n`,
  )
  const toBare = medianRatio(rss.product, rss.bare)
  return [
    { name: `1 GB to the RSS of ${streams} streams`, value: MOST_MB / median(rss.product), atLeast: 1 },
    { name: 'bare RSS to that of the product', value: 1 / toBare, atLeast: 1 / MOST_TO_BARE },
  ]
}

async function compareWays(url: string): Promise<Floor[]> {
  const measurements = Object.fromEntries(
    WAYS.map((way) => [way, () => commitsPerSecond(url, way, Math.min(5, seconds))]),
  ) as Record<Way, () => Promise<number>>
  const figures = await inRounds(rounds, measurements)
  const ratio = (way: Way) => medianRatio(figures[way], figures.nothing)
  const rows = WAYS.map((way) => [`tell ${way}`, median(figures[way]), `${ratio(way).toFixed(2)}`] as const)
  console.log(`${markdownTable(['transactions that insert a row', 'per second', 'ratio'], rows)}\n`)
  return [{ name: 'transactions that are told of after their commit', value: ratio('after'), atLeast: 0.8 }]
}
