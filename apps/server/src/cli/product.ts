import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERIFIER_PATH } from '@rif/api-schema'
import { dayOf } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { alarmJobs, hasReceiver } from '../alarms/sender.ts'
import { createApp } from '../app.ts'
import { checkSignerRoles } from '../chain/client.ts'
import { checkFollowedChain, checkFollowedContracts } from '../chain/indexer/followed-chain.ts'
import { createIndexer } from '../chain/indexer/indexer.ts'
import { adoptNodeStates } from '../chain/nodes/node-states.ts'
import { browserChainOf, type Config, PROJECT_ROOT } from '../config.ts'
import { openChangeChannel } from '../db/change-channel.ts'
import { type ClockWatch, watchClock } from '../db/clock-watch.ts'
import { type Db, inTx } from '../db/database.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { APP_ROLE } from '../db/roles.ts'
import { type SchemaWatch, watchSchema } from '../db/schema-watch.ts'
import { inSimulation } from '../db/simulation.ts'
import { recoveryJobs, runQueuedJobs } from '../jobs/jobs.worker.ts'
import { AppError } from '../lib/errors.ts'
import { idempotencyJobs } from '../lib/idempotency-jobs.ts'
import type { Job } from '../lib/job.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import type { LocalChain } from '../local/chain.ts'
import { beginningOf, servicesAt } from '../local/demo/demo-clock.ts'
import { demoAdmins, demoWallets } from '../local/demo/demo-wallets.ts'
import { seedDemo } from '../local/demo/seed.ts'
import { localNoticesKey, localSaltKey, localWebhookKey } from '../local/operator-files.ts'
import { relayRoute } from '../local/relay.routes.ts'
import { closeUntilOpened, holdMoneyUntil, isUnopened } from '../modules/access/gates/gates.service.ts'
import { type Live, openLive } from '../modules/access/live/live.service.ts'
import { runWebhooks } from '../modules/messages/webhooks/webhooks.worker.ts'
import type { AdminDraft } from '../modules/operators/admins/admins.service.ts'
import { createServices, type Services } from '../services.ts'
import { comparisonInChild } from './comparison-child.ts'
import { openDatabase } from './database.ts'
import { runJobs } from './jobs.ts'
import type { Place, Report } from './platform.ts'
import { openReplica } from './replica.ts'
import { listen } from './serving/listening.ts'
import { type StartCheck, startCheck } from './start-checks.ts'

/** The parts of the product that a process can run. */
export type Role = 'api' | 'worker' | 'indexer'

export type Product = {
  services: Services
  /** Resolves with one line if the process must end: a check that waited for a node or the signer was refused. */
  failed: Promise<string>
  stop(): Promise<void>
}

const NODE_STATES_MS = 2_000
/** The folder of the built app. */
export const WEB_ROOT = join(PROJECT_ROOT, 'apps', 'web', 'dist')

/**
 * Runs parts of the product on an open platform. Throws StartError without leaving anything running. `stop`
 * ends open requests first, then the background work.
 */
