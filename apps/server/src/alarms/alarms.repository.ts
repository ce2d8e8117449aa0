import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** `once`: a message about something that has no end. */
export type AlarmEvent = 'begun' | 'ended' | 'once'

/** A message to the operators. */
export interface Message {
  readonly event: AlarmEvent
  readonly name: string
  readonly subject: string
  readonly detail: string
  readonly at: Date
}

/** A message that at least one channel has not sent yet. */
export interface DueMessage {
  readonly alarmId: bigint
  readonly event: AlarmEvent
  readonly name: string
  readonly subject: string
  readonly detail: string
  readonly raisedAt: Date
  readonly attempts: number
  readonly webhookAt: Date | null
  readonly emailAt: Date | null
}

/** An alarm that lasts until it is ended or, if it is repeated, until `lastsUntil`. */
export interface OpenAlarm {
  readonly name: string
  readonly subject: string
  readonly detail: string
  readonly since: Date
}

/** Begins an alarm, or prolongs it. Returns true if it is new. */
export async function begin(
  on: Db,
  { name, subject, detail, at, lastsUntil }: Omit<Message, 'event'> & { lastsUntil: Date | null },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into alarms (name, subject, detail, since, lasts_until)
    values (${name}, ${subject}, ${detail}, ${at}, ${lastsUntil})
    on conflict (name, subject) do update set detail = excluded.detail, lasts_until = excluded.lasts_until
    returning xmax = 0 as "isNew"`.execute(on)
  return rows[0]!.isNew
}

/** Ends an alarm. Returns it, or undefined if it was not on. */
export async function endAlarm(on: Db, name: string, subject: string): Promise<OpenAlarm | undefined> {
  const { rows } = await sql<OpenAlarm>`
    delete from alarms where name = ${name} and subject = ${subject}
    returning name, subject, detail, since`.execute(on)
  return rows[0]
}

/** Ends the alarms that nobody has repeated in time, and returns them. */
export async function endLapsed(on: Db, at: Date): Promise<OpenAlarm[]> {
  const { rows } = await sql<OpenAlarm>`
    delete from alarms where lasts_until < ${at} returning name, subject, detail, since`.execute(on)
  return rows
}

/** Stores a message. Returns false if one that is sent once was stored before. */
export async function insertMessage(on: Db, { event, name, subject, detail, at }: Message): Promise<boolean> {
  const { rows } = await sql`
    insert into alarm_messages (event, name, subject, detail, raised_at, next_attempt_at)
    values (${event}, ${name}, ${subject}, ${detail}, ${at}, ${at})
    on conflict do nothing returning alarm_id`.execute(on)
  return rows.length > 0
}

/** Returns the begins and ends of an alarm's last closings, one for each subject, newest first. */
export async function lastEndedAlarm(
  on: Db,
  name: string,
  limit: number,
): Promise<{ subject: string; from: Date; until: Date }[]> {
  const { rows } = await sql<{ subject: string; from: Date; until: Date }>`
    select ended.subject, began.raised_at as "from", ended.raised_at as "until" from alarm_messages as ended
    cross join lateral (select raised_at from alarm_messages where name = ended.name and subject = ended.subject
      and event = 'begun' and alarm_id < ended.alarm_id order by alarm_id desc limit 1) as began
    where ended.name = ${name} and ended.event = 'ended' order by ended.alarm_id desc limit ${limit}`.execute(
    on,
  )
  return rows
}

/** Takes the messages whose next attempt is due, and postpones that attempt before they are sent. */
export async function takeDue(
  db: Db,
  at: Date,
  pauses: { firstMs: number; maxMs: number },
): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    update alarm_messages set attempts = attempts + 1,
      next_attempt_at = to_timestamp((${at.getTime()} + least(${pauses.maxMs}, ${pauses.firstMs} * 2 ^ least(attempts, 20))) / 1000)
    where ended_at is null and next_attempt_at <= ${at}
    returning alarm_id as "alarmId", event, name, subject, detail, raised_at as "raisedAt", attempts,
      webhook_at as "webhookAt", email_at as "emailAt"`.execute(db)
  return rows.sort((alarm, other) => Number(alarm.alarmId - other.alarmId))
}

/** Stores that a channel has accepted a message, or that none is left to do so. */
export async function mark(
  db: Db,
  alarmId: bigint,
  { at, done }: { at: Date; done: 'webhook' | 'email' | 'all' },
): Promise<void> {
  const columns: Record<typeof done, RawBuilder<unknown>> = {
    webhook: sql`webhook_at = ${at}`,
    email: sql`email_at = ${at}`,
    all: sql`ended_at = ${at}`,
  }
  await sql`update alarm_messages set ${columns[done]} where alarm_id = ${alarmId}`.execute(db)
}

/** Returns which channels have accepted a message that is sent once; done, if none is left to do so. */
export async function delivery(
  on: Db,
  name: string,
  subject: string,
): Promise<{ isDone: boolean; byWebhook: boolean; byEmail: boolean }> {
  const { rows } = await sql<{ isDone: boolean; byWebhook: boolean; byEmail: boolean }>`
    select ended_at is not null as "isDone", webhook_at is not null as "byWebhook",
      email_at is not null as "byEmail"
    from alarm_messages where name = ${name} and subject = ${subject} and event = 'once'`.execute(on)
  return rows[0]!
}

/** Returns whether a channel has accepted a message of an alarm. */
export async function wasAccepted(on: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from alarm_messages where name = ${name} and coalesce(webhook_at, email_at) is not null
    limit 1`.execute(on)
  return rows.length > 0
}
