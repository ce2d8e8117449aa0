import { posix } from 'node:path'
import { API_PREFIX, type ErrorCode, isAdminRole, type Route, type RouteName, routes } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { inTx } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import type { Admin, Caller } from '../lib/caller.ts'
import { type Authenticates, callerOf } from './authentication.ts'
import { createBudgets } from './budgets.ts'
import { refusalOf } from './errors.ts'
import { sourceOf } from './rate-limits.ts'

/** The refusals of callers who tried calls of others. */
const LOGGED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['UNAUTHORIZED', 'FORBIDDEN', 'OWN_PROPOSAL', 'NONCE_INVALID', 'SIGNATURE_INVALID'] as const),
])
const MINUTE_MS = 60_000
/** The number of entries that a source may cause. An admin's entries count for that admin alone. */
const PER_ADMIN = { entries: 60, windowMs: MINUTE_MS }
const PER_MEMBER = { entries: 5, windowMs: MINUTE_MS }
const MEMBERS_OF_SOURCE = { entries: 60, windowMs: MINUTE_MS }
const ALL_STRANGERS = { entries: 10, windowMs: 60 * MINUTE_MS }
/** The number of session look-ups for one source's calls that match no route. */
const UNMATCHED_PER_SOURCE = { entries: 60, windowMs: MINUTE_MS }
const MAX_LOGGED_LENGTH = 200

interface LoggedAttempt {
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly after: object
}

interface Deps {
  readonly db: Db
  readonly adminLog: { record(dbTx: Db, entry: LoggedAttempt): Promise<void> }
  readonly admins: { find(db: Db, address: string): Promise<Admin | undefined> }
  readonly auth: Authenticates
}

/**
 * Logs refused attempts on operators' calls: the caller, the call and the reason. Each admin has a budget of
 * entries, each member has one and shares another with all callers behind the same address, and callers
 * without a session share a small one. Returns the function that logs an attempt by a request that matches no
 * route, so that a path in another spelling is logged too.
 */
export function useAttempts(
  app: FastifyInstance,
  { db, adminLog, admins, auth }: Deps,
): (request: FastifyRequest) => Promise<void> {
  const { take, takeShared } = createBudgets(db)

  /**
   * Returns the number of unlogged attempts of the same source since its last entry; undefined when this
   * attempt is not logged either.
   */
  async function skippedBefore(request: FastifyRequest, caller: Caller | null): Promise<number | undefined> {
    if (caller === null) return takeShared('strangers', ALL_STRANGERS)
    const isAdmin = (await forAll('reads', () => admins.find(db, caller.address))) !== undefined
    if (isAdmin) return takeShared(`admin ${caller.address}`, PER_ADMIN)
    const own = await takeShared(`member ${caller.address}`, PER_MEMBER)
    if (own === undefined) return undefined
    const ofAll = await takeShared(`members ${sourceOf(request)}`, MEMBERS_OF_SOURCE)
    return ofAll === undefined ? undefined : own
  }

  async function log(request: FastifyRequest, caller: Caller | null, attempt: Attempt): Promise<void> {
    try {
      const skipped = await skippedBefore(request, caller)
      if (skipped === undefined) return
      const { route, ...after } = attempt
      const entry = {
        actor: actorOf(request, caller),
        action: 'attempt.refused',
        subject: `call/${route}`,
        after: { ...after, ip: request.ip, ...(skipped > 0 && { not_logged_before: skipped }) },
      }
      await forAll('writes', () => inTx(db, (dbTx) => adminLog.record(dbTx, entry)))
    } catch (failure) {
      request.log.error({ err: failure, ...attempt }, 'a refused attempt could not be logged')
    }
  }

  app.addHook('onError', async (request, _reply, error) => {
    const { access, routeName } = request.routeOptions.config
    if (!isAdminRole(access)) return
    const { code } = refusalOf(error)
    if (!LOGGED.has(code)) return
    const params = Object.entries(request.params ?? {}).map(([name, value]) => [name, shown(value)])
    await log(request, request.caller, {
      route: routeName ?? 'none',
      error: code,
      params: Object.fromEntries(params),
    })
  })

  return async (request) => {
    const path = plainPath(request.url)
    if (!path.startsWith(`${API_PREFIX}admin/`)) return
    if (take(`unmatched ${sourceOf(request)}`, UNMATCHED_PER_SOURCE) === undefined) return
    const caller = await callerOf(auth, request).catch(() => null)
    if (caller === null) return
    const route = routeAt(request.method, path.slice(API_PREFIX.length)) ?? 'none'
    await log(request, caller, { route, error: 'NOT_FOUND', path: shown(request.url.split('?', 1)[0]) })
  }
}

interface Attempt {
  readonly route: string
  readonly error: ErrorCode
  readonly params?: Readonly<Record<string, string>>
  readonly path?: string
}

/** Returns the signed-in wallet, or the one that the caller claims. */
function actorOf({ headers }: FastifyRequest, caller: Caller | null): string {
  if (caller !== null) return caller.address
  const claimed = headers['x-wallet-address']
  const isWallet = typeof claimed === 'string' && /^0x[0-9a-fA-F]{40}$/.test(claimed)
  return isWallet ? `claimed:${claimed.toLowerCase()}` : 'unknown'
}

/** Returns a text that the log can store: PostgreSQL accepts neither NUL nor half of a surrogate pair. */
function shown(value: unknown): string {
  return String(value)
    .replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
    .slice(0, MAX_LOGGED_LENGTH)
}

/** The number of times that nested encodings are decoded. */
const DECODED_TIMES = 3
const MAX_PATH_LENGTH = 2_000

/** Returns a path in the form of the route table: decoded, without control characters, repeated slashes and dots, in lower case. */
export function plainPath(url: string): string {
  let path = url.slice(0, MAX_PATH_LENGTH).split(/[?#]/, 1)[0]!
  for (let time = 0; time < DECODED_TIMES; time++) {
    path = path.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
  const clean = path.replace(/\p{Cc}/gu, '').replace(/[\\;]/g, '/')
  return posix.normalize(clean).replace(/\/+$/, '').toLowerCase()
}

/** The operators' calls with patterns of their paths, which also match files and parameters that are too long. */
const ADMIN_ROUTES = Object.entries(routes as Readonly<Record<string, Route>>)
  .filter(([, { access }]) => isAdminRole(access))
  .map(([name, { method, path }]) => {
    const pattern = path.toLowerCase().replace(/:[a-z_]+/g, '[^/]*')
    return { name: name as RouteName, method, pattern: new RegExp(`^${pattern}(/csv|/jsonl)?$`) }
  })

function routeAt(method: string, path: string): RouteName | undefined {
  const candidates = ADMIN_ROUTES.filter(({ pattern }) => pattern.test(path))
  return (candidates.find((route) => route.method === method) ?? candidates[0])?.name
}
