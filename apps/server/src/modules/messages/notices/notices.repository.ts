import { type Locale, NOTICE_KINDS, type NoticeChannel, type NoticeKind } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Facts, Topic } from './topics.ts'

/** A member's event, for which one notice is written. */
export interface NoticeRow {
  readonly memberId: bigint
  readonly facts: Facts
}

interface NewNotices {
  readonly event: string
  readonly topic: Topic
  /** Null for a topic that is not optional. */
  readonly kind: NoticeKind | null
  /** The only channel; both if absent. */
  readonly channel?: NoticeChannel | undefined
  /** True for a notice to many members: it waits until notices to single members are sent. */
  readonly isBulk?: boolean
  readonly at: Date
}

/** The maximum number of a member's notices in 24 hours; notices about safety may reach twice as many. */
const PER_DAY = 100
const DAY_MS = 86_400_000

/**
 * Writes the notices of an event for members who chose its kind, with a delivery to each of their addresses
 * and browsers. Skips members without any, over their limit, or with a notice of the same event. Returns the
 * number of notices.
 */
export async function writeNotices(
  dbTx: Db,
  { event, topic, kind, channel, isBulk = false, at }: NewNotices,
  rows: readonly NoticeRow[],
): Promise<number> {
  const isLocked = kind === null || NOTICE_KINDS[kind].locked
  const chosen = (column: NoticeChannel) =>
    isLocked ? sql`true` : sql`${kind} = any (${sql.ref(`m.${column}`)})`
  const isAllowed = (column: NoticeChannel) => channel === undefined || channel === column
  const { rows: written } = await sql<{ notices: bigint }>`
    with wanted as (
      select m.member_id, w.facts, ${chosen('mail')} as by_mail, ${chosen('push')} as by_push
      from unnest(${rows.map(({ memberId }) => memberId)}::bigint[],
        ${rows.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) as w (member_id, facts)
      join notice_members as m using (member_id)
    ), targets as (
      select w.member_id, e.email_id, null::bigint as push_id
      from wanted as w join notice_emails as e using (member_id)
      where ${isAllowed('mail')} and w.by_mail and e.ended_at is null and e.confirmed_at is not null
      union all
      select w.member_id, null, p.push_id from wanted as w join notice_pushes as p using (member_id)
      where ${isAllowed('push')} and w.by_push
    ), written as (
      insert into notices (member_id, event, topic, facts, created_at)
      select w.member_id, ${event}, ${topic}, w.facts, ${at} from wanted as w
      where w.member_id in (select member_id from targets)
        and (select count(*) from notices as n where n.member_id = w.member_id
          and n.created_at > ${new Date(at.getTime() - DAY_MS)}) < ${isLocked ? 2 * PER_DAY : PER_DAY}
      order by w.member_id
      on conflict (member_id, event) do nothing
      returning notice_id, member_id
    ), sent as (
      insert into notice_deliveries (notice_id, email_id, push_id, next_at, bulk)
      select notice_id, email_id, push_id, ${at}, ${isBulk} from written join targets using (member_id)
    )
    select count(*) as notices from written`.execute(dbTx)
  return Number(written[0]!.notices)
}

