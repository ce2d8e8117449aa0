import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Finding } from '../../books/ledger/audit.ts'

export type AuditKind = 'full' | 'changes'

/** An audit that the product ran. `endedAt` is null while it runs, and when it was interrupted. */
export interface AuditRun {
  readonly kind: AuditKind
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly differences: number | null
}

const SHOWN_AUDITS = 5
/**
 * The maximum number of stored differences of one audit; an audit after these are cleared finds the others.
 */
const MAX_KEPT = 200
/** Lets two concurrent processes start only one audit. */
const START_LOCK = 7_301_530

/** Returns the last audits, newest first. */
export async function lastAudits(db: Db): Promise<AuditRun[]> {
  const { rows } = await sql<AuditRun>`
    select kind, started_at as "startedAt", ended_at as "endedAt", differences
    from guard_audits order by audit_id desc limit ${SHOWN_AUDITS}`.execute(db)
  return rows
}

/** Returns the end of the last audit that ended; null before the first. */
export async function lastAuditedAt(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select ended_at as at from guard_audits where ended_at is not null order by audit_id desc limit 1`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

/**
 * Starts an audit that is due or requested. Returns its id, and the position from which it reads changes
 * (null: everything). A full audit is due a day after the end of the last one; an audit of changes an hour
 * after the last audit, or when a day was settled since. An audit that was started within the last hour
 * counts, even if it was interrupted. Returns undefined if none is due.
 */
export async function startDueAudit(
  dbTx: Db,
  {
    at,
    settledAt,
    everyMs,
    fullEveryMs,
    isWanted,
  }: {
    at: Date
    settledAt: Date | null
    everyMs: number
    fullEveryMs: number
    isWanted: boolean
  },
): Promise<{ auditId: bigint; since: bigint | null } | undefined> {
  await sql`select pg_advisory_xact_lock(${START_LOCK})`.execute(dbTx)
  const { rows } = await sql<{
    full: Date | null
    fullStarted: Date | null
    last: Date | null
    xid: bigint | null
  }>`
    select max(ended_at) filter (where kind = 'full') as full,
      max(started_at) filter (where kind = 'full') as "fullStarted", max(started_at) as last,
      (select read_xid from guard_audits where read_xid is not null order by audit_id desc limit 1) as xid
    from guard_audits`.execute(dbTx)
  const { full, fullStarted, last, xid } = rows[0]!
  const isOlder = (then: Date | null, ms: number) => then === null || at.getTime() - then.getTime() >= ms
  if (isOlder(full, fullEveryMs) && isOlder(fullStarted, everyMs))
    return { auditId: await startAudit(dbTx, 'full', at), since: null }
  const isSettled = settledAt !== null && last !== null && settledAt > last
  if (!isWanted && !isSettled && !isOlder(last, everyMs)) return undefined
  return { auditId: await startAudit(dbTx, 'changes', at), since: xid }
}

/** Stores the start of an audit, and returns its id. */
export async function startAudit(dbTx: Db, kind: AuditKind, at: Date): Promise<bigint> {
  const { rows } = await sql<{ auditId: bigint }>`
    insert into guard_audits (kind, started_at) values (${kind}, ${at}) returning audit_id as "auditId"`.execute(
    dbTx,
  )
  return rows[0]!.auditId
}

/**
 * Reports whether a database has the row of an audit. A replica has it once it is as recent as the start of
 * the audit.
 */
export async function hasAudit(on: Db, auditId: bigint): Promise<boolean> {
  const { rows } = await sql`select from guard_audits where audit_id = ${auditId}`.execute(on)
  return rows.length > 0
}

/** Returns the time at which the last audit of each kind has ended. */
export async function lastEnded(db: Db): Promise<{ kind: AuditKind; endedAt: Date }[]> {
  const { rows } = await sql<{ kind: AuditKind; endedAt: Date }>`
    select kind, max(ended_at) as "endedAt" from guard_audits where ended_at is not null
    group by kind order by kind`.execute(db)
  return rows
}

/** Stores the end of an audit. */
export async function endAudit(
  dbTx: Db,
  { auditId, at, differences, xid }: { auditId: bigint; at: Date; differences: number; xid: bigint | null },
): Promise<void> {
  await sql`
    update guard_audits set ended_at = ${at}, differences = ${differences}, read_xid = ${xid}::bigint
    where audit_id = ${auditId}`.execute(dbTx)
}

/**
 * Stores the differences that were not found before. Returns the first uncleared ones and their number, by
 * check and subject. At most `MAX_KEPT` uncleared ones are stored.
 */
export async function storeDifferences(
  dbTx: Db,
  findings: readonly Finding[],
  at: Date,
): Promise<{ readonly open: number; readonly first: Finding | undefined }> {
  const column = (of: (finding: Finding) => string) => sql`${findings.map(of)}::text[]`
  const { rows } = await sql<Finding & { open: number }>`
    with found as (
      select distinct * from unnest(${column(({ check }) => check)}, ${column(({ subject }) => subject)},
        ${column(({ expected }) => expected)}, ${column(({ actual }) => actual)})
        as f (check_name, subject, expected, actual)
      where not exists (select from guard_differences as d where cleared_at is not null and (d.check_name, d.subject,
        d.expected, d.actual) = (f.check_name, f.subject, f.expected, f.actual))
      order by 1, 2, 3, 4 limit ${MAX_KEPT}
    ), stored as (
      insert into guard_differences (check_name, subject, expected, actual, found_at)
      select found.*, ${at} from found on conflict do nothing
    )
    select check_name as check, subject, expected, actual, (count(*) over ())::integer as open
    from found order by check_name, subject, expected, actual limit 1`.execute(dbTx)
  const [first] = rows
  return { open: first?.open ?? 0, first }
}

/** A difference that two admins have cleared. */
export type Cleared = Pick<Finding, 'check' | 'subject' | 'expected' | 'actual'> & {
  readonly preparedBy: string
  readonly clearedBy: string
  readonly clearedAt: Date
}

/** Reports whether two findings are the same difference, with the same values. */
export function isSame(clearedFinding: Cleared, other: Finding): boolean {
  const keys = ['check', 'subject', 'expected', 'actual'] as const
  return keys.every((key) => clearedFinding[key] === other[key])
}

/** Returns those of the findings that two admins have cleared. */
export async function clearedAmong(db: Db, findings: readonly Finding[]): Promise<Cleared[]> {
  const subjects = [...new Set(findings.map(({ subject }) => subject))]
  const { rows } = await sql<Cleared>`
    select check_name as check, subject, expected, actual, prepared_by as "preparedBy", cleared_by as "clearedBy",
      cleared_at as "clearedAt"
    from guard_differences where cleared_at is not null and subject = any(${subjects})`.execute(db)
  return rows.filter((row) => findings.some((finding) => isSame(row, finding)))
}

/** Returns the uncleared differences, oldest first. */
export async function openDifferences(db: Db, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select check_name as check, subject, expected, actual from guard_differences
    where cleared_at is null order by found_at, check_name, subject limit ${limit}`.execute(db)
  return rows
}

/** Clears all open differences; they do not close the gate again. Returns their number. */
export async function clearDifferences(
  dbTx: Db,
  { preparedBy, clearedBy, at }: { preparedBy: string; clearedBy: string; at: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update guard_differences set cleared_at = ${at}, prepared_by = ${preparedBy}, cleared_by = ${clearedBy}
    where cleared_at is null`.execute(dbTx)
  return Number(numAffectedRows ?? 0n)
}

/** Returns the time of the installation. */
export async function startedAt(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select started_at as at from guard_start`.execute(db)
  return rows[0]!.at
}
