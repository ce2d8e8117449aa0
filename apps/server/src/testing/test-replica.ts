import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { withConnection } from '../db/connection.ts'
import { migrateSimulation } from '../db/simulation.ts'
import { startPostgres } from '../local/postgres.ts'
import { preparePostgres } from '../local/postgres-install.ts'
import { freePort, spawnServer } from '../local/processes.ts'

const run = promisify(execFile)
const GRACE_MS = 10_000

/** A PostgreSQL server with a migrated database, and a streaming replica of it, both for one test file. */
export interface TestReplica {
  /** The superuser's URL of the database, and of its replica. */
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Pauses the replay of received changes on the replica, until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Makes the replica a server of its own, which follows nothing. */
  promote(): Promise<void>
  /** Ends the replica. */
  stopReplica(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts both servers. The replica starts from a copy of the files between the start and the end of a backup.
 */
export async function startTestReplica(): Promise<TestReplica> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-replica-'))
  const dataDir = join(dir, 'primary')
  const primary = await startPostgres({ dataDir, fast: true, settings: { autovacuum: 'off' } })
  await migrateSimulation(primary.urls.owner)
  const { clusterDir, bin, user } = await preparePostgres(dataDir)
  const copy = `${clusterDir}.replica`
  const label = await backUp(primary.adminUrl, clusterDir, copy)
  const files = { backup_label: label, 'standby.signal': '' }
  for (const [name, text] of Object.entries(files)) {
    const path = join(copy, name)
    // A copied file of the cluster keeps its owner.
    await run('cp', ['-p', join(copy, 'PG_VERSION'), path])
    await writeFile(path, text)
  }
  await rm(join(copy, 'postmaster.pid'), { force: true })
  const { hostname, port: primaryPort, username, password } = new URL(primary.adminUrl)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: '',
    fsync: 'off',
    primary_conninfo: `host=${hostname} port=${primaryPort} user=${username} password=${password}`,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(dir, 'replica.log')
  const replica = await spawnServer({
    command: join(bin, 'postgres'),
    args: ['-D', copy, ...args],
    logFile,
    cwd: '/',
    ...user,
  })
  const replicaUrl = Object.assign(new URL(primary.adminUrl), { port: `${port}` }).href
  await untilReady(replicaUrl, logFile)
  const onReplica = (statement: string) => withConnection(replicaUrl, (client) => client.query(statement))
  const stopReplica = () => replica.stop(GRACE_MS)
  return {
    primaryUrl: primary.adminUrl,
    replicaUrl,
    stopReplica,
    pause: async () => void (await onReplica('select pg_wal_replay_pause()')),
    promote: async () => void (await onReplica('select pg_promote()')),
    resume: async () => void (await onReplica('select pg_wal_replay_resume()')),
    close: async () => {
      await stopReplica()
      await primary.stop()
      await Promise.all([copy, dir].map((path) => rm(path, { recursive: true, force: true })))
    },
  }
}

/** Copies the files of a running cluster. Returns the label of the backup, which belongs into the copy. */
async function backUp(url: string, from: string, to: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('replica', true)")
    await run('cp', ['-a', from, to])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    return rows[0]!.labelfile
  } finally {
    await client.end()
  }
}

async function untilReady(url: string, logFile: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isReady = await withConnection(url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(50)
  }
  throw new Error(`the replica does not start: ${await readFile(logFile, 'utf8')}`)
}
