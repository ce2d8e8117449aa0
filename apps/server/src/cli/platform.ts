import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import {
  type Chain,
  ChainAway,
  type ContractsCheck,
  connectChain,
  openChain as openRemoteChain,
} from '../chain/client.ts'
import type { Config } from '../config.ts'
import { makeDir } from '../lib/make-dir.ts'
import { StartError } from '../lib/start-error.ts'
import { type LocalChain, startChain } from '../local/chain.ts'
import { ensureContracts } from '../local/contracts.ts'
import { beginningOf } from '../local/demo/demo-clock.ts'
import { beginHistory, endHistory, historyState } from '../local/history-mark.ts'
import { type RunningProduct, takeDataDir } from '../local/instance.ts'
import { startPostgres } from '../local/postgres.ts'
import { CHAIN_ID } from '../settings.ts'
import { checkDatabase, refuseOwnerLogin } from './database.ts'
import { ownConnectionLimit } from './serving/connections.ts'

/** The part of the product's own local chain that the API needs. */
export type LocalAccess = Pick<LocalChain, 'relay'> & { readonly demoAccounts: readonly Address[] }

/** Access to a chain, with its contracts. */
export type ChainAccess = {
  chain: Chain
  /** The check of the contracts; undefined where it has passed. */
  contractsCheck: ContractsCheck | undefined
  rpcUrls: readonly string[]
  startBlock: bigint
  /** The block in which the bank that takes orders was deployed. */
  bankStartBlock: bigint
  /** Set only on the chain that the product started itself. */
  local: LocalChain | undefined
}

export type DatabaseAccess = {
  /** The login of the application. */
  databaseUrl: string
  /** The login of the owner, who migrates. Undefined when the settings do not name it. */
  ownerUrl: string | undefined
  /** The login that only reads. Undefined when the settings do not name it. */
  readUrl: string | undefined
}

/** The database and the chain that a process of the product works on. */
export type Place = Omit<ChainAccess, 'local'> &
  Pick<DatabaseAccess, 'databaseUrl' | 'ownerUrl'> & {
    readonly local: LocalAccess | undefined
    readonly history?: Platform['history']
  }

/** The database and the chain that a command works on: those of the settings, or local ones. */
export type Platform = ChainAccess &
  DatabaseAccess & {
    /** Resolves with one line when a part that this process started has ended. */
    failed: Promise<string>
    /** The history of the demonstration that is still to be made. */
    history: { readonly days: number; readonly beginsAt: Date; end(): Promise<void> } | undefined
    /** Publishes the product's addresses to its other commands. */
    publish(address: string): Promise<void>
    close(): Promise<void>
  }

/** Shows the progress of some work to the operator, and returns its result. */
export type Report = <T>(what: string, work: Promise<T>) => Promise<T>

/** The initial state of the database and the chain in a data directory. */
interface Beginning {
  readonly startsOver: boolean
  readonly history: Platform['history']
}

/** The parts that this process has started, stopped in reverse order. */
type Parts = { stops: (() => Promise<void>)[]; ends: Promise<string>[] }

const HOUR_MS = 3_600_000
const FIRST_ATTEMPT_MS = 5_000
const MIN_FREE_BYTES = 200_000_000

/**
 * Starts the parts that the settings do not provide, and checks the others. With `makesHistory` a new data
 * directory begins in the past, if the settings request a history of the demonstration. An unfinished history is removed
 * then, or with `mayStartOver`, and refused otherwise. With `waitsForChain` the nodes of the chain may be away, and the contracts are
 * still to be checked then. Throws StartError without leaving anything running.
 */
