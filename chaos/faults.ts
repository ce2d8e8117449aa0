import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EVERY_SIGNATURE_IS_VALID } from '../apps/server/src/chain/testing/lies.ts'
import type { RpcProxy, Tamper } from '../apps/server/src/chain/testing/rpc-proxy.ts'
import { type Anvil, startAnvil } from '../apps/server/src/local/anvil.ts'
import type { Product } from './product.ts'
import { KINDS, type Kind } from './programs.ts'

export interface Fault {
  readonly name: string
  /** The duration of the fault in seconds. */
  readonly seconds: number
  /** Needs the right to mount a disk of its own for the database. */
  readonly needsDisk?: boolean
  /** Begins the fault, and returns the function that ends it. */
  begin(product: Product): Promise<() => Promise<void>>
}

const MINUTE_MS = 60_000
const OLD_HEAD_BLOCKS = 200n

/** Every fault between the product's parts, in the order of the table. */
export function allFaults(): readonly Fault[] {
  return [
    ...nodeFaults(),
    ...databaseFaults(),
    ...KINDS.flatMap(processFaults),
    signerRefusal,
    publisherWithoutEth,
    ...startFaults(),
    ...serverFaults(),
    ...clockFaults(),
  ]
}

function nodeFaults(): Fault[] {
  const faults: [name: string, tamper: (product: Product) => Promise<Tamper>][] = [
    ['returns no logs', async () => noLogs],
    ['returns wrong logs', async () => wrongLogs],
    ['returns an old head', async ({ anvil }) => oldHead(anvil)],
    ['returns errors', async () => errors],
    ['does not answer', async () => () => new Promise(() => undefined)],
  ]
  return [
    ...faults.flatMap(([name, tamperOf]) =>
      [1, 3].map(
        (count): Fault => ({
          name: `${count === 1 ? 'one node of three' : 'every node'} ${name}`,
          seconds: 10,
          begin: async (product) => tamperWith(product.nodes.slice(0, count), await tamperOf(product)),
        }),
      ),
    ),
    {
      // Members try to sign in as each other and to send without a wallet all the time; see `forge` in load.ts.
      name: 'one node of three accepts every signature',
      seconds: 10,
      begin: ({ nodes }) => tamperWith(nodes.slice(0, 1), EVERY_SIGNATURE_IS_VALID),
    },
    {
      name: 'one node answers for another chain',
      seconds: 10,
      async begin({ nodes, dir }) {
        const other = await startAnvil({ logFile: `${dir}/other.log` })
        await other.rpc('anvil_mine', ['0x20'])
        const end = await tamperWith(nodes.slice(0, 1), async ({ id, method, params }) => {
          const call = [{ jsonrpc: '2.0', id, method, params }]
          const [answer] = (await other.forward(call)) as [{ id: number; result: unknown }]
          return method === 'eth_chainId' ? { id, result: '0x1' } : answer
        })
        return async () => {
          await end()
          await other.stop()
        }
      },
    },
    {
      name: 'two nodes of three disagree with each other and with the third',
      seconds: 10,
      async begin({ nodes }) {
        const ends = [await tamperWith([nodes[0]!], noLogs), await tamperWith([nodes[1]!], wrongLogs)]
        return async () => {
          for (const end of ends) await end()
        }
      },
    },
  ]
}

async function tamperWith(nodes: readonly RpcProxy[], tamper: Tamper): Promise<() => Promise<void>> {
  for (const node of nodes) node.setTamper(tamper)
  return async () => {
    for (const node of nodes) node.setTamper(undefined)
  }
}

const isForLogs = (method: string) => method === 'eth_getLogs' || method === 'eth_getBlockReceipts'

const noLogs: Tamper = ({ method }, answer) => (isForLogs(method) ? { ...answer, result: [] } : answer)

