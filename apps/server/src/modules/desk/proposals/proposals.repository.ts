import type { ProposalKind, ProposalPayload, ProposalState } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** A stored proposal; the schema describes the columns. */
export interface ProposalRow {
  readonly proposalId: bigint
  readonly kind: ProposalKind
  readonly subject: string
  readonly content: string
  readonly digest: string
  readonly reason: string
  readonly delayMs: bigint
  readonly state: ProposalState
  readonly preparedBy: string
  readonly preparedPerson: string
  readonly preparedAt: Date
  readonly expiresAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly decisionReason: string | null
  readonly signature: string | null
  readonly applyAfter: Date | null
  readonly appliedAt: Date | null
  readonly failure: string | null
  readonly approvalsNeeded: number
  readonly payees: readonly string[]
  /** The USDT worth of its payments; null without a price. */
  readonly worthMicros: bigint | null
  /** Oldest first. */
  readonly approvals: readonly ApprovalRow[]
}

/** An approval of a proposal by one person. */
export interface ApprovalRow {
  readonly person: string
  readonly address: string
  /** ISO 8601. */
  readonly at: string
}

export type NewProposal = Pick<
  ProposalRow,
  | 'kind'
  | 'subject'
  | 'content'
  | 'reason'
  | 'delayMs'
  | 'preparedBy'
  | 'preparedPerson'
  | 'preparedAt'
  | 'expiresAt'
  | 'approvalsNeeded'
  | 'payees'
  | 'worthMicros'
>

const APPROVALS = sql`
  coalesce((select jsonb_agg(jsonb_build_object('person', a.person, 'address', a.address,
      'at', to_char(a.approved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.approved_at, a.person)
    from proposal_approvals as a where a.proposal_id = proposals.proposal_id), '[]')`

const COLUMNS = sql`
  proposal_id as "proposalId", kind, subject, content, '0x' || encode(digest, 'hex') as digest, reason,
  delay_ms as "delayMs", state, prepared_by as "preparedBy", prepared_person as "preparedPerson",
  prepared_at as "preparedAt", expires_at as "expiresAt", decided_by as "decidedBy", decided_at as "decidedAt",
  decision_reason as "decisionReason", signature, apply_after as "applyAfter", applied_at as "appliedAt", failure,
  approvals_needed as "approvalsNeeded", payees, worth_micros as "worthMicros",
  ${APPROVALS} as approvals`

/** Greater than every id. */
const MAX_ID = 2n ** 63n - 1n

/** Inserts a proposal. Returns undefined if another with the same subject is open. */
export async function insertProposal(dbTx: Db, proposal: NewProposal): Promise<ProposalRow | undefined> {
  const { kind, subject, content, reason, delayMs } = proposal
  const { preparedBy, preparedPerson, preparedAt, expiresAt, approvalsNeeded, payees, worthMicros } = proposal
  const { rows } = await sql<{ proposalId: bigint }>`
    insert into proposals (kind, subject, content, digest, reason, delay_ms, prepared_by, prepared_person,
      prepared_at, expires_at, approvals_needed, payees, worth_micros)
    values (${kind}, ${subject}, ${content}, sha256(convert_to(${content}, 'UTF8')),
      ${reason}, ${delayMs}, ${preparedBy}, ${preparedPerson}, ${preparedAt}, ${expiresAt},
      ${approvalsNeeded}, ${payees}::text[], ${worthMicros})
    on conflict (kind, subject) where state in ('Open', 'Approved') do nothing
    returning proposal_id as "proposalId"`.execute(dbTx)
  return rows[0] && findProposal(dbTx, rows[0].proposalId)
}

export async function findProposal(db: Db, proposalId: bigint): Promise<ProposalRow | undefined> {
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS} from proposals where proposal_id = ${proposalId}`.execute(db)
  return rows[0]
}

export async function lockProposal(dbTx: Db, proposalId: bigint): Promise<ProposalRow | undefined> {
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS} from proposals where proposal_id = ${proposalId} for update`.execute(dbTx)
  return rows[0]
}

/**
 * Returns proposals, newest first, up to `limit` + 1: each state's newest through its own index, however many
 * have ended.
 */
export async function listProposals(
  db: Db,
  filter: {
    states: readonly ProposalState[]
    kinds: readonly ProposalKind[] | null
    /** The wallets of the preparers who are left out, and of the only ones, in lower case. */
    notBy?: readonly string[] | undefined
    by?: readonly string[] | undefined
    decidedBy?: { address: string; since: Date } | undefined
    before?: bigint | undefined
    limit: number
  },
): Promise<ProposalRow[]> {
  const { states, kinds, notBy, by, decidedBy, before, limit } = filter
  const wanted = [
    sql`state = wanted.name`,
    sql`proposal_id < coalesce(${before ?? null}::bigint, ${MAX_ID}::bigint)`,
  ]
  if (kinds !== null) wanted.push(sql`kind = any (${kinds})`)
  if (notBy !== undefined) wanted.push(sql`prepared_by <> all (${notBy}::text[])`)
  if (by !== undefined) wanted.push(sql`prepared_by = any (${by}::text[])`)
  if (decidedBy !== undefined)
    wanted.push(sql`decided_by = ${decidedBy.address} and decided_at >= ${decidedBy.since}`)
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS}
    from unnest(${states}::text[]) as wanted (name)
    cross join lateral (
      select proposals.* from proposals
      where ${sql.join(wanted, sql` and `)}
      order by proposal_id desc limit ${limit + 1}
    ) as proposals
    order by proposal_id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** The facts that determine who may decide on a proposal. */
