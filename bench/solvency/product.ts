import { nextDay } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../apps/server/src/app.ts'
import { AUDIT_CHECKS } from '../../apps/server/src/audit.ts'
import type { Database } from '../../apps/server/src/db/database.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { auditChanges } from '../../apps/server/src/modules/books/ledger/audit.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { SOLVENCY_CHECKS } from '../../apps/server/src/modules/trust/solvency/audit.ts'
import { createProofs } from '../../apps/server/src/modules/trust/solvency/solvency.proofs.service.ts'
import { createSolvency } from '../../apps/server/src/modules/trust/solvency/solvency.ts'
import { openSessions } from '../api/members.ts'
import { median } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { addEarlierReports, DAY, FIRST_DAY } from './books.ts'
import { type Load, load } from './load.ts'
import { SALT_KEY, type Time, timeOf } from './tree.ts'

const PROOFS = 300
const CALLERS = 256
const CHANGES = 10_000
const CHANGES_AT_ONCE = 8
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
const API = '/api/v1/'

/** Durations in ms of the parts of building a report. */
export interface Building {
  readonly chainMs: number
  readonly readMs: number
  readonly treeMs: number
  readonly storeMs: number
}

/** Builds the reports of both days with the product, and returns the durations of the second. */
export async function buildReports(database: Database): Promise<Building> {
  const books = createTestBooks(database, FIRST_DAY)
  books.goTo(nextDay(DAY), 60_000)
  let building: Building | undefined
  const log = Object.assign(createLogger({ level: 'silent' }), {
    info: (fields: Building) => {
      building = fields
    },
  })
  const { solvencySnapshots } = createSolvency({ ...books, log, saltKey: SALT_KEY })
  await solvencySnapshots.catchUp()
  return building!
}

/** Returns the address that `openSessions` gives a member. */
const addressOf = (member: number) => `0x${(member - 1).toString(16).padStart(40, '0')}`

/**
 * Returns the latencies of members' proofs, requested one after the other, in ms and in order, without the
 * first ones, which warm up.
 */
export async function measureProofs({ db }: Database, members: number): Promise<number[]> {
  const proofs = createProofs({ db, saltKey: SALT_KEY })
  const times: number[] = []
  for (let round = 0; round < PROOFS; round++) {
    const member = 1 + ((round * 7_919_993) % members)
    const { wall } = await timeOf(() =>
      proofs.proof({ memberId: BigInt(member), address: addressOf(member) }, DAY),
    )
    times.push(wall * 1_000)
  }
  return times.slice(PROOFS / 10).toSorted((time, other) => time - other)
}

/**
 * Audits everything, and then, after 10,000 postings of as many members, only the changes. Throws Error when
 * an audit finds a difference.
 */
export async function measureAudits(
  database: Database,
  members: number,
  rounds: number,
): Promise<{ full: Time; changes: number }> {
  const { db } = database
  const books = createTestBooks(database, FIRST_DAY)
  books.goTo(nextDay(DAY), 3_600_000)
  let since = 0n
  const full = await timeOf(async () => {
    const { xid, findings } = await auditChanges(db, { checks: AUDIT_CHECKS })
    refuse(findings)
    since = xid
  })
  for (let first = 0; first < CHANGES; first += CHANGES_AT_ONCE)
    await Promise.all(
      Array.from({ length: CHANGES_AT_ONCE }, (_, place) =>
        books.grant(1n + ((BigInt(first + place) * 7_919n) % BigInt(members)), 'USDT', 1_000_000n),
      ),
    )
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { wall } = await timeOf(async () =>
      refuse((await auditChanges(db, { checks: AUDIT_CHECKS, since })).findings),
    )
    times.push(wall)
  }
  return { full, changes: median(times) }
}

/** The members are inserted without the figures of other modules, whose checks report that. */
function refuse(findings: readonly { readonly check: string; readonly subject: string }[]): void {
  const others = new Set(
    AUDIT_CHECKS.filter((check) => !SOLVENCY_CHECKS.includes(check)).map(({ name }) => name),
  )
  const ownFindings = findings.filter(({ check }) => !others.has(check))
  if (ownFindings.length > 0)
    throw new Error(`the audit found ${ownFindings[0]!.check}: ${ownFindings[0]!.subject}`)
}

/** Measures the public figures, with every second request conditional, and members' proofs, over HTTP. */
export async function measureLoad(
  database: Database,
  members: number,
  seconds: number,
): Promise<{ figures: Load; conditional: Load; proofs: Load }> {
  await addEarlierReports(database)
  const services = servicesOn(database)
  const ids = Array.from({ length: members }, (_, member) => BigInt(member + 1))
  const callers = await openSessions(services, ids, CALLERS)
  const solvencyProofs = createProofs({ db: database.db, saltKey: SALT_KEY })
  const app: FastifyInstance = await createApp(
    { ...services, solvencyProofs },
    { log: createLogger({ level: 'silent' }), rateLimits: NO_LIMITS },
  )
  try {
    const figures = [{ path: `${API}solvency`, headers: {} }]
    const proofs = callers.map(({ address, token }) => ({
      path: `${API}solvency/proof?day=${DAY}`,
      headers: { authorization: `Bearer ${token}`, 'x-wallet-address': address },
    }))
    const conditionalRequests = async () => {
      const { headers } = await app.inject({ url: `${API}solvency` })
      return [...figures, { path: `${API}solvency`, headers: { 'if-none-match': `${headers.etag}` } }]
    }
    // The first run of each warms up.
    await load(app, figures, seconds)
    await load(app, proofs, seconds)
    return {
      figures: await load(app, figures, seconds),
      conditional: await load(app, await conditionalRequests(), seconds),
      proofs: await load(app, proofs, seconds),
    }
  } finally {
    await app.close()
  }
}