/** Writes an event that concerns many members, once. */
export async function insertSpread(
  dbTx: Db,
  {
    event,
    topic,
    facts,
    at,
    endsAt = null,
  }: { event: string; topic: Topic; facts: Facts; at: Date; endsAt?: Date | null },
): Promise<void> {
  await dbTx
    .insertInto('notice_spreads')
    .values({ event, topic, facts: JSON.stringify(facts), created_at: at, ends_at: endsAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const counts = dbTx.insertInto('notice_counts').values({ event })
  await counts.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Ends an event of many members: none of its notices is written or sent from then on. */
export async function endSpread(dbTx: Db, event: string, at: Date): Promise<void> {
  await dbTx.updateTable('notice_spreads').set({ ends_at: at }).where('event', '=', event).execute()
}

/** The progress of an event of many members. `isWriting` until each of them has a notice. */
export interface SpreadCounts {
  readonly event: string
  readonly isWriting: boolean
  readonly notices: bigint
  readonly mails: bigint
  readonly pushes: bigint
  readonly givenUp: bigint
}

export async function spreadCounts(db: Db, events: readonly string[]): Promise<SpreadCounts[]> {
  const { rows } = await sql<SpreadCounts>`
    select c.event, s.event is not null and s.done_at is null as "isWriting", c.notices, c.mails, c.pushes,
      c.given_up as "givenUp"
    from notice_counts as c left join notice_spreads as s using (event)
    where c.event = any (${events}::text[])`.execute(db)
  return rows
}

export interface Spread {
  readonly event: string
  readonly topic: Topic
  readonly facts: Facts
  readonly afterMemberId: bigint
  readonly endsAt: Date | null
}

/**
 * Locks the oldest event whose notices are not all written; undefined if there is none that no other process
 * works on.
 */
export async function takeSpread(dbTx: Db): Promise<Spread | undefined> {
  const { rows } = await sql<Spread>`
    select event, topic, facts, after_member_id as "afterMemberId", ends_at as "endsAt" from notice_spreads
    where done_at is null order by created_at limit 1 for update skip locked`.execute(dbTx)
  return rows[0]
}

/** Returns the next members, in the order of their numbers, who chose a kind in any channel. */
export async function membersChoosing(
  db: Db,
  kind: NoticeKind,
  afterMemberId: bigint,
  limit: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from notice_members
    where member_id > ${afterMemberId} and (${kind} = any (mail) or ${kind} = any (push))
    order by member_id limit ${limit}`.execute(db)
  return rows.map(({ memberId }) => memberId)
}

/** Records the progress of an event's notices and adds to their number; `doneAt` ends it. */
export async function moveSpread(
  dbTx: Db,
  event: string,
  to: { afterMemberId: bigint; doneAt: Date | null; notices: number },
): Promise<void> {
  await dbTx
    .updateTable('notice_spreads')
    .set({ after_member_id: to.afterMemberId, done_at: to.doneAt })
    .where('event', '=', event)
    .execute()
  await sql`update notice_counts set notices = notices + ${to.notices} where event = ${event}`.execute(dbTx)
}

/** A delivery with all data for its message. */
export interface Delivery {
  readonly deliveryId: bigint
  readonly attempts: number
  readonly noticeId: bigint
  readonly memberId: bigint
  readonly event: string
  readonly topic: Topic
  readonly facts: Facts
  readonly createdAt: Date
  readonly locale: Locale
  /** The end of an event of many members, after which it is not sent. */
  readonly endsAt: Date | null
  readonly email: { readonly emailId: bigint; readonly sealed: Buffer; readonly addressHash: Buffer } | null
  readonly push: {
    readonly pushId: bigint
    readonly endpoint: string
    readonly p256dh: Buffer
    readonly auth: Buffer
  } | null
}

interface TakenRow {
  readonly delivery_id: bigint
  readonly attempts: number
  readonly notice_id: bigint
  readonly member_id: bigint
  readonly event: string
  readonly topic: Topic
  readonly facts: Facts
  readonly created_at: Date
  readonly locale: Locale
  readonly ends_at: Date | null
  readonly email_id: bigint | null
  readonly sealed: Buffer | null
  readonly address_hash: Buffer | null
  readonly push_id: bigint | null
  readonly endpoint: string | null
  readonly p256dh: Buffer | null
  readonly auth: Buffer | null
}

interface Pauses {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Takes due deliveries, those to single members first; each is due again after a pause that doubles with its
 * attempts. The facts of an event of many members are added to the member's own.
 */
export async function takeDeliveries(
  db: Db,
  at: Date,
  { firstMs, maxMs, limit }: Pauses & { limit: number },
): Promise<Delivery[]> {
  const { rows } = await sql<TakenRow>`
    with due as (
      select delivery_id from notice_deliveries where next_at <= ${at}
      order by bulk, next_at limit ${limit} for update skip locked
    ), taken as (
      update notice_deliveries as d set attempts = attempts + 1,
        next_at = to_timestamp((${at.getTime()} + least(${firstMs} * 2 ^ least(attempts, 20), ${maxMs})) / 1000)
      from due where d.delivery_id = due.delivery_id
      returning d.delivery_id, d.attempts, d.notice_id, d.email_id, d.push_id
    )
    select t.delivery_id, t.attempts, t.notice_id, n.member_id, n.event, n.topic,
      coalesce(s.facts, '{}') || n.facts as facts, n.created_at, m.locale, s.ends_at,
      e.email_id, e.sealed, e.address_hash, p.push_id, p.endpoint, p.p256dh, p.auth
    from taken as t join notices as n using (notice_id) join notice_members as m using (member_id)
    left join notice_spreads as s on s.event = n.event
    left join notice_emails as e on e.email_id = t.email_id
    left join notice_pushes as p on p.push_id = t.push_id
    order by t.delivery_id`.execute(db)
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    attempts: row.attempts,
    noticeId: row.notice_id,
    memberId: row.member_id,
    event: row.event,
    topic: row.topic,
    facts: row.facts,
    createdAt: row.created_at,
    locale: row.locale,
    endsAt: row.ends_at,
    email:
      row.email_id === null
        ? null
        : { emailId: row.email_id, sealed: row.sealed!, addressHash: row.address_hash! },
    push:
      row.push_id === null
        ? null
        : { pushId: row.push_id, endpoint: row.endpoint!, p256dh: row.p256dh!, auth: row.auth! },
  }))
}

/** Ends a delivery: accepted by its receiver, or given up. Counts it, once, for an event of many members. */
export async function endDelivery(db: Db, deliveryId: bigint, isTaken: boolean): Promise<void> {
  await sql`
    with ended as (
      delete from notice_deliveries where delivery_id = ${deliveryId} returning notice_id, email_id
    )
    update notice_counts as c set
      mails = mails + (${isTaken} and e.email_id is not null)::integer,
      pushes = pushes + (${isTaken} and e.email_id is null)::integer,
      given_up = given_up + (not ${isTaken})::integer
    from ended as e join notices as n using (notice_id) where c.event = n.event`.execute(db)
}

/**
 * Deletes a few old notices, events and replaced addresses. A notice is kept as long as its event could be
 * repeated.
 */
export async function deleteOld(
  db: Db,
  { notices, emails, limit }: { notices: Date; emails: Date; limit: number },
): Promise<void> {
  await sql`delete from notices where notice_id in (
    select notice_id from notices where created_at < ${notices} order by created_at limit ${limit})`.execute(
    db,
  )
  await sql`delete from notice_spreads where done_at < ${notices}`.execute(db)
  await sql`delete from notice_emails as e where email_id in (
    select email_id from notice_emails where ended_at < ${emails} order by ended_at limit ${limit})
    and not exists (select from notice_deliveries as d where d.email_id = e.email_id)`.execute(db)
  await sql`delete from notice_emails where confirmed_at is null and code_expires_at < ${emails}`.execute(db)
}
