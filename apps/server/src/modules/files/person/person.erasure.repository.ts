import type { OpenMatter } from '@rif/api-schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Person } from './person.repository.ts'
import { ERASURE } from './personal-data.ts'

export interface ErasureRow {
  readonly erasureId: bigint
  readonly memberId: bigint
  readonly requestedBy: 'member' | 'operator'
  readonly requestedAt: Date
  readonly dueAt: Date
  readonly cancelledAt: Date | null
  readonly doneAt: Date | null
}

/** An open request with the information that operators need. */
export interface QueuedErasure extends ErasureRow {
  readonly address: string
  readonly onHold: boolean
}

const ROW = sql`erasure_id as "erasureId", member_id as "memberId", requested_by as "requestedBy",
  requested_at as "requestedAt", due_at as "dueAt", cancelled_at as "cancelledAt", done_at as "doneAt"`
const OPEN = sql`cancelled_at is null and done_at is null`
/** Operators are checking the account of a member who is frozen or flagged. */
const CHECKED = sql`(members.state = 'deactivated'
  or members.member_id in (select member_id from risk_flags))`

/** Returns the member's last request that was not cancelled. */
export async function lastOf(db: Db, memberId: bigint): Promise<ErasureRow | undefined> {
  const { rows } = await sql<ErasureRow>`
    select ${ROW} from erasures where member_id = ${memberId} and cancelled_at is null
    order by erasure_id desc limit 1`.execute(db)
  return rows[0]
}

/** Stores a request, unless one is open. Returns whether it was stored. */
export async function insertErasure(
  dbTx: Db,
  request: Pick<ErasureRow, 'memberId' | 'requestedBy' | 'requestedAt' | 'dueAt'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into erasures (member_id, requested_by, requested_at, due_at)
    values (${request.memberId}, ${request.requestedBy}, ${request.requestedAt}, ${request.dueAt})
    on conflict (member_id) where ${OPEN} do nothing`.execute(dbTx)
  return numAffectedRows === 1n
}

/** Cancels the open request of a member. Returns whether there was one. */
export async function cancelErasure(dbTx: Db, memberId: bigint, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update erasures set cancelled_at = ${at} where member_id = ${memberId} and ${OPEN}`.execute(dbTx)
  return numAffectedRows === 1n
}

