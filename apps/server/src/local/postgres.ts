import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { withConnection } from '../db/connection.ts'
import { APP_ROLE, OWNER_ROLE, READ_ROLE } from '../db/roles.ts'
import { StartError } from '../lib/start-error.ts'
import { makeOwnedDir, type PostgresInstall, preparePostgres } from './postgres-install.ts'
import { type Logins, provideLogins, readLogins } from './postgres-logins.ts'
import {
  type ChildServer,
  freePort,
  plainEnvironment,
  processIdentity,
  spawnServer,
  stopLeftover,
} from './processes.ts'

export type LocalPostgres = {
  /** The addresses of the product's database for its three logins. */
  urls: { owner: string; app: string; read: string }
  /** The superuser's URL of the product's database, to create other databases. */
  adminUrl: string
  /**
   * Returns a URL of this server with its Unix socket, which costs less per message than TCP; the same URL if the
   * machine or the path does not allow a socket.
   */
  bySocket(url: string): string
  pid: number
  /** Resolves with one line about the end of the server, whoever ended it. */
  exited: Promise<string>
  stop(): Promise<void>
}

export type LocalPostgresOptions = {
  dataDir: string
  /** Server settings, as in postgresql.conf. */
  settings?: Readonly<Record<string, string>>
  /** For tests, whose data need not survive a crash of the machine. */
  fast?: boolean
  /** Removes the product's database, which is then created anew. */
  startsOver?: boolean
}

const USER = 'rif'
const DATABASE = 'rif'
const STOP_GRACE_MS = 20_000
const READY_TIMEOUT_MS = 60_000
const POLL_MS = 50
const MAX_START_ATTEMPTS = 5
const MAX_LOG_BYTES = 10_000_000
/** The longest path of a socket on all systems, in bytes. */
const MAX_SOCKET_PATH = 103

const run = promisify(execFile)

/**
 * Starts the PostgreSQL server from npm with its cluster in `dataDir`, which is created on the first start. A
 * server left there by a killed run is stopped first; PostgreSQL recovers its committed data. Listens on a
 * free port of 127.0.0.1 and on a socket in its own folder only. The superuser and each login of the product have separate passwords. Throws
 * StartError.
 */
export async function startPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  await mkdir(options.dataDir, { recursive: true })
  const install = await preparePostgres(options.dataDir)
  const passwordFile = join(options.dataDir, 'postgres-password')
  await stopPreviousServer(install.clusterDir)
  await dropOrphan(install, options.dataDir, passwordFile)
  await initialiseOnce(install, passwordFile, options.fast ?? false)
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const logins = await readLogins(options.dataDir)
  const logFile = join(options.dataDir, 'postgres.log')
  await startLogAfresh(logFile)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = await spawnServer({
      command: join(install.bin, 'postgres'),
      args: serverArguments(install.clusterDir, port, options),
      logFile,
      cwd: '/',
      ...install.user,
    })
    const urlOf = (user: string, secret: string, database: string) =>
      `postgres://${user}:${secret}@127.0.0.1:${port}/${database}`
    if (await becomesReady(server, urlOf(USER, password, 'postgres'))) {
      const adminUrl = urlOf(USER, password, DATABASE)
      if (options.startsOver)
        await withConnection(urlOf(USER, password, 'postgres'), (client) =>
          client.query(`drop database if exists ${DATABASE} with (force)`),
        )
      await provideLogins(new URL(adminUrl), logins)
      const loginUrl = (role: keyof Logins) => urlOf(role, logins[role], DATABASE)
      return {
        urls: { owner: loginUrl(OWNER_ROLE), app: loginUrl(APP_ROLE), read: loginUrl(READ_ROLE) },
        adminUrl,
        bySocket: (url) => withSocket(url, socketDirOf(install.clusterDir)),
        pid: server.pid,
        exited: server.exited,
        stop: () => server.stop(STOP_GRACE_MS),
      }
    }
    // The port was taken in the meantime, or processes of a killed server still hold its memory for a moment.
    if (attempt === MAX_START_ATTEMPTS)
      throw new StartError(`PostgreSQL does not start: ${await lastLine(logFile)}`)
    await sleep(1000)
  }
}

