import { type GuardCause, PAUSE_AREAS, type PauseArea, type Refusal } from '@rif/api-schema'
import { sql } from 'kysely'
import { EVERYBODY, noteChange } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import { type Read, read, readMember, readShared } from '../../../db/read.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import { DEBTS } from '../../books/reversals/reversals.relations.ts'
import { MEMBERS } from '../../members/members.relations.ts'
import { storeFreeze } from '../../members/members.service.ts'
import { REFUSED_WALLETS } from '../../members/reach/reach.relations.ts'
import { refuse } from '../../members/reach/reach.service.ts'

export { freezeReason } from '../../members/members.service.ts'

/** A paused area. */
export interface Pause {
  readonly area: PauseArea
  readonly pausedBy: string
  readonly reason: string
  readonly pausedAt: Date
}

/** A reason why the gate is closed. */
export interface GateCause {
  readonly cause: GuardCause
  readonly detail: string
  readonly since: Date
}

/**
 * Checks the gate for all movements of members' money: the guard has not closed it (rules, section 13), none
 * of the areas is paused, and the member is not frozen and owes nothing back. Call it under the member's
 * ledger head, so that a freeze takes effect either before or after the operation. Throws MEMBER_FROZEN,
 * GUARD_CLOSED with the causes, PAUSED with the area, AMOUNT_OWED, NOT_SERVED for a wallet that gets no
 * service at all, and CHAIN_UNAVAILABLE while the process has not checked its contracts.
 */
export async function requireMayAct(dbTx: Db, memberId: bigint, ...areas: PauseArea[]): Promise<void> {
  passOut(await stateOf(dbTx, memberId, areas))
}

/**
 * Checks as `requireMayAct`, and that the operator may accept the member's money. Throws NOT_SERVED for a
 * refused wallet.
 */
export async function requireMayPutIn(dbTx: Db, memberId: bigint, ...areas: PauseArea[]): Promise<void> {
  passIn(await stateOf(dbTx, memberId, areas))
}

/** Throws as `requireMayAct`, for a state read by `gateRead`. */
export function passOut(state: GateState): void {
  if (state.refused?.level === 'no_service') refuse(state.refused)
  requireFree(state)
}

/** Throws as `requireMayPutIn`, for a state read by `gateRead`. */
export function passIn(state: GateState): void {
  refuse(state.refused)
  requireFree(state)
}

function requireFree(state: GateState): void {
  if (state.frozen) throw new AppError('MEMBER_FROZEN')
  refuseClosed(state.causes)
  if (state.paused !== null) throw new AppError('PAUSED', { area: state.paused })
  if (state.owes) throw new AppError('AMOUNT_OWED')
}

/**
 * Checks that a member is not frozen and owes nothing back. Throws MEMBER_FROZEN, AMOUNT_OWED, and NOT_SERVED
 * for a wallet without any service.
 */
export async function requireNotHeld(dbTx: Db, memberId: bigint): Promise<void> {
  const { frozen, owes, refused } = await stateOf(dbTx, memberId, [])
  if (refused?.level === 'no_service') refuse(refused)
  if (frozen) throw new AppError('MEMBER_FROZEN')
  if (owes) throw new AppError('AMOUNT_OWED')
}

/** Checks that the guard has not closed the gate. Throws GUARD_CLOSED with the causes. */
export async function requireOpen(db: Db): Promise<void> {
  refuseClosed((await guardCauses(db)).map(({ cause }) => cause))
}

/** The facts about a member and some areas that determine the state of the gate. */
export interface GateState {
  readonly frozen: boolean | null
  readonly paused: PauseArea | null
  readonly owes: boolean
  readonly causes: readonly GuardCause[]
  readonly refused: Refusal | null
}

/** Returns the read of the gate's state, which `passIn` and `passOut` check. */
export function gateRead(...areas: readonly PauseArea[]): Read<GateState> {
  return read<GateState, GateState>(
    (memberIds) => sql`
      select asked.member_id, jsonb_build_object(
        'frozen', members.state = 'deactivated', 'owes', debts.member_id is not null,
        'refused', (select to_jsonb(refused) from ${REFUSED_WALLETS} as refused where value = members.address),
        'paused', (select min(area) from pauses where area = any(${areas}::text[])),
        'causes', array(select cause from guard_causes order by cause)) as value
      from unnest(${memberIds}) as asked (member_id)
      left join ${MEMBERS} as members
        on members.member_id = asked.member_id and members.member_id = any(${memberIds})
      left join (select distinct member_id from ${DEBTS} as debts where member_id = any(${memberIds})) as debts
        on debts.member_id = asked.member_id`,
    (state) => state!,
  )
}

const stateOf = (dbTx: Db, memberId: bigint, areas: readonly PauseArea[]): Promise<GateState> =>
  readMember(dbTx, memberId, gateRead(...areas))

let mayMoveMoney: () => boolean = () => true

/**
 * Stops all movements of money in this process with CHAIN_UNAVAILABLE until `isAllowed`: a process that has not checked its contracts
 * knows neither the bank nor what it holds.
 */
export function holdMoneyUntil(isAllowed: () => boolean): void {
  mayMoveMoney = isAllowed
}

function refuseClosed(causes: readonly GuardCause[]): void {
  if (!mayMoveMoney()) throw new AppError('CHAIN_UNAVAILABLE')
  if (causes.length > 0) throw new AppError('GUARD_CLOSED', { causes: causes.join(' ') })
}