/** Marks the open request of a member as executed, if it is due by a time. Returns whether there was one. */
export async function finishErasure(
  dbTx: Db,
  memberId: bigint,
  { at, dueBy }: { at: Date; dueBy?: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update erasures set done_at = ${at}
    where member_id = ${memberId} and ${OPEN} ${dueBy ? sql`and due_at <= ${dueBy}` : sql``}`.execute(dbTx)
  return numAffectedRows === 1n
}

/** Returns open requests after a position, first due first. `dueBy` excludes later ones and those on hold. */
export async function openRequests(
  db: Db,
  { after, dueBy, limit }: { after: ErasureRow | undefined; dueBy?: Date; limit: number },
): Promise<QueuedErasure[]> {
  const { rows } = await sql<QueuedErasure>`
    select * from (
      select ${ROW} from erasures where ${OPEN}
        ${after ? sql`and (due_at, erasure_id) > (${after.dueAt}, ${after.erasureId})` : sql``}
        ${dueBy ? sql`and due_at <= ${dueBy}` : sql``}) as open
    cross join lateral (
      select address, ${CHECKED} as "onHold" from members where member_id = open."memberId") as who
    ${dueBy ? sql`where not "onHold"` : sql``}
    order by "dueAt", "erasureId" limit ${limit}`.execute(db)
  return rows
}

/** Reports whether operators are checking a member's account. */
export async function isChecked(db: Db, memberId: bigint): Promise<boolean> {
  const { rows } = await sql<{ checked: boolean }>`
    select ${CHECKED} as checked from members where member_id = ${memberId}`.execute(db)
  return rows[0]!.checked
}

/** Returns a member's holdings, by asset and in micro-units, over all of the member's accounts. */
export async function leftBalancesOf(db: Db, memberId: bigint): Promise<{ asset: string; micros: bigint }[]> {
  const { rows } = await sql<{ asset: string; micros: bigint }>`
    select asset, sum(balance)::bigint as micros from ledger_balances
    where member_id = ${memberId} and ledger_account_class(account) = 'member'
    group by asset having sum(balance) > 0 order by asset`.execute(db)
  return rows
}

/** Returns the unfinished items with their numbers. */
export async function openMatters(db: Db, memberId: bigint): Promise<{ what: OpenMatter; count: number }[]> {
  const { rows } = await sql<{ what: OpenMatter; count: number }>`
    select what, sum(count)::integer as count from (
      select 'order' as what, count(*) from orders
        where member_id = ${memberId} and status in ('UnPaid', 'Processing')
      union all select 'withdrawal', count(*) from withdrawals
        where member_id = ${memberId} and status in ('Auditing', 'Withdrawable')
      union all select 'transfer', count(*) from transfers where member_id = ${memberId} and status = 'Auditing'
      union all select 'fund', count(*) from fund_orders
        where member_id = ${memberId} and (units_left > 0 or status in ('UnPaid', 'Processing', 'Subscription'))
      union all select 'standing', count(*) from standing_savings where member_id = ${memberId}
    ) as found (what, count) group by what having sum(count) > 0 order by what`.execute(db)
  return rows
}

/**
 * Waits for the member's statements. Reports whether one is being made, or was cancelled since a time and may
 * still be written: its chunks would be stored after the erasure.
 */
export async function isMakingStatement(
  dbTx: Db,
  memberId: bigint,
  { cancelledSince }: { cancelledSince: Date },
): Promise<boolean> {
  const { rows } = await sql<{ step: string; finishedAt: Date | null }>`
    select step, finished_at as "finishedAt" from statements where member_id = ${memberId}
    order by statement_id for update`.execute(dbTx)
  return rows.some(
    ({ step, finishedAt }) => step === 'running' || (step === 'cancelled' && finishedAt! > cancelledSince),
  )
}

/**
 * Returns the condition of the member's rows that an erasure deletes or empties in a table; null for a table
 * that is kept.
 */
function erasedIn(table: string, { memberId, address }: Person): RawBuilder<unknown> | null {
  const treatment = ERASURE[table]!
  if ('keep' in treatment) return null
  switch (treatment.erase) {
    case 'member_id':
      return sql`member_id = ${memberId}`
    case 'address':
      return sql`address = ${address}`
    case 'of_statements':
      return sql`statement_id in (select statement_id from statements where member_id = ${memberId})`
    case 'consent_texts':
      return sql`member_id = ${memberId} and statement <> '{}'
        and statement::jsonb ->> 'primaryType' not in ('Withdrawal', 'Transfer', 'EraseData')`
  }
}

/** Returns the number of rows that an erasure would change, by table; tables without any are left out. */
export async function countRows(db: Db, person: Person): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of Object.keys(ERASURE)) {
    const where = erasedIn(table, person)
    if (where === null) continue
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)} where ${where}`.execute(db)
    if (rows[0]!.count > 0) counts[table] = rows[0]!.count
  }
  return counts
}

/** Erases the rows of a member, table after table. Returns their number. */
export async function eraseRows(dbTx: Db, person: Person): Promise<number> {
  let erased = 0n
  for (const [table, treatment] of Object.entries(ERASURE)) {
    const where = erasedIn(table, person)
    if (where === null) continue
    const isText = 'erase' in treatment && treatment.erase === 'consent_texts'
    const { numAffectedRows } = isText
      ? await sql`update ${sql.table(table)} set statement = '{}', signature = '' where ${where}`.execute(
          dbTx,
        )
      : await sql`delete from ${sql.table(table)} where ${where}`.execute(dbTx)
    erased += numAffectedRows ?? 0n
  }
  return Number(erased)
}