export async function runProduct(options: {
  config: Config
  platform: Place
  log: Logger
  roles: readonly Role[]
  /** Distributes test tokens on the local chain and creates the demonstration team if the settings enable it. */
  demo?: { readonly node: LocalChain; readonly report: Report } | undefined
  /** Resolves when the signing process that this process has started can sign. */
  signerReady?: Promise<void> | undefined
}): Promise<Product> {
  const { config, platform, log, roles, demo } = options
  const hasPools = roles.includes('api')
  const database = await openDatabase(platform.databaseUrl, config.databasePoolSize, { hasPools })
  const stops = [database.close]
  let app: Promise<FastifyInstance> | undefined
  const stop = async () => {
    await app?.then(
      (opened) => opened.close(),
      () => undefined,
    )
    for (const part of stops.splice(0).reverse()) await part()
  }
  try {
    const { databaseUrl } = platform
    // Only the worker runs audits.
    const replica = roles.includes('worker')
      ? await openReplica(config, { databaseUrl, db: database.db }, log)
      : undefined
    if (replica) stops.push(replica.close)
    const services = await prepareServices(config, platform, {
      db: database.db,
      replicaDb: replica?.db,
      log,
    })
    if (config.remoteChain && !hasReceiver(config.alarms))
      log.warn(
        'no receiver of alarms: nobody is told of one but the readers of this log (see `rif alarm test`)',
      )
    const clock = await openClock(services, log)
    stops.push(clock.stop)
    const schema = watchSchema({ db: database.db, log })
    stops.push(schema.stop)
    const contracts = await startContractsCheck(services, platform, log)
    stops.push(contracts.stop)
    holdMoneyUntil(contracts.isPassed)
    const indexer = indexerOf(services, platform, config, log)
    const live = hasPools ? openLive(services, { databaseUrl }) : undefined
    if (live) {
      stops.push(live.stop)
      // Its routes are prepared while the signing process starts.
      app = openApp(services, platform, config, { ...options, clock, schema, contracts, live })
    }
    await Promise.all([app, options.signerReady])
    const signer = roles.includes('api') ? await startSignerCheck(services, contracts, log) : undefined
    if (signer) stops.push(signer.stop)
    if (config.needsSnapshots && hasStandingOrApi(roles)) await sayWhenMoneyStops(services, log)
    if (demo) {
      const { runOnce: index } = indexer
      const seed = () => seedDemo({ services, ...demo, index, withTeam: config.demoTeam })
      // The demonstration's history has its own clock.
      await (platform.ownerUrl === undefined ? seed() : inSimulation(platform.ownerUrl, seed))
    }
    const hasStandingWork = roles.some((role) => role !== 'api')
    if (!live && hasStandingWork)
      stops.push(openChangeChannel({ url: databaseUrl, db: services.db, log }).stop)
    if (live || hasStandingWork) stops.push(runJobs([nodeStateJob(services)], log).stop)
    if (roles.includes('indexer')) {
      let isStopped = false
      void contracts.passed.then(() => {
        if (!isStopped) indexer.start()
      })
      stops.push(async () => {
        isStopped = true
        await indexer.stop()
      })
    }
    if (roles.includes('worker')) {
      stops.push(await startWorker(services, { databaseUrl, clock, contracts, log }))
    }
    if (app) {
      // Another process may be asked for the text that this one names.
      await services.termsTexts.keep()
      await listen(await app, config)
    }
    const ends = [contracts.refused, ...(signer ? [signer.refused] : [])]
    // Calls are answered with 503, but standing work must not go on.
    if (hasStandingWork) ends.push(schema.changed)
    return { services, failed: Promise.race(ends), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Compares the clock with the database's, once and then periodically. Throws StartError if they differ by
 * more than a second.
 */
async function openClock({ db, now, metrics }: Services, log: Logger): Promise<ClockWatch> {
  const clock = await watchClock({ db, now, log })
  const { isRight, offsetMs } = clock.status()
  if (!isRight) {
    await clock.stop()
    const seconds = (Math.abs(offsetMs) / 1000).toFixed(1)
    const way = offsetMs > 0 ? 'ahead of' : 'behind'
    throw new StartError(
      `the clock of this machine is ${seconds} s ${way} the database's: set it right first`,
    )
  }
  metrics.addReading({
    name: 'rif_clock_offset_seconds',
    help: "The clock of this process less the database's",
    labels: [],
    read: async () => [{ labels: {}, value: clock.status().offsetMs / 1000 }],
  })
  return clock
}

/** Makes this process use and avoid the same chain nodes as the leading indexer. */
function nodeStateJob({ db, chain }: Services): Job {
  const run = () => adoptNodeStates(db, chain.nodes)
  return { name: 'take over the state of the chain nodes', everyMs: NODE_STATES_MS, run }
}

const hasStandingOrApi = (roles: readonly Role[]) => roles.some((role) => role !== 'indexer')

/** Tells whoever starts the product at which hour money stops unless the bank accepts another solvency report. */
async function sayWhenMoneyStops({ db, guard }: Services, log: Logger): Promise<void> {
  if (await isUnopened(db)) {
    log.warn('this product is not open yet: the page Home of the owners lists the first steps')
    return
  }
  const at = await guard.stopsAt()
  if (at !== null)
    log.warn({ at }, `without another solvency report on chain, money stops at ${at.toISOString()}`)
}

/**
 * Checks the contracts and that the database follows them. While the nodes are away the process serves what it can, moves no money,
 * and goes on trying. Throws StartError if they answer and refuse.
 */
function startContractsCheck(
  { db, chain, alarms }: Services,
  { contractsCheck, local, startBlock, bankStartBlock }: Place,
  log: Logger,
): Promise<StartCheck> {
  const isOwnChain = local !== undefined
  return startCheck({
    async run() {
      if (contractsCheck?.isPassed() === false) await contractsCheck.run()
      await checkFollowedChain(db, chain, { isOwnChain, startBlock, bankStartBlock, log })
    },
    waits: contractsCheck?.isPassed() ?? true,
    noteAway: (reason) => alarms.sees('contracts_unchecked', reason === null ? null : { reason }),
    back: 'the contracts were checked: money moves',
    log,
  })
}

/**
 * Checks the roles of the signing keys, once the contracts were checked and the signing process answers. Code that needs the signer, or
 * a claim key's role, waits for it. Throws StartError.
 */
function startSignerCheck(
  { chain, signer }: Services,
  contracts: StartCheck,
  log: Logger,
): Promise<StartCheck> {
  return startCheck({
    async run() {
      if (!contracts.isPassed()) await contracts.passed
      const status = await signer.status()
      if (status.publisher === undefined)
        throw new StartError(
          'the signer has no publisher key (PUBLISHER_KEY_SOURCE): without solvency reports no money could move',
        )
      const problem = await checkSignerRoles(chain, status)
      if (problem !== undefined) log.error(`${problem}: no claim is paid before it is appointed`)
    },
    waits: contracts.isPassed(),
    async noteAway(reason) {
      if (reason !== null)
        log.error({ reason }, 'the signing process does not answer, or its roles cannot be read')
    },
    back: "the signer's roles were checked",
    log,
  })
}

/**
 * Starts the standing work and the queue of jobs; what moves money only once the contracts were checked. Returns the function that
 * stops both, after the current runs have ended.
 */
async function startWorker(
  services: Services,
  {
    databaseUrl,
    clock,
    contracts,
    log,
  }: { databaseUrl: string; clock: ClockWatch; contracts: StartCheck; log: Logger },
): Promise<() => Promise<void>> {
  const comparison = comparisonInChild(databaseUrl)
  const jobs = services.capabilities.map(
    (capability) => capability.jobs?.(services, { log, runComparison: comparison.run }) ?? {},
  )
  const handlers = jobs.flatMap(({ queued = [] }) => queued)
  let isStopped = false
  const queue = contracts.passed.then(() =>
    isStopped ? undefined : runQueuedJobs({ url: databaseUrl, handlers, log }),
  )
  if (contracts.isPassed()) await queue
  const deliveries = await runWebhooks({ url: databaseUrl, webhooks: services.webhooks, log })
  const always = [
    ...alarmJobs(services),
    ...idempotencyJobs(services),
    ...jobs.flatMap(({ always = [] }) => always),
  ]
  const money = [...jobs.flatMap(({ money = [] }) => money), ...recoveryJobs(handlers)]
  const onlyIf = (jobs: readonly Job[], mayRun: () => boolean): Job[] =>
    jobs.map((job) => ({ ...job, run: async () => void (mayRun() && (await job.run())) }))
  const standing = runJobs(
    [
      ...onlyIf(always, () => clock.status().isRight),
      ...onlyIf(money, () => clock.status().isRight && contracts.isPassed()),
    ],
    log,
  )
  return async () => {
    isStopped = true
    comparison.stop()
    const stopQueue = contracts.isPassed() ? queue.then((jobQueue) => jobQueue?.stop()) : undefined
    await Promise.all([stopQueue, deliveries.stop(), standing.stop()])
  }
}

/** The connections and the log that the services of a process use. */
interface Parts {
  readonly db: Db
  readonly replicaDb?: Db | undefined
  readonly log: Logger
  /** The name of the process in the metrics. */
  readonly process?: string | undefined
}

/** Creates the services, and the plan and the root member, which the first sign-in needs. */
export async function prepareServices(
  config: Config,
  platform: Place,
  { db, ...parts }: Parts,
): Promise<Services> {
  const pending = await pendingMigrations(db).catch(lackedMigrations)
  if (pending.length > 0) {
    throw new StartError(`the database lacks migrations (${pending.join(', ')}): run \`rif migrate\` first`)
  }
  const { chain, local, contractsCheck } = platform
  const stored = await checkFollowedContracts(db, chain)
  if (stored !== undefined) contractsCheck?.assume(stored)
  const services = await servicesOf(config, platform, { db, ...parts })
  const rootAddress = config.rootAddress ?? local?.demoAccounts[0]
  const isDemo = local !== undefined && config.demoTeam
  const beganAt = platform.history?.beginsAt ?? beginningOf(new Date())
  const founding = isDemo ? servicesAt(services, () => beganAt) : services
  await foundProduct(founding, {
    isReal: local === undefined,
    rootAddress,
    admins: firstAdmins(config, platform),
  })
  await joinPersons(services, parts.log)
  return services
}

/**
 * Creates what the first sign-in needs: the root member and the first owners. A new product on a real chain then
 * waits, with all areas paused, until its owners open it; any other one begins with the plan of the demonstration.
 * Safe to repeat.
 */
export async function foundProduct(
  services: Services,
  {
    isReal,
    rootAddress,
    admins,
  }: { isReal: boolean; rootAddress?: string | undefined; admins: AdminDraft[] },
): Promise<void> {
  const { db, now, members, plans, settlement } = services
  if (isReal && (await members.root(db)) === undefined)
    await inTx(db, (dbTx) => closeUntilOpened(dbTx, now()))
  const isClosed = await isUnopened(db)
  // Until its owners open it, it has no plan but the one that they approve.
  if (!isClosed) await plans.ensureDefault(db)
  if (rootAddress) await ensureRoot(services, rootAddress)
  await services.admins.appointFirst(db, admins)
  const root = await members.root(db)
  if (root && !isClosed) await settlement.begin(dayOf(root.joinedAt.getTime()))
}

/** Errors of PostgreSQL: undefined_table and insufficient_privilege. */
const NO_TABLE = '42P01'
const FORBIDDEN = '42501'

/** Returns what an empty database lacks. Throws StartError for a login without the application's rights, and other errors. */
function lackedMigrations(error: unknown): string[] {
  const { code } = error as { code?: string }
  if (code === NO_TABLE) return ['all']
  if (code !== FORBIDDEN) throw error
  throw new StartError(`the login of DATABASE_URL is neither ${APP_ROLE} nor a member of it`, {
    cause: error,
  })
}

/** Creates the services on a database and a chain. */
export async function servicesOf(
  config: Config,
  { chain, local }: Pick<Place, 'chain' | 'local'>,
  parts: Parts,
): Promise<Services> {
  return createServices({
    ...parts,
    now: () => new Date(),
    chain,
    settings: {
      version: await readVersion(),
      publicUrl: config.publicUrl,
      supportContact: config.supportContact,
      ...(config.operator !== undefined && { operator: config.operator }),
      ...browserChainOf(config),
      demoWallets: local ? demoWallets(local.demoAccounts, config.demoTeam) : null,
      signer: config.signer,
      saltKey: config.saltKey ?? (local ? await localSaltKey(config.dataDir) : null),
      webhookKey: config.webhookKey ?? (local ? await localWebhookKey(config.dataDir) : null),
      alarms: config.alarms,
      localHosts: config.localHosts,
      prices: config.prices,
      notices: {
        ...config.notices,
        key: config.notices.key ?? (local ? await localNoticesKey(config.dataDir) : null),
      },
      needsSnapshots: config.needsSnapshots,
      verifierSha256: await verifierSha256(),
    },
  })
}

/**
 * Returns the SHA-256 of the verifier that the server offers beside the app; null if the app is not built.
 */
async function verifierSha256(): Promise<string | null> {
  const content = await readFile(join(WEB_ROOT, VERIFIER_PATH)).catch(() => null)
  return content && createHash('sha256').update(content).digest('hex')
}

/** Returns the owners from the settings, or those of the demonstration on the local chain. */
function firstAdmins({ ownerAddresses }: Config, { local }: Place): AdminDraft[] {
  if (ownerAddresses.length === 0 && local) return demoAdmins(local.demoAccounts)
  return ownerAddresses.map((address, index) => ({ address, role: 'owner', person: `Owner ${index + 1}` }))
}

/** Joins persons whose names look alike, and says so at every start. */
async function joinPersons({ db, admins }: Services, log: Logger): Promise<void> {
  const { joined, owners } = await admins.joinLookAlikes(db)
  for (const { number, name, others } of joined)
    log.warn(
      { person: `${number}`, name, others: others.map(String) },
      'persons on record whose names look alike count as one person',
    )
  if (owners === 1) log.warn('only one person is an owner, who can appoint nobody: see `rif person appoint`')
}

async function ensureRoot({ db, members }: Services, address: string): Promise<void> {
  await inTx(db, (dbTx) => members.createRoot(dbTx, address)).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'ROOT_EXISTS')) throw error
  })
}

/** Creates the indexer with the handlers of all modules, without starting it. */
export function indexerOf(services: Services, platform: Place, config: Config, log: Logger) {
  const { db, chain, now, eventHandlers } = services
  const indexer = createIndexer({
    db,
    chain,
    now,
    log,
    databaseUrl: platform.databaseUrl,
    startBlock: platform.startBlock,
    bankStartBlock: platform.bankStartBlock,
    confirmations: config.confirmations,
  })
  indexer.registerHandlers(eventHandlers)
  return indexer
}

async function openApp(
  services: Services,
  { local }: Place,
  { rateLimits, trustProxy, countryHeader, metricsToken, clients }: Config,
  {
    clock,
    schema,
    contracts,
    log,
    live,
  }: {
    clock: ClockWatch
    schema: SchemaWatch
    contracts: StartCheck
    log: Logger
    live: Live | undefined
  },
): Promise<FastifyInstance> {
  const edge = { webRoot: WEB_ROOT, trustProxy, countryHeader, metricsToken, rateLimits, clients }
  const app = await createApp(services, { ...edge, clock, schema, contracts, log, live })
  if (local) relayRoute(app, local.relay)
  await app.ready()
  return app
}

async function readVersion(): Promise<string> {
  const text = await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