export type ProposalFacts = Pick<
  ProposalRow,
  ('kind' | 'state' | 'preparedBy' | 'preparedPerson' | 'preparedAt' | 'expiresAt') | ('payees' | 'approvals')
>

/** Returns open proposals of some kinds that others prepared, oldest first, without their content. */
export async function openFacts(
  db: Db,
  { kinds, notBy, limit }: { kinds: readonly ProposalKind[]; notBy: readonly string[]; limit: number },
): Promise<ProposalFacts[]> {
  const { rows } = await sql<ProposalFacts>`
    select kind, state, prepared_by as "preparedBy", prepared_person as "preparedPerson",
      prepared_at as "preparedAt", expires_at as "expiresAt", payees, ${APPROVALS} as approvals
    from proposals
    where state = 'Open' and kind = any (${kinds}::text[]) and prepared_by <> all (${notBy}::text[])
    order by proposal_id limit ${limit}`.execute(db)
  return rows
}

export async function countOpenProposals(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from proposals where state = 'Open'`.execute(db)
  return rows[0]!.open
}

/** Returns the open proposals of a kind by subject. */
export async function openBySubject(
  db: Db,
  kind: ProposalKind,
  subjects: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ subject: string; proposalId: bigint }>`
    select subject, proposal_id as "proposalId" from proposals
    where kind = ${kind} and state in ('Open', 'Approved') and subject = any (${subjects})`.execute(db)
  return new Map(rows.map(({ subject, proposalId }) => [subject, proposalId]))
}

/** The proposals that count together with another: earlier ones within 24 hours. */
export interface PaidBefore {
  /** Undefined for a proposal that is about to be stored. */
  readonly proposalId: bigint | undefined
  /** The wallets of the person who prepares it, in lower case. */
  readonly preparers: readonly string[]
  readonly at: Date
  readonly payees: readonly string[]
  /** The kinds that count for the preparing person. */
  readonly ofPreparer: readonly ProposalKind[]
}

/** 'prep' as a number; no other advisory lock of this database uses it. */
const PREPARING_LOCK = 0x70726570

/**
 * Waits for proposals that are being stored, and makes others wait until the transaction ends. Each thus sees
 * all proposals with lower numbers, and their order never depends on the clocks of two processes.
 */
export async function lockPreparing(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PREPARING_LOCK})`.execute(dbTx)
}

/**
 * Returns the USDT worths of proposals prepared at most 24 hours earlier that are neither refused nor
 * expired: of the same person with any wallet, and to the payee that receives most. Null if one of these has
 * no price.
 */
export async function paidBefore(
  db: Db,
  { proposalId, preparers, at, payees, ofPreparer }: PaidBefore,
): Promise<{ byAsker: bigint | null; toOne: bigint | null }> {
  const { rows } = await sql<{ byAsker: bigint | null; toOne: bigint | null }>`
    with earlier as materialized (
      select prepared_by, kind, payees, worth_micros as worth from proposals
      where worth_micros is distinct from 0 and state in ('Open', 'Approved', 'Applied')
        and prepared_at > ${at}::timestamptz - interval '24 hours'
        and proposal_id < coalesce(${proposalId ?? null}::bigint, ${MAX_ID}::bigint)
    ), asked as (
      select worth from earlier
      where prepared_by = any (${preparers}::text[]) and kind = any (${ofPreparer}::text[])
    ), paid as (
      select payee, bool_or(worth is null) as is_unknown, sum(worth) as worth
      from earlier cross join lateral unnest(payees) as payee
      where payee = any (${payees}::text[]) group by payee
    )
    select
      (select case when bool_or(worth is null) then null else coalesce(sum(worth), 0) end::bigint from asked) as "byAsker",
      (select case when bool_or(is_unknown) then null else coalesce(max(worth), 0) end::bigint from paid) as "toOne"`.execute(
    db,
  )
  return rows[0]!
}

/** Returns the payloads of the open proposals of a kind whose subject has a prefix, by id. */
export async function openPayloads<K extends ProposalKind>(
  db: Db,
  kind: K,
  subjectStart: string,
): Promise<Map<bigint, ProposalPayload<K>>> {
  const { rows } = await sql<{ proposalId: bigint; payload: ProposalPayload<K> }>`
    select proposal_id as "proposalId", content::jsonb -> 'payload' as payload from proposals
    where kind = ${kind} and state in ('Open', 'Approved') and starts_with(subject, ${subjectStart})
    order by proposal_id`.execute(db)
  return new Map(rows.map(({ proposalId, payload }) => [proposalId, payload]))
}

