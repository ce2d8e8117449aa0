import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlarmFacts } from '../alarms/alarms.ts'
import { type Config, loadConfig, refuseUndecidedProxy } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { createLogger, type Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { alarm } from './alarm.ts'
import { audit } from './audit.ts'
import { comparePlan } from './compare-plan.ts'
import { deploy } from './deploy.ts'
import { deposit } from './deposit.ts'
import { runDistribute } from './distribute.ts'
import { earnings } from './earnings.ts'
import { explain } from './explain.ts'
import { runHistory } from './history.ts'
import { runMigrate } from './migrate.ts'
import { person } from './person.ts'
import { lacksHistory, openPlatform, type Platform, type Report } from './platform.ts'
import { type Product, type Role, runProduct, WEB_ROOT } from './product.ts'
import { recover } from './recover.ts'
import { allowedConnections, planConnections, type RunCommand } from './serving/connections.ts'
import { checkPort } from './serving/listening.ts'
import { type Seats, takeSeats } from './serving/seats.ts'
import { awaitDatabase } from './serving/waiting.ts'
import { settle } from './settle.ts'
import { type SignerProcess, startSignerProcess } from './signer-process.ts'
import { runSimulate } from './simulate.ts'
import { COMMAND_LIST } from './usage.ts'

const SHUTDOWN_TIMEOUT_MS = 25_000
const SAME_SIGNAL_MS = 1000
const PART_ENDS_WITHIN_MS = 1000
/** The alarm about a process that ended is over when none of its name has ended for this long. */
const ENDED_LASTS_MS = 10 * 60_000

/** The commands by name. Each returns the exit code. */
const COMMANDS: Readonly<Record<string, (config: Config, args: string[]) => Promise<number>>> = {
  start: (config) => run(config, 'start', ['api', 'worker', 'indexer']),
  history,
  serve: (config) => run(config, 'serve', ['api']),
  worker: (config) => run(config, 'worker', ['worker']),
  index: (config) => run(config, 'index', ['indexer']),
  migrate: (config, args) => runMigrate(config, args),
  distribute: runDistribute,
  audit: (config) => audit(config),
  alarm: (config, args) => alarm(config, args),
  person: (config, args) => person(config, args),
  earnings: (config, args) => earnings(config, args),
  recover: (config) => recover(config),
  settle: (config, args) => settle(config, args),
  'compare-plan': (config, args) => comparePlan(config, args),
  deploy: (_config, args) => deploy(args),
  deposit: (config, args) => deposit(config, args),
  simulate: (_config, args) => runSimulate(args),
}

/** The commands that parse their own arguments. */
const WITH_ARGUMENTS = new Set([
  'alarm',
  'earnings',
  'migrate',
  'person',
  'settle',
  'compare-plan',
  'deploy',
  'deposit',
  'simulate',
])

async function run(config: Config, command: RunCommand, roles: Role[]): Promise<number> {
  const isWhole = command === 'start'
  if (!isWhole && (!config.databaseUrl || !config.remoteChain)) {
    throw new StartError(
      'this command needs DATABASE_URL and RPC_URL; for a product on this machine alone: rif start',
    )
  }
  requireSaltKey(config, roles)
  const serves = roles.includes('api')
  if (serves) refuseUndecidedProxy(config)
  const logLevel = config.logLevel ?? (isWhole ? 'warn' : 'info')
  const log = createLogger({ level: logLevel })
  if (serves) await checkPort(config)
  const interrupted = nextSignal()
  if (config.databaseUrl) {
    const webRoot = serves ? WEB_ROOT : undefined
    const stopping = new AbortController()
    void interrupted.then(() => stopping.abort())
    const { signal: stopped } = stopping
    await awaitDatabase(config, { databaseUrl: config.databaseUrl, webRoot, log, stopped })
    if (stopped.aborted) return 0
  }
  if (isWhole && (await lacksHistory(config))) {
    const code = await historyInChild(interrupted)
    if (code !== 0 || (await lacksHistory(config))) return code
  }
  const options = { mayStartOver: isWhole, waitsForChain: true }
  const platform = await openPlatform(config, isWhole ? say : silently, options)
  let product: Product | undefined
  let signer: SignerProcess | undefined
  let seats: Seats | undefined
  const onSignerEnded = (facts: AlarmFacts) =>
    void product?.services.alarms
      .begin('signer_process_ended', facts, { lastsMs: ENDED_LASTS_MS })
      .catch((err: unknown) => log.error({ err }, 'an alarm was not stored'))
  async function startProduct(): Promise<string> {
    const { databaseUrl } = platform
    const plan = planConnections(config, await allowedConnections(databaseUrl), command)
    // The product's own server has nobody else.
    if (config.databaseUrl) {
      seats = takeSeats({
        url: databaseUrl,
        command,
        count: plan.connections,
        ranges: plan.seats,
        budget: plan.budget,
        log,
      })
      await seats.taken
    }
    const { budget, connections, poolSize } = plan
    log.info({ command, budget, connections, poolSize }, 'database connections')
    if (isWhole && config.startsSigner)
      signer = startSigner(config, platform, log, { onEnded: onSignerEnded })
    if (isWhole && platform.ownerUrl) await say('migrations', migrate({ url: platform.ownerUrl }))
    product = await runProduct({
      platform,
      log,
      roles,
      signerReady: signer?.ready,
      config: { ...config, databasePoolSize: poolSize },
      demo: isWhole && platform.local ? { node: platform.local, report: say } : undefined,
    })
    await platform.publish(config.publicUrl)
    if (isWhole) print(`\n  RIFund Portfolio: ${config.publicUrl}\n  Ctrl-C stops it.\n`)
    else log.info({ roles }, 'running')
    return product.failed
  }
  return untilEnd(platform, [startProduct(), interrupted], async () => {
    await product?.stop()
    await seats?.stop()
    await signer?.stop()
  })
}

/**
 * Waits for the first of `endings` or a failure of the platform, then does `stop` and closes the platform. Prints a problem, and returns
 * the exit code.
 */
async function untilEnd(
  platform: Platform,
  endings: readonly Promise<string | undefined>[],
  stop: () => Promise<void>,
): Promise<number> {
  try {
    const problem = await Promise.race([...endings, platform.failed])
    if (problem) process.stderr.write(`rif: ${problem}\n`)
    return problem ? 1 : 0
  } catch (error) {
    throw await causeOf(error, platform)
  } finally {
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    await stop()
    await platform.close()
  }
}

/**
 * Generates the history of the demonstration that a new data directory lacks. It does so in a process of its own, whose memory is free
 * afterwards, and which ends with the process that started it.
 */
async function history(config: Config): Promise<number> {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  if (!(await lacksHistory(config))) return 0
  const log = createLogger({ level: config.logLevel ?? 'warn' })
  const interrupted = nextSignal()
  const platform = await openPlatform(config, silently, { makesHistory: true })
  const { ownerUrl } = platform
  let signer: SignerProcess | undefined
  async function make(): Promise<undefined> {
    if (ownerUrl) await migrate({ url: ownerUrl })
    signer = startSigner(config, platform, log, { clock: platform.history?.beginsAt })
    await runHistory({ config, platform, log, signer, say: print })
  }
  return untilEnd(platform, [make(), interrupted], async () => signer?.stop())
}

/** Runs `rif history` as this process was started, passes a signal on, and returns its exit code. */
async function historyInChild(interrupted: Promise<undefined>): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'history'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  void interrupted.then(() => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return code ?? 1
}

/**
 * Throws StartError for an API or a worker on a real chain without the key of the salts: no report could be built, and money
 * would stop 36 hours later.
 */
function requireSaltKey({ remoteChain, saltKey }: Config, roles: readonly Role[]): void {
  if (remoteChain === undefined || saltKey !== undefined || roles.every((role) => role === 'indexer')) return
  throw new StartError(
    'SOLVENCY_SALT_KEY is not set: without solvency reports no money could move (openssl rand -hex 32 makes one)',
  )
}

/** Starts the process that holds the keys. Throws StartError if there is no login for it. */
function startSigner(
  config: Config,
  { readUrl, rpcUrls }: Platform,
  log: Logger,
  { clock, onEnded }: { clock?: Date | undefined; onEnded?: (facts: AlarmFacts) => void },
): SignerProcess {
  if (readUrl === undefined)
    throw new StartError('the signing process needs SIGNER_DATABASE_URL, a login that can only read')
  return startSignerProcess({ config, databaseUrl: readUrl, rpcUrls, log, clock, onEnded })
}

/**
 * Returns the exit of a part of the product as the cause if one exits within a second, because its failures
 * can arrive earlier.
 */
async function causeOf(error: unknown, { failed }: Platform): Promise<unknown> {
  if (error instanceof StartError) return error
  const ended = await Promise.race([failed, sleep(PART_ENDS_WITHIN_MS)])
  return ended ? new StartError(ended) : error
}

/**
 * Resolves on the first SIGINT or SIGTERM. A later one ends the process at once, unless it comes within a
 * second, because a terminal and npm both pass on the same Ctrl-C.
 */
function nextSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        firstAt ??= Date.now()
        if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(130)
        resolve(undefined)
      })
    }
  })
}

const say: Report = async (what, work) => {
  const begun = performance.now()
  const result = await work
  print(`  ${what.padEnd(14)} ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}

const silently: Report = (_what, work) => work

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Runs a command and returns the exit code. */
export async function main([name = '', ...rest]: string[]): Promise<number> {
  const command = COMMANDS[name]
  if (!command || (rest.length > 0 && !WITH_ARGUMENTS.has(name))) {
    print(COMMAND_LIST)
    return 2
  }
  try {
    return await command(loadConfig(process.env), rest)
  } catch (error) {
    process.stderr.write(`rif: ${explain(error)}\n`)
    return 1
  }
}
