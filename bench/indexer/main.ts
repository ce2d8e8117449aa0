import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectChain } from '../../apps/server/src/chain/client.ts'
import { type Anvil, startAnvil } from '../../apps/server/src/local/anvil.ts'
import { deployContracts, generateOperatorKeys } from '../../apps/server/src/local/deploy.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { CHAIN_ID } from '../../apps/server/src/settings.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { EVENTS_PER_BLOCK, emitBlocks, installEmitter } from './event-source.ts'
import { timePayments } from './payments.ts'
import { HANDLER, type Task, timeBareLoop, timeBareProof, timeIndexer } from './programs.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const smallEvents = Number(process.env.BENCH_EVENTS ?? 10_000)
const smallPayments = Number(process.env.BENCH_PAYMENTS ?? 2_000)
const GROWTH = 10
/** Real payments per second. */
const PAYMENTS_AT_LEAST = 400
/** Share of the bare loop that performs the same proofs. */
const PROVEN_AT_LEAST = 0.5
/** Share of the bare loop that trusts the node. */
const BELIEVED_AT_LEAST = 0.2
/** Events per second that a handler receives, reading and storing included. */
const HANDLED_AT_LEAST = 4_000

// `npm run bench -- indexer`: the catch-up of the indexer, compared with two bare loops over the same blocks of
// a real chain.
await runBenchmark('Indexer', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const anvil = await startAnvil({ logFile: join(dir, 'anvil.log') })
  const server = await startPostgres({ dataDir: join(dir, 'postgres') })
  try {
    const floors = process.env.BENCH_ONLY === 'payments' ? [] : await compare(anvil, server.adminUrl)
    return [...floors, ...(await payments(server.adminUrl))]
  } finally {
    await anvil.stop()
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

async function compare(anvil: Anvil, serverUrl: string): Promise<Floor[]> {
  const contracts = await deployContracts(anvil, generateOperatorKeys())
  const chain = await connectChain({ rpcUrls: [anvil.rpcUrl], chainId: CHAIN_ID, contracts })
  await installEmitter(anvil, contracts.bank)
  const startBlock = (await chain.untrustedClient.getBlockNumber()) + 1n

  const emit = (from: number, to: number) =>
    emitBlocks(anvil, contracts.bank, from + 1, (to - from) / EVENTS_PER_BLOCK)
  await emit(0, smallEvents)
  const small = await measure({ chain, startBlock, events: smallEvents, serverUrl })
  await emit(smallEvents, smallEvents * GROWTH)
  const large = await measure({ chain, startBlock, events: smallEvents * GROWTH, serverUrl })
  const head = [
    'events',
    'bare getLogs and decode, events/s',
    'bare proof, events/s',
    'indexer, events/s',
    'of the bare getLogs',
    'of the bare proof',
    'with a handler, events/s',
  ]
  console.log(`${markdownTable(head, [small.row, large.row])}\n`)
  return [...small.floors, ...large.floors]
}

/** Measures real payments, of a number of orders and of ten times as many. */
async function payments(serverUrl: string): Promise<Floor[]> {
  const rows: Row[] = []
  const floors: Floor[] = []
  for (const count of [smallPayments, smallPayments * GROWTH]) {
    const { rates } = await inRounds(rounds, { rates: () => timePayments(serverUrl, count) })
    rows.push([count, median(rates), `${PAYMENTS_AT_LEAST}`])
    floors.push({
      name: `${count} real payments, a second`,
      value: median(rates),
      atLeast: PAYMENTS_AT_LEAST,
    })
  }
  console.log(`${markdownTable(['payments', 'a second', 'at least'], rows)}\n`)
  return floors
}

/** Measures all programs over the same blocks, and the indexer with a handler that does nothing. */
async function measure(task: Task) {
  const figures = await inRounds(rounds, {
    believed: () => timeBareLoop(task),
    proven: () => timeBareProof(task),
    indexer: () => timeIndexer(task, {}),
    handled: () => timeIndexer(task, HANDLER),
  })
  const believed = medianRatio(figures.indexer, figures.believed)
  const proven = medianRatio(figures.indexer, figures.proven)
  const handled = median(figures.handled)
  const rates = [figures.believed, figures.proven, figures.indexer].map(median)
  const row = [task.events, ...rates, believed.toFixed(2), proven.toFixed(2), handled]
  const name = `catch-up with ${task.events} events`
  const floors: Floor[] = [
    { name: `${name}, of the bare getLogs`, value: believed, atLeast: BELIEVED_AT_LEAST },
    { name: `${name}, of the bare proof`, value: proven, atLeast: PROVEN_AT_LEAST },
    { name: `${name}, with a handler, events/s`, value: handled, atLeast: HANDLED_AT_LEAST },
  ]
  return { row, floors }
}