/** Returns the open proposal of a kind about a subject, locked. */
export async function lockOpen(
  dbTx: Db,
  kind: ProposalKind,
  subject: string,
): Promise<ProposalRow | undefined> {
  const { rows } = await sql<ProposalRow>`
    select ${COLUMNS} from proposals
    where kind = ${kind} and subject = ${subject} and state = 'Open' for update`.execute(dbTx)
  return rows[0]
}

/** Updates the state of a proposal; omitted columns become or stay null. */
export interface ProposalStep {
  readonly state: ProposalState
  readonly decidedBy?: string
  readonly decidedAt?: Date
  readonly decisionReason?: string
  readonly signature?: string
  readonly applyAfter?: Date
  readonly appliedAt?: Date
  readonly result?: unknown
  readonly failure?: string
}

export async function moveProposal(dbTx: Db, proposalId: bigint, step: ProposalStep): Promise<ProposalRow> {
  const result = step.result === undefined ? null : JSON.stringify(step.result)
  const { rows } = await sql<ProposalRow>`
    update proposals set state = ${step.state},
      decided_by = coalesce(${step.decidedBy ?? null}, decided_by),
      decided_at = coalesce(${step.decidedAt ?? null}::timestamptz, decided_at),
      decision_reason = coalesce(${step.decisionReason ?? null}, decision_reason),
      signature = coalesce(${step.signature ?? null}, signature),
      apply_after = coalesce(${step.applyAfter ?? null}::timestamptz, apply_after),
      applied_at = ${step.appliedAt ?? null}, result = ${result}, failure = ${step.failure ?? null}
    where proposal_id = ${proposalId}
    returning ${COLUMNS}`.execute(dbTx)
  return rows[0]!
}

/** The approval of a person with everything that the signature covers besides the proposal. */
export interface NewApproval extends Pick<DecisionStatementRow, 'address' | 'reason' | 'nonce' | 'deadline'> {
  readonly person: string
  readonly signature: string
  readonly at: Date
}

/** Stores the approval of a person who has not approved this proposal yet. */
export async function insertApproval(dbTx: Db, proposalId: bigint, approval: NewApproval): Promise<void> {
  const { person, address, reason, signature, nonce, deadline, at } = approval
  await sql`
    insert into proposal_approvals (proposal_id, person, address, reason, signature, nonce, deadline, approved_at)
    values (${proposalId}, ${person}, ${address}, ${reason}, ${signature}, ${nonce}, ${deadline}, ${at})`.execute(
    dbTx,
  )
}

/** Returns the ids of proposals that are due to be applied or to expire, oldest first. */
export async function dueProposals(db: Db, at: Date, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ proposalId: bigint }>`
    (select proposal_id as "proposalId" from proposals
      where state = 'Approved' and apply_after <= ${at} order by apply_after limit ${limit})
    union all
    (select proposal_id from proposals
      where state = 'Open' and expires_at <= ${at} order by expires_at limit ${limit})`.execute(db)
  return rows.map(({ proposalId }) => proposalId)
}

/** The statement for an admin to sign. */
export interface DecisionStatementRow {
  readonly nonce: string
  readonly address: string
  readonly proposalId: bigint
  readonly approve: boolean
  readonly reason: string
  readonly deadline: Date
  readonly usedAt: Date | null
}

export async function insertDecisionStatement(
  db: Db,
  statement: Omit<DecisionStatementRow, 'usedAt'>,
): Promise<void> {
  const { nonce, address, proposalId, approve, reason, deadline } = statement
  await sql`
    insert into decision_statements (nonce, address, proposal_id, approve, reason, deadline)
    values (${nonce}, ${address}, ${proposalId}, ${approve}, ${reason}, ${deadline})`.execute(db)
}

export async function findStatement(db: Db, nonce: string): Promise<DecisionStatementRow | undefined> {
  const { rows } = await sql<DecisionStatementRow>`
    select nonce, address, proposal_id as "proposalId", approve, reason, deadline, used_at as "usedAt"
    from decision_statements where nonce = ${nonce}`.execute(db)
  return rows[0]
}

/** Uses a statement. Returns false if it was used before; a concurrent second use waits and returns false. */
export async function useStatement(dbTx: Db, nonce: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update decision_statements set used_at = ${at} where nonce = ${nonce} and used_at is null
    returning nonce`.execute(dbTx)
  return rows.length === 1
}

/** Deletes some statements that expired before a time. */
export async function deleteOldStatements(db: Db, before: Date, limit: number): Promise<void> {
  await sql`
    delete from decision_statements where nonce in (
      select nonce from decision_statements where deadline < ${before} order by deadline limit ${limit}
      for update skip locked)`.execute(db)
}
