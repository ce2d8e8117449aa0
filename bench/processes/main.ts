import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { markdownTable, runBenchmark } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { signInDemoMember, startProduct } from '../web/product.ts'

const PORTS = { one: 18_541, two: 18_542 } as const
const CONNECTIONS = 32
/** The members among the demonstration's wallets. */
const CALLERS = 7
const NO_LIMIT = '1000000'
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

interface Call {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}
type Started = Awaited<ReturnType<typeof startProduct>>

// `npm run bench:processes`: the built product with one API process and with two, each product with its own
// database, measured alternately. On two cores the database and the load share the cores with them.
await runBenchmark('Processes', async () => {
  const start = (port: number, processes: number) =>
    startProduct(port, {
      ...{ SERVE_PROCESSES: `${processes}`, DEMO_DAYS: '0', RATE_LIMIT_PER_IP: NO_LIMIT },
      ...{ RATE_LIMIT_PER_MEMBER: NO_LIMIT, RATE_LIMIT_SIGN_IN: NO_LIMIT },
    })
  const one = await start(PORTS.one, 1)
  const two = await start(PORTS.two, 2).catch(async (error: Error) => {
    await one.stop()
    throw error
  })
  try {
    const rows = [
      ...(await compare('`GET me`', meOf, one, two)),
      ...(await compare('`GET nonce`, a write', nonceOf, one, two)),
    ]
    console.log(`${CONNECTIONS} connections, medians of ${rounds} rounds of ${seconds} s in turns\n`)
    console.log(`${markdownTable(['call', 'one process', 'two', 'ratio'], rows)}\n`)
    return []
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
})

async function compare(
  what: string,
  callsOf: (baseUrl: string) => Promise<Call[]>,
  one: Started,
  two: Started,
) {
  const [callsOfOne, callsOfTwo] = [await callsOf(one.baseUrl), await callsOf(two.baseUrl)]
  const figures = await inRounds(rounds, {
    one: () => load(one.baseUrl, callsOfOne),
    two: () => load(two.baseUrl, callsOfTwo),
  })
  const ratio = medianRatio(figures.two, figures.one).toFixed(2)
  return [[what, median(figures.one), median(figures.two), ratio] as const]
}

async function meOf(baseUrl: string): Promise<Call[]> {
  const calls: Call[] = []
  for (let index = 0; index < CALLERS; index++) {
    const { token, token_address } = await signInDemoMember(baseUrl, index)
    const headers = { authorization: `Bearer ${token}`, 'x-wallet-address': `${token_address}` }
    calls.push({ path: '/api/v1/me', headers })
  }
  return calls
}

async function nonceOf(): Promise<Call[]> {
  return Array.from({ length: CALLERS }, (_, index) => ({
    path: `/api/v1/nonce?address=0x${(index + 1).toString(16).padStart(40, '0')}`,
    headers: {},
  }))
}

/** Returns the number of requests that were answered per second. */
async function load(url: string, requests: readonly Call[]): Promise<number> {
  const result = await autocannon({
    ...{ url, connections: CONNECTIONS, duration: seconds, workers: 1, requests },
    setupClient: fileURLToPath(new URL('../api/rotate.cjs', import.meta.url)),
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return result.requests.total / result.duration
}