function serverArguments(clusterDir: string, port: number, options: LocalPostgresOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketDirOf(clusterDir) ?? '',
    ...(options.fast && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...options.settings,
  }
  return [
    '-D',
    clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** Returns the folder of the server's socket, which only its user can open; undefined where there can be none. */
function socketDirOf(clusterDir: string): string | undefined {
  const isShort = Buffer.byteLength(`${clusterDir}/.s.PGSQL.65535`) <= MAX_SOCKET_PATH
  // The setting is a list, in which other characters have a meaning.
  const isPlain = /^[\w./-]+$/.test(clusterDir)
  return process.platform !== 'win32' && isShort && isPlain ? clusterDir : undefined
}

function withSocket(url: string, dir: string | undefined): string {
  if (dir === undefined) return url
  return Object.assign(new URL(url), { hostname: encodeURIComponent(dir) }).href
}

/** Removes a cluster outside the data directory (see preparePostgres) whose data directory was removed. */
async function dropOrphan(install: PostgresInstall, dataDir: string, passwordFile: string): Promise<void> {
  const { clusterDir } = install
  if (await exists(passwordFile)) return
  if (dirname(clusterDir) !== resolve(dataDir)) await rm(clusterDir, { recursive: true, force: true })
  else if (await exists(clusterDir)) {
    throw new StartError(`${passwordFile} is missing: restore the whole of DATA_DIR, or remove all of it`)
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A postmaster.pid identifies the server that is running, or was running when killed. */
async function stopPreviousServer(clusterDir: string): Promise<void> {
  const lines = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 1 || !(await processIdentity(pid))) return
  if (await isPostgresOf(pid, clusterDir)) await stopLeftover(pid, STOP_GRACE_MS)
}

/** The number in the file may belong to another program by now. */
async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  const viaProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (viaProc !== undefined) return viaProc.includes(clusterDir)
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes(clusterDir)
}

/**
 * Creates the cluster beside its place and moves it there when complete, so that a kill leaves nothing half
 * made.
 */
async function initialiseOnce(install: PostgresInstall, passwordFile: string, fast: boolean): Promise<void> {
  const { bin, clusterDir, user } = install
  const version = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version !== undefined) return requireVersion(bin, clusterDir, version.trim())
  const fresh = `${clusterDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await makeOwnedDir(fresh, user)
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  const passwordCopy = join(fresh, '..', `postgres-password.${process.pid}`)
  await writeFile(passwordCopy, await readFile(passwordFile), { mode: 0o600 })
  if (user) await chown(passwordCopy, user.uid, user.gid)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${USER}`, `--pwfile=${passwordCopy}`, '--auth=scram-sha-256']
  const args = [
    `--pgdata=${fresh}`,
    ...access,
    ...locale,
    ...(fast ? ['--no-sync', '--no-instructions'] : []),
  ]
  try {
    await run(join(bin, 'initdb'), args, { ...user, cwd: '/', env: plainEnvironment() })
  } catch (error) {
    throw new StartError(`PostgreSQL's files cannot be made in ${clusterDir}: ${reason(error)}`)
  } finally {
    await rm(passwordCopy, { force: true })
  }
  await rename(fresh, clusterDir)
}

/** The last line that a failed program wrote, without its own prefix. */
function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  const lines = (stderr || message).trim().split('\n')
  const fatal = lines.find((line) => /error:|FATAL:/.test(line)) ?? lines.at(-1) ?? ''
  return fatal.replace(/^.*?(error|FATAL):\s*/, '')
}

async function requireVersion(bin: string, clusterDir: string, version: string): Promise<void> {
  const { stdout } = await run(join(bin, 'postgres'), ['--version'], { cwd: '/' })
  const ours = /(\d+)(\.\d+)?\s*$/.exec(stdout)?.[1]
  if (ours && ours !== version) {
    throw new StartError(
      `${clusterDir} was made by PostgreSQL ${version}, this is ${ours}: move it away, or dump it there and restore it`,
    )
  }
}

async function startLogAfresh(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (info) => info.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.old`)
  await writeFile(logFile, '', { flag: 'a' })
  await chmod(logFile, 0o600)
}

async function lastLine(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n')
  const fatal = lines.filter((line) => /FATAL:|PANIC:|could not/.test(line)).at(-1)
  return `${(fatal ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC):\s*/, '')} (see ${logFile})`
}

/** Returns true once the server answers; false if it ended before. */
async function becomesReady(server: ChildServer, url: string): Promise<boolean> {
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!ended && Date.now() < deadline) {
    if (await answers(url)) return true
    await sleep(POLL_MS)
  }
  await server.stop(0)
  return false
}

const answers = (url: string): Promise<boolean> => withConnection(url, async () => true).catch(() => false)