/** Returns the reasons why the gate is closed; none while it is open. */
export async function guardCauses(db: Db): Promise<GateCause[]> {
  const { rows } = await sql<GateCause>`select cause, detail, since from guard_causes order by cause`.execute(
    db,
  )
  return rows
}

/** Closes the gate for a cause, or replaces its detail. Returns true if the cause is new. */
export async function closeGate(dbTx: Db, { cause, detail, since }: GateCause): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into guard_causes (cause, detail, since) values (${cause}, ${detail}, ${since})
    on conflict (cause) do update set detail = excluded.detail
    returning since = ${since} and xmax = 0 as "isNew"`.execute(dbTx)
  const { isNew } = rows[0]!
  if (isNew) noteChange(dbTx, EVERYBODY, 'pauses')
  return isNew
}

/**
 * Ends a cause; the gate opens when it was the last one. Returns the cause, or undefined if it was not
 * active.
 */
export async function endCause(dbTx: Db, cause: GuardCause): Promise<GateCause | undefined> {
  const { rows } = await sql<GateCause>`
    delete from guard_causes where cause = ${cause} returning cause, detail, since`.execute(dbTx)
  if (rows.length > 0) noteChange(dbTx, EVERYBODY, 'pauses')
  return rows[0]
}

/** Returns the read of whether an area is paused. */
export const pausedRead = (area: PauseArea): Read<boolean> => ({
  rows: () => sql`select null::bigint as member_id, area as value from pauses where area = ${area}`,
  parse: (value) => value !== undefined,
})

/** Reports whether an area is paused. */
export async function isPaused(db: Db, area: PauseArea): Promise<boolean> {
  return (await readShared(db, { paused: pausedRead(area) })).paused
}

/** Throws PAUSED with the area, if it is paused. */
export async function requireRunning(db: Db, area: PauseArea): Promise<void> {
  if (await isPaused(db, area)) throw new AppError('PAUSED', { area })
}

/** Returns all paused areas. */
export async function listPauses(db: Db): Promise<Pause[]> {
  const { rows } = await sql<Pause>`
    select area, paused_by as "pausedBy", reason, paused_at as "pausedAt" from pauses order by area`.execute(
    db,
  )
  return rows
}

/** Pauses an area. Returns false if it was already paused. */
export async function pause(dbTx: Db, { area, pausedBy, reason, pausedAt }: Pause): Promise<boolean> {
  const { rows } = await sql`
    insert into pauses (area, paused_by, reason, paused_at) values (${area}, ${pausedBy}, ${reason}, ${pausedAt})
    on conflict do nothing returning area`.execute(dbTx)
  if (rows.length > 0) noteChange(dbTx, EVERYBODY, 'pauses')
  return rows.length > 0
}

/** Resumes an area. Returns false if it was not paused. */
export async function resume(dbTx: Db, area: PauseArea): Promise<boolean> {
  const { rows } = await sql`delete from pauses where area = ${area} returning area`.execute(dbTx)
  if (rows.length > 0) noteChange(dbTx, EVERYBODY, 'pauses')
  return rows.length > 0
}

/** The pauser of the areas of a product that is not open yet. */
const SET_UP = 'set-up'

/** Returns whether a product on a real chain is open, and since when; null for one that never had to be opened. */
export async function openingOf(db: Db): Promise<{ openedAt: Date | null } | null> {
  const { rows } = await sql<{ openedAt: Date | null }>`
    select opened_at as "openedAt" from opening`.execute(db)
  return rows[0] ?? null
}

/** Reports whether a product still waits for its owners to open it. */
export async function isUnopened(db: Db): Promise<boolean> {
  const opening = await openingOf(db)
  return opening !== null && opening.openedAt === null
}

/** Pauses all areas of a new product until its owners open it. Does nothing if that was done before. */
export async function closeUntilOpened(dbTx: Db, at: Date): Promise<void> {
  const { rows } = await sql`
    insert into opening (begun_at) values (${at}) on conflict do nothing returning singleton`.execute(dbTx)
  if (rows.length === 0) return
  for (const area of PAUSE_AREAS)
    await pause(dbTx, { area, pausedBy: SET_UP, reason: 'not opened yet', pausedAt: at })
}

/** Stores the opening, and resumes the areas that waited for it. */
export async function openAreas(
  dbTx: Db,
  { at, preparedBy, openedBy, backup }: { at: Date; preparedBy: string; openedBy: string; backup: string },
): Promise<void> {
  await sql`
    update opening set opened_at = ${at}, prepared_by = ${preparedBy}, opened_by = ${openedBy}, backup = ${backup}
    where opened_at is null`.execute(dbTx)
  for (const { area, pausedBy } of await listPauses(dbTx)) if (pausedBy === SET_UP) await resume(dbTx, area)
}

/**
 * Freezes a member, or unfreezes one (`reason` null). Waits for operations in progress on the member's books.
 */
export async function setFrozen(
  dbTx: Db,
  ledger: Pick<LedgerService, 'lock'>,
  { memberId, reason }: { memberId: bigint; reason: string | null },
): Promise<void> {
  await ledger.lock(dbTx, { memberIds: [memberId] })
  await storeFreeze(dbTx, memberId, reason)
}
