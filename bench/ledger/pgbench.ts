import { execFile } from 'node:child_process'
import { access, constants, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const DEBIAN_DIR = '/usr/lib/postgresql'
const run = promisify(execFile)

/**
 * Returns the path of PostgreSQL's load generator, on PATH or where Debian installs it. Throws when it is in
 * neither place.
 */
export async function findPgbench(): Promise<string> {
  const versions = await readdir(DEBIAN_DIR).catch(() => [])
  // Before PATH, because Debian's command on PATH is a wrapper in Perl.
  const dirs = [
    ...versions
      .sort()
      .toReversed()
      .map((version) => join(DEBIAN_DIR, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  for (const dir of dirs) {
    const path = join(dir, 'pgbench')
    const executable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (executable) return path
  }
  throw new Error(
    `pgbench is neither in ${DEBIAN_DIR}/*/bin nor on PATH; it comes with the PostgreSQL server package`,
  )
}

export interface PgbenchLoad {
  readonly url: string
  readonly role: string
  readonly script: string
  /** The schema of the script's tables and functions, in addition to `public`. */
  readonly schema?: string
  readonly clients: number
  readonly seconds: number
}

/**
 * Measures the transactions per second of a script, sent as prepared statements by two threads. Throws when a
 * transaction failed.
 */
export async function runPgbench(pgbench: string, load: PgbenchLoad): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'rif-pgbench-'))
  try {
    const file = join(dir, 'script.sql')
    await writeFile(file, load.script)
    const url = new URL(load.url)
    const times = ['-c', `${load.clients}`, '-j', '2', '-T', `${load.seconds}`]
    const options = ['-n', '-M', 'prepared', ...times, '-f', file]
    const path = load.schema === undefined ? '' : ` -c search_path=${load.schema},public`
    const { stdout } = await run(pgbench, options, {
      env: {
        ...process.env,
        PGHOST: decodeURIComponent(url.hostname),
        PGPORT: url.port,
        PGUSER: url.username,
        PGPASSWORD: url.password,
        PGDATABASE: url.pathname.slice(1),
        PGOPTIONS: `-c role=${load.role}${path}`,
      },
    })
    const tps = /tps = ([0-9.]+)/.exec(stdout)?.[1]
    if (tps === undefined) throw new Error(`pgbench did not say how fast it was: ${stdout}`)
    return Number(tps)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