export async function openPlatform(
  config: Config,
  report: Report,
  { makesHistory = false, mayStartOver = false, waitsForChain = false } = {},
): Promise<Platform> {
  const parts: Parts = { stops: [], ends: [] }
  const close = async () => {
    for (const stop of parts.stops.splice(0).reverse()) await stop()
  }
  try {
    const publish = isLocal(config) ? await openDataDir(config.dataDir, parts) : undefined
    const beginning = await beginningIn(config, { makesHistory, mayStartOver: mayStartOver || makesHistory })
    const [logins, access] = await both(
      openDatabase(config, parts, { report, ...beginning }),
      openChain(config, parts, { report, waitsForChain, ...beginning }),
    )
    if (beginning.startsOver && beginning.history === undefined) await endHistory(config.dataDir)
    return {
      history: beginning.history,
      ...access,
      ...logins,
      failed: Promise.race([new Promise<never>(() => undefined), ...parts.ends]).then((line) =>
        explain(line, config.dataDir),
      ),
      publish: async (address) =>
        publish?.({
          address,
          databaseUrl: logins.databaseUrl,
          rpcUrl: access.rpcUrls[0]!,
          contracts: access.chain.contracts,
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Reports whether the product runs a part itself, with its data in DATA_DIR. */
export function isLocal(config: Config): boolean {
  return config.databaseUrl === undefined || config.remoteChain === undefined
}

/** Reports whether the history of the demonstration that the settings request is still to be generated. */
export async function lacksHistory(config: Config): Promise<boolean> {
  return hasOwnTime(config) && config.demoDays > 0 && (await historyState(config.dataDir)) !== 'other'
}

/** An external database or chain keeps its own time. */
const hasOwnTime = ({ databaseUrl, remoteChain }: Config) =>
  databaseUrl === undefined && remoteChain === undefined

/**
 * Returns the initial state of a data directory. An unfinished history is started over. Throws StartError for
 * other commands.
 */
async function beginningIn(
  config: Config,
  { makesHistory, mayStartOver }: { makesHistory: boolean; mayStartOver: boolean },
): Promise<Beginning> {
  const { dataDir, demoDays: days } = config
  const startsOver = hasOwnTime(config) && (await historyState(dataDir)) === 'unfinished'
  if (startsOver && !mayStartOver)
    throw new StartError(
      `the history of the demonstration in ${dataDir} is unfinished: rif start makes it anew`,
    )
  if (!makesHistory || !(await lacksHistory(config))) return { startsOver, history: undefined }
  await beginHistory(dataDir)
  const beginsAt = beginningOf(new Date(), days)
  return { startsOver, history: { days, beginsAt, end: () => endHistory(dataDir) } }
}

async function openDataDir(
  dataDir: string,
  parts: Parts,
): Promise<(running: Omit<RunningProduct, 'pid'>) => Promise<void>> {
  await makeDir(dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`DATA_DIR ${dataDir} cannot be made: ${error.code}`)
  })
  const instance = await takeDataDir(dataDir)
  parts.stops.push(instance.release)
  const free = await freeBytes(dataDir)
  if (free < MIN_FREE_BYTES) {
    throw new StartError(
      `the disk of DATA_DIR ${dataDir} is full: ${Math.floor(free / 1e6)} MB are free, ${MIN_FREE_BYTES / 1e6} MB are needed`,
    )
  }
  return instance.publish
}

async function openDatabase(
  config: Config,
  parts: Parts,
  { report, startsOver }: Beginning & { report: Report },
): Promise<DatabaseAccess> {
  const { databaseUrl, migrationDatabaseUrl, remoteChain } = config
  if (databaseUrl) {
    await report('database', checkDatabase(databaseUrl))
    if (remoteChain) await refuseOwnerLogin(databaseUrl)
    // Without a real chain, one login may have all rights.
    const ownerUrl = migrationDatabaseUrl ?? (remoteChain ? undefined : databaseUrl)
    return { databaseUrl, ownerUrl, readUrl: config.signerDatabaseUrl }
  }
  const settings = { max_connections: `${ownConnectionLimit(config)}` }
  const postgres = await report(
    'PostgreSQL',
    startPostgres({ dataDir: config.dataDir, startsOver, settings }),
  )
  parts.stops.push(postgres.stop)
  parts.ends.push(postgres.exited.then((how) => `PostgreSQL ${how}`))
  const { app, owner, read } = postgres.urls
  return {
    databaseUrl: postgres.bySocket(app),
    ownerUrl: postgres.bySocket(owner),
    readUrl: postgres.bySocket(read),
  }
}

async function openChain(
  config: Config,
  parts: Parts,
  { report, waitsForChain, ...beginning }: Beginning & { report: Report; waitsForChain: boolean },
): Promise<ChainAccess> {
  const { remoteChain } = config
  if (!remoteChain) return report('local chain', openLocalChain(config, parts, beginning))
  const { rpcUrls, contracts, startBlock, bankStartBlock } = remoteChain
  const { chain, check } = openRemoteChain({ rpcUrls, chainId: CHAIN_ID, contracts, refusesTestToken: true })
  await report('chain', waitsForChain ? tryContracts(check) : check.run())
  return { chain, contractsCheck: check, rpcUrls, startBlock, bankStartBlock, local: undefined }
}

/**
 * Makes the first attempt of a check of the contracts, and goes on without a result while the nodes are away. Throws StartError if a
 * quorum refuses them.
 */
export async function tryContracts(check: ContractsCheck): Promise<void> {
  const attempt = check.run().catch((error: unknown) => {
    if (!(error instanceof ChainAway)) throw error
  })
  // A refusal that comes later is found by the next attempt.
  attempt.catch(() => undefined)
  await Promise.race([attempt, sleep(FIRST_ATTEMPT_MS, undefined, { ref: false })])
}

async function openLocalChain(
  { dataDir, confirmations }: Config,
  parts: Parts,
  { startsOver, history }: Beginning,
): Promise<ChainAccess> {
  const dir = join(dataDir, 'chain')
  const node = await startChain({
    dir,
    confirmations,
    startsOver,
    // The contracts exist before any event.
    beginsAt: history && new Date(history.beginsAt.getTime() - HOUR_MS),
  })
  parts.stops.push(node.stop)
  parts.ends.push(node.exited.then((how) => `the local chain ${how}`))
  const contracts = await ensureContracts(node, dir)
  const chain = await connectChain({ rpcUrls: [node.rpcUrl], chainId: CHAIN_ID, contracts })
  return {
    chain,
    contractsCheck: undefined,
    rpcUrls: [node.rpcUrl],
    startBlock: 0n,
    bankStartBlock: 0n,
    local: node,
  }
}

/**
 * Waits for both like Promise.all, but waits for the second even if the first fails, so that the parts it
 * started can be stopped.
 */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return Promise.all([a, b])
}

async function explain(line: string, dataDir: string): Promise<string> {
  const isFull = (await freeBytes(dataDir).catch(() => MIN_FREE_BYTES)) < MIN_FREE_BYTES / 10
  return isFull ? `${line}; the disk of DATA_DIR ${dataDir} is full` : line
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
