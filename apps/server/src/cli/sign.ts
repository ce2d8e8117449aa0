import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type Db } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { makeDir } from '../lib/make-dir.ts'
import { StartError } from '../lib/start-error.ts'
import { takeFile } from '../local/instance.ts'
import { parseSettings } from '../settings.ts'
import { createBankReads } from '../signer/bank-reads.ts'
import { keyAddresses, loadSignerConfig } from '../signer/config.ts'
import { openSecrets } from '../signer/keys/secrets.ts'
import { SET_CLOCK } from '../signer/protocol.ts'
import { writableTables } from '../signer/reading.ts'
import { serveSigner } from '../signer/server.ts'
import { createSignatureCheck } from '../signer/signatures.ts'
import { createSigner } from '../signer/signer.ts'
import { explain, refuseWrongAddress } from './explain.ts'
import { usageOf } from './usage.ts'

const ADDRESSES = '--addresses'
const CONNECTIONS = 4
const DATABASE_PAUSE_MS = 1_000
const MAX_CLOCK_SKEW_MS = 5_000
const MIN_PASSPHRASE = 12
const LOCK_WAIT_MS = 3_000
const LOCK_PAUSE_MS = 100

/** Runs `rif sign` or `rif keystore`, the commands of the process that holds keys, and returns the exit code. */
export async function main([name, ...args]: string[]): Promise<number> {
  try {
    if (name === 'keystore') return await makeKeystoreFile(args)
    const [option, time] = args
    if (option === ADDRESSES && args.length === 1) return await printAddresses()
    if (args.length > 0 && (option !== SET_CLOCK || !Number.isSafeInteger(Number(time))))
      throw new StartError(usageOf('sign'))
    return await sign(time === undefined ? undefined : Number(time))
  } catch (error) {
    process.stderr.write(`rif: ${explain(error)}\n`)
    return 1
  }
}

/**
 * Signs until it is stopped. `beginsAt` is the initial time, in ms, of a clock set by the process that
 * started this one.
 */
async function sign(beginsAt: number | undefined): Promise<number> {
  const stopped = nextStop()
  const config = await loadSignerConfig(process.env)
  const log = createLogger({ level: config.logLevel })
  const { logPath, place, bank, keys, limits, policy } = config
  if (beginsAt !== undefined && !config.isLocal)
    throw new StartError(`${SET_CLOCK} is for the local chain only`)
  await takeLog(logPath)
  const database = createDatabase({
    url: config.databaseUrl,
    max: CONNECTIONS,
    limitsOf: 'calls',
    applicationName: 'rif-sign',
    // Its few statements may be planned each time, so it need not determine whether the database is
    // distributed.
    isDistributed: true,
  })
  const closers = [() => rm(lockOf(logPath), { force: true }), () => database.close()]
  try {
    if ((await Promise.race([requireReader(database.db, log.warn.bind(log)), stopped])) === 'stopped')
      return 0
    const signer = await createSigner({
      db: database.db,
      now: beginsAt === undefined ? () => new Date() : clockOfParent(beginsAt),
      log,
      bank,
      keys,
      limits,
      logPath,
      policy,
      isSigned: createSignatureCheck(config.rpcUrls, bank.chainId),
      bankReads: config.rpcUrls.length === 0 ? undefined : createBankReads(config.rpcUrls, bank),
      maxClockSkewMs: beginsAt === undefined ? MAX_CLOCK_SKEW_MS : Number.POSITIVE_INFINITY,
    })
    closers.push(() => signer.close())
    const server = await serveSigner(signer, place)
    closers.push(() => server.close())
    process.send?.('ready')
    log.info({ command: 'sign', poolSize: CONNECTIONS }, 'database connections')
    log.info({ claimSigner: keys.claim.address, quoteSigner: keys.quote.address }, 'signing')
    await stopped
    return 0
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/**
 * Returns the clock set by the process that started this one, in ms since the epoch. Each setting is
 * acknowledged.
 */
function clockOfParent(beginsAt: number): () => Date {
  let at = beginsAt
  process.on('message', (ms: number) => {
    at = ms
    process.send?.('set')
  })
  return () => new Date(at)
}

/**
 * Makes this process the only one that writes the log, in a folder that it creates if needed. Waits a moment
 * for one that is ending. Throws StartError, also for a path that cannot be a log.
 */
async function takeLog(logPath: string): Promise<void> {
  await makeDir(dirname(logPath), 0o700).catch((error: unknown) => {
    throw unusable(logPath, error)
  })
  // Opening a pipe would wait for its reader.
  const info = await stat(logPath).catch(() => undefined)
  if (info?.isFile() === false)
    throw new StartError(`the signer's log ${logPath} is not a regular file (SIGNER_LOG)`)
  for (const deadline = Date.now() + LOCK_WAIT_MS; ; await sleep(LOCK_PAUSE_MS)) {
    try {
      await takeFile(lockOf(logPath), ({ pid }) => `process ${pid} signs already with the log ${logPath}`)
      return
    } catch (error) {
      if (!(error instanceof StartError)) throw unusable(logPath, error)
      if (Date.now() > deadline) throw error
    }
  }
}

const unusable = (logPath: string, cause: unknown) =>
  new StartError(
    `the signer's log ${logPath} cannot be created: ${(cause as NodeJS.ErrnoException).code} (SIGNER_LOG)`,
    { cause },
  )

const lockOf = (logPath: string) => `${logPath}.lock`

/** Waits for the database. Throws StartError for an address that it refuses, and for a login that can write. */
async function requireReader(db: Db, warn: (fields: object, text: string) => void): Promise<void> {
  for (;;) {
    const writable = await writableTables(db).catch((err: unknown) => {
      refuseWrongAddress(err, 'SIGNER_DATABASE_URL')
      warn({ err }, 'the signer waits for the database')
      return undefined
    })
    if (writable?.length === 0) return
    if (writable !== undefined)
      throw new StartError(
        `SIGNER_DATABASE_URL is a login that can write (${writable[0]}): use one that can only read`,
      )
    await sleep(DATABASE_PAUSE_MS)
  }
}

/** Resolves on SIGINT, SIGTERM, and when the product that started this process has ended. */
function nextStop(): Promise<'stopped'> {
  return new Promise((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
      process.on(event, () => resolve('stopped'))
  })
}

async function printAddresses(): Promise<number> {
  for (const line of await keyAddresses(process.env)) process.stdout.write(`${line}\n`)
  return 0
}

async function makeKeystoreFile(args: string[]): Promise<number> {
  const [path] = args
  if (path === undefined || args.length > 1) throw new StartError(usageOf('keystore'))
  const secrets = openSecrets(parseSettings(process.env).KEY_SECRETS_FD)
  const passphrase = await secrets.next('A new passphrase')
  if (passphrase.length < MIN_PASSPHRASE)
    throw new StartError(`the passphrase needs at least ${MIN_PASSPHRASE} characters`)
  if (process.stdin.isTTY && (await secrets.next('The passphrase once more')) !== passphrase)
    throw new StartError('the passphrases differ')
  const { writeKeystore } = await import('../signer/keys/keystore.ts')
  process.stdout.write(`${await writeKeystore(path, passphrase)}\n`)
  return 0
}