/** Doubles the amounts of every log, so that the node reports payments other than the real ones. */
const wrongLogs: Tamper = ({ method }, answer) => {
  if (!isForLogs(method) || !Array.isArray(answer.result)) return answer
  const text = JSON.stringify(answer.result)
  const result = JSON.parse(text.replace(/"data":"0x[^"]*"/g, (data) => data.replace(/[1-9]/g, '9')))
  return { ...answer, result }
}

const errors: Tamper = ({ id }) => ({ id, error: { code: -32_603, message: 'internal error' } })

async function oldHead(anvil: Anvil): Promise<Tamper> {
  const head = BigInt(await anvil.rpc<string>('eth_blockNumber'))
  const old = `0x${(head > OLD_HEAD_BLOCKS ? head - OLD_HEAD_BLOCKS : 1n).toString(16)}`
  return async ({ id, method, params }, answer) => {
    if (method === 'eth_blockNumber') return { id, result: old }
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return answer
    return { id, result: await anvil.rpc(method, [old, params[1]]) }
  }
}

function databaseFaults(): Fault[] {
  return [
    ...[1, 10, 60].map(
      (seconds): Fault => ({
        name: `database cut off for ${seconds} s`,
        seconds,
        async begin({ database }) {
          database.setCut(true)
          return async () => database.setCut(false)
        },
      }),
    ),
    {
      name: 'database slower by 500 ms a statement',
      seconds: 20,
      async begin({ database }) {
        database.setDelay(500)
        return async () => database.setDelay(0)
      },
    },
    {
      name: 'database out of connections',
      seconds: 10,
      async begin({ postgres, database }) {
        // The product loses its connections, and no connection is free.
        database.setCut(true)
        const taken = await takeConnections(postgres.urls().app)
        database.setCut(false)
        return async () => {
          await Promise.all(taken.map((client) => client.end().catch(() => undefined)))
        }
      },
    },
    {
      name: 'disk of the database full',
      seconds: 20,
      needsDisk: true,
      async begin({ disk }) {
        const filler = join(disk!, 'filler')
        await fill(filler)
        return () => rm(filler)
      },
    },
    {
      name: 'database restarted',
      seconds: 0,
      async begin({ postgres }) {
        process.kill(postgres.pid(), 'SIGINT')
        return async () => undefined
      },
    },
    {
      name: 'database killed',
      seconds: 0,
      async begin({ postgres }) {
        process.kill(postgres.pid(), 'SIGQUIT')
        return async () => undefined
      },
    },
  ]
}

/** Writes a file until its disk is full. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const block = Buffer.alloc(1 << 20)
  try {
    for (;;) await file.write(block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

/** Opens connections until the server refuses one. */
async function takeConnections(url: string): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      taken.push(client)
    } catch {
      return taken
    }
  }
}

function processFaults(kind: Kind): Fault[] {
  return [
    {
      name: `rif ${kind} stopped for 60 s`,
      seconds: 60,
      async begin({ programs }) {
        programs.signal(kind, 'SIGSTOP')
        return async () => programs.signal(kind, 'SIGCONT')
      },
    },
    {
      name: `rif ${kind} killed`,
      seconds: 0,
      async begin({ programs }) {
        programs.signal(kind, 'SIGKILL')
        return async () => undefined
      },
    },
  ]
}

/** Its limits are below every claim of the load, so that it answers, and refuses each. */
const signerRefusal: Fault = {
  name: 'the signer refuses every claim',
  seconds: 20,
  async begin({ programs }) {
    const limit = { hour: 1, day: 1, member: 1 }
    programs.restart('sign', { SIGNER_LIMITS: JSON.stringify({ usdt: limit, amc: limit }) })
    return async () => programs.restart('sign')
  },
}

/** Empties the publisher's wallet. It fails unless the alarm is raised meanwhile, and ends once there is ETH again. */
const publisherWithoutEth: Fault = {
  name: 'publisher without ETH',
  seconds: 40,
  async begin(product) {
    const hold = (wei: bigint) =>
      product.anvil.rpc('anvil_setBalance', [product.publisher, `0x${wei.toString(16)}`])
    await hold(0n)
    return async () => {
      await alarmIs(product, 'publisher_eth_low', true)
      await hold(10n ** 18n)
      await alarmIs(product, 'publisher_eth_low', false)
    }
  },
}

const ALARM_WAIT_MS = 60_000

/** Waits until an alarm is on, or is over. Throws after a minute. */
async function alarmIs({ postgres }: Product, name: string, isOn: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urls().owner })
  await client.connect()
  try {
    const deadline = Date.now() + ALARM_WAIT_MS
    for (;;) {
      const { rowCount } = await client.query('select from alarms where name = $1', [name])
      if (rowCount === (isOn ? 1 : 0)) return
      if (Date.now() > deadline)
        throw new Error(`the alarm ${name} ${isOn ? 'was not raised' : 'did not end'}`)
      await sleep(1_000)
    }
  } finally {
    await client.end()
  }
}

/** Faults of the processes that the product does not restart itself. */
function serverFaults(): Fault[] {
  const stopped = (name: string, pidOf: (product: Product) => number): Fault => ({
    name: `${name} stopped for 60 s`,
    seconds: 60,
    async begin(product) {
      const pids = processGroup(pidOf(product))
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return async () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
  })
  return [
    stopped('PostgreSQL', ({ postgres }) => postgres.pid()),
    stopped('the chain node', ({ anvil }) => anvil.pid),
  ]
}

/** Kills every process while no node answers, so that each starts again without one. */
function startFaults(): Fault[] {
  return [
    {
      name: 'every node away at the start of each process',
      seconds: 30,
      async begin({ nodes, programs }) {
        for (const node of nodes) node.setDown(true)
        for (const kind of KINDS) programs.signal(kind, 'SIGKILL')
        return async () => {
          for (const node of nodes) node.setDown(false)
        }
      },
    },
  ]
}

/** Returns the ids of a process and of its children. */
function processGroup(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)]
}

function clockFaults(): Fault[] {
  return [
    ['ahead', 5],
    ['behind', -5],
  ].map(
    ([name, minutes]): Fault => ({
      name: `every clock of the product five minutes ${name}`,
      seconds: 10,
      async begin({ programs }) {
        await programs.shiftClock(Number(minutes) * MINUTE_MS)
        return () => programs.shiftClock(0)
      },
    }),
  )
}
