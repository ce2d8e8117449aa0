import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../lib/start-error.ts'
import { CHAIN_ID } from '../settings.ts'
import { freePort, spawnServer } from './processes.ts'

/** The number of blocks, two epochs, by which the node's `finalized` block is behind its newest one. */
export const BLOCKS_TO_FINALITY = 2
/** The number of unlocked development accounts with ether on the local chain. */
export const DEV_ACCOUNT_COUNT = 60

export type Anvil = {
  rpcUrl: string
  pid: number
  exited: Promise<string>
  /** Makes one JSON-RPC call. Throws with the message of the node. */
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Sends a JSON-RPC request or a batch, and returns the node's response. */
  forward(body: unknown): Promise<unknown>
  stop(): Promise<void>
}

export type AnvilOptions = {
  logFile: string
  /** A state file written earlier. */
  loadState?: string | undefined
  /** Mines a block for every transaction at once (default), or only on request. */
  automine?: boolean
  /** The time of the first block of a new chain; default now. */
  beginsAt?: Date | undefined
  /** The number of blocks by which `finalized` is behind the newest block; even; default BLOCKS_TO_FINALITY. */
  blocksToFinality?: number
  /**
   * The number of blocks whose states the node keeps in memory; by default 500, and older ones on disk. A reorganisation that begins at a
   * block on disk leaves a chain without contracts.
   */
  statesInMemory?: number
}

const READY_TIMEOUT_MS = 60_000
const POLL_MS = 20
const STOP_GRACE_MS = 5000
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Starts an Anvil node on a free port of 127.0.0.1. Runs the native program, not its launcher, so that a kill
 * reaches the node.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID)]
  args.push('--accounts', String(DEV_ACCOUNT_COUNT), '--silent', '--no-cors')
  args.push('--slots-in-an-epoch', String((options.blocksToFinality ?? BLOCKS_TO_FINALITY) / 2))
  if (options.statesInMemory) args.push('--prune-history', String(options.statesInMemory))
  if (options.beginsAt) args.push('--timestamp', `${Math.floor(options.beginsAt.getTime() / 1000)}`)
  if (options.loadState) args.push('--load-state', options.loadState)
  if (options.automine === false) args.push('--no-mining')
  const server = await spawnServer({ command: anvilProgram(), args, logFile: options.logFile })

  const forward = (body: unknown) => post(rpcUrl, body)
  const rpc = rpcOver(forward)
  await becomesReady(rpc, server.exited, options.logFile)
  return {
    rpcUrl,
    pid: server.pid,
    exited: server.exited,
    rpc,
    forward,
    stop: () => server.stop(STOP_GRACE_MS),
  }
}

function anvilProgram(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  try {
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return join(dirname(createRequire(launcher).resolve(`${name}/package.json`)), 'bin', 'anvil')
  } catch {
    throw new StartError(`there is no Anvil for ${process.platform}-${process.arch} on npm: set RPC_URL`)
  }
}

async function becomesReady(rpc: Anvil['rpc'], exited: Promise<string>, logFile: string): Promise<void> {
  let ended: string | undefined
  void exited.then((how) => {
    ended = how
  })
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const ready = await rpc('eth_chainId').then(
      () => true,
      () => false,
    )
    if (ready) return
    if (ended || Date.now() > deadline) {
      throw new StartError(
        `the local chain does not start: Anvil ${ended ?? 'does not answer'} (see ${logFile})`,
      )
    }
    await sleep(POLL_MS)
  }
}

const agent = new Agent({ keepAlive: true })

/** Not by `fetch`, which takes four times the processor time: the history of the demonstration makes tens of thousands of calls. */
function post(rpcUrl: string, body: unknown): Promise<unknown> {
  const content = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json', 'content-length': content.length }
  return new Promise((resolve, reject) => {
    request(rpcUrl, { method: 'POST', agent, headers }, (response) => resolve(json(response)))
      .once('error', reject)
      .end(content)
  })
}

/** Makes single calls through a function that sends JSON-RPC. They throw with the node's message. */
export function rpcOver(forward: Anvil['forward']): Anvil['rpc'] {
  return async <T>(method: string, params: readonly unknown[] = []) => {
    const answer = (await forward({ jsonrpc: '2.0', id: 1, method, params })) as {
      result?: T
      error?: { message: string }
    }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as T
  }
}
