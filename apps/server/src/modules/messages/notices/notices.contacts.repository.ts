import type { Locale, NoticeChannel, NoticeKind } from '@rif/api-schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { type Read, read } from '../../../db/read.ts'

export interface NoticeMember {
  readonly mail: readonly NoticeKind[]
  readonly push: readonly NoticeKind[]
}

export interface EmailRow {
  readonly email_id: bigint
  readonly member_id: bigint
  readonly sealed: Buffer
  readonly address_hash: Buffer
  readonly code_hash: Buffer | null
  readonly code_expires_at: Date | null
  readonly tries: number
  readonly confirmed_at: Date | null
}

export interface PushRow {
  readonly push_id: bigint
  readonly device: string | null
  readonly session_hash: Buffer
  readonly created_at: Date
  readonly taken_at: Date | null
}

const EMAIL = [
  ...(['email_id', 'member_id', 'sealed', 'address_hash'] as const),
  ...(['code_hash', 'code_expires_at', 'tries', 'confirmed_at'] as const),
]

/** Returns a member's choices; undefined before the first contact. */
export async function memberOfContact(db: Db, memberId: bigint): Promise<NoticeMember | undefined> {
  const row = await db
    .selectFrom('notice_members')
    .select(['mail', 'push'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row as NoticeMember | undefined
}

/** Locks a member's choices, with the language of the last change; initially they are `defaults`. */
export async function lockContactsOf(
  dbTx: Db,
  memberId: bigint,
  { locale, at, defaults }: { locale: Locale; at: Date; defaults: NoticeMember },
): Promise<void> {
  await sql`
    insert into notice_members (member_id, mail, push, locale, changed_at)
    values (${memberId}, ${defaults.mail}::text[], ${defaults.push}::text[], ${locale}, ${at})
    on conflict (member_id) do update set locale = excluded.locale, changed_at = excluded.changed_at`.execute(
    dbTx,
  )
}

/** Switches a kind on or off in a channel. The caller holds the member's row. */
export async function choose(
  dbTx: Db,
  memberId: bigint,
  { kind, channel, on }: { kind: NoticeKind; channel: NoticeChannel; on: boolean },
): Promise<void> {
  const column = sql.ref(channel)
  const without = sql`array_remove(${column}, ${kind}::text)`
  await sql`
    update notice_members set ${column} = ${on ? sql`array_append(${without}, ${kind}::text)` : without}
    where member_id = ${memberId}`.execute(dbTx)
}

/** Returns the confirmed address and the one that waits for its code, if any. */
export async function emailsOf(
  db: Db,
  memberId: bigint,
): Promise<{ confirmed: EmailRow | undefined; pending: EmailRow | undefined }> {
  const rows = await db
    .selectFrom('notice_emails')
    .select(EMAIL)
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .execute()
  return {
    confirmed: rows.find(({ confirmed_at }) => confirmed_at !== null),
    pending: rows.find(({ confirmed_at }) => confirmed_at === null),
  }
}

/** Returns an address in use by its number. */
export function findEmail(db: Db, emailId: bigint): Promise<EmailRow | undefined> {
  const query = db.selectFrom('notice_emails').select(EMAIL).where('email_id', '=', emailId)
  return query.where('ended_at', 'is', null).where('confirmed_at', 'is not', null).executeTakeFirst()
}

/** Counts the codes that were sent for a member, and to an address, since a time. */
export async function codesSince(
  db: Db,
  { memberId, addressHash, since }: { memberId: bigint; addressHash: Buffer; since: Date },
): Promise<{ byMember: number; toAddress: number }> {
  const { rows } = await sql<{ byMember: number; toAddress: number }>`
    select count(*) filter (where member_id = ${memberId})::integer as "byMember",
      count(*) filter (where address_hash = ${addressHash})::integer as "toAddress"
    from notice_emails
    where created_at > ${since} and (member_id = ${memberId} or address_hash = ${addressHash})`.execute(db)
  return rows[0]!
}

/** Inserts an address and returns its id. */
export async function insertEmail(
  dbTx: Db,
  row: Pick<EmailRow, 'member_id' | 'sealed' | 'address_hash'> & {
    code_hash: Buffer
    code_expires_at: Date
    created_at: Date
  },
): Promise<bigint> {
  const inserted = dbTx.insertInto('notice_emails').values(row).returning('email_id')
  return (await inserted.executeTakeFirstOrThrow()).email_id
}

export async function deleteEmail(db: Db, emailId: bigint): Promise<void> {
  await db.deleteFrom('notice_emails').where('email_id', '=', emailId).execute()
}

/**
 * Counts an attempt at a code before it is compared, so that concurrent attempts count too. Returns the row,
 * or undefined if there is none.
 */
export async function countTry(db: Db, memberId: bigint): Promise<EmailRow | undefined> {
  return db
    .updateTable('notice_emails')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('confirmed_at', 'is', null)
    .returning(EMAIL)
    .executeTakeFirst()
}

/** Confirms an address that is still waiting. Returns false if it no longer is. */
export async function confirmEmail(dbTx: Db, emailId: bigint, at: Date): Promise<boolean> {
  const row = await dbTx
    .updateTable('notice_emails')
    .set({ confirmed_at: at, code_hash: null, code_expires_at: null })
    .where('email_id', '=', emailId)
    .where('ended_at', 'is', null)
    .where('confirmed_at', 'is', null)
    .returning('email_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a member's addresses: the confirmed one, the waiting one, or both. Returns the number. */
export async function endEmails(
  dbTx: Db,
  memberId: bigint,
  { which, at }: { which: 'confirmed' | 'pending' | 'all'; at: Date },
): Promise<number> {
  let query = dbTx
    .updateTable('notice_emails')
    .set({ ended_at: at })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
  if (which === 'confirmed') query = query.where('confirmed_at', 'is not', null)
  if (which === 'pending') query = query.where('confirmed_at', 'is', null)
  return (await query.returning('email_id').execute()).length
}

export function pushesOf(db: Db, memberId: bigint): Promise<PushRow[]> {
  return db
    .selectFrom('notice_pushes')
    .select(['push_id', 'device', 'session_hash', 'created_at', 'taken_at'])
    .where('member_id', '=', memberId)
    .orderBy('push_id', 'desc')
    .execute()
}

export interface NewPush {
  readonly memberId: bigint
  readonly endpoint: string
  readonly endpointHash: Buffer
  readonly p256dh: Buffer
  readonly auth: Buffer
  readonly device: string | null
  readonly sessionHash: Buffer
  readonly at: Date
}

/** Reports whether a browser is registered for a member. */
export async function hasPush(db: Db, memberId: bigint, endpointHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('notice_pushes')
    .select('push_id')
    .where('member_id', '=', memberId)
    .where('endpoint_hash', '=', endpointHash)
    .executeTakeFirst()
  return row !== undefined
}

/** Registers a browser for a member and removes it from any other; keeps the member's newest `limit`. */
export async function putPush(dbTx: Db, push: NewPush, limit: number): Promise<void> {
  const { memberId, endpoint, endpointHash, p256dh, auth, device, sessionHash, at } = push
  // Deliveries to the browser's former member must not reach the new one.
  await sql`delete from notice_pushes where endpoint_hash = ${endpointHash} and member_id <> ${memberId}`.execute(
    dbTx,
  )
  await sql`
    insert into notice_pushes (member_id, endpoint, endpoint_hash, p256dh, auth, device, session_hash, created_at)
    values (${memberId}, ${endpoint}, ${endpointHash}, ${p256dh}, ${auth}, ${device}, ${sessionHash}, ${at})
    on conflict (endpoint_hash) do update set p256dh = excluded.p256dh, auth = excluded.auth,
      device = excluded.device, session_hash = excluded.session_hash`.execute(dbTx)
  await sql`
    delete from notice_pushes where push_id in (
      select push_id from notice_pushes where member_id = ${memberId} order by push_id desc offset ${limit})`.execute(
    dbTx,
  )
}

/** Removes browsers. Returns the number. */
export async function deletePushes(
  db: Db,
  which: { pushId: bigint; memberId?: bigint } | { sessionHashes: readonly Buffer[] },
): Promise<number> {
  let query = db.deleteFrom('notice_pushes')
  if ('sessionHashes' in which) query = query.where('session_hash', 'in', which.sessionHashes)
  else query = query.where('push_id', '=', which.pushId)
  if ('memberId' in which && which.memberId !== undefined)
    query = query.where('member_id', '=', which.memberId)
  return (await query.returning('push_id').execute()).length
}

/** Records that a push service accepted a message. */
export async function notePush(db: Db, pushId: bigint, at: Date): Promise<void> {
  await db.updateTable('notice_pushes').set({ taken_at: at }).where('push_id', '=', pushId).execute()
}

/** Counts the test notices of a member since a time. */
export async function testsSince(db: Db, memberId: bigint, since: Date): Promise<number> {
  const row = await db
    .selectFrom('notices')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('member_id', '=', memberId)
    .where('topic', '=', 'test')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The browsers that a member has signed in with. */
export interface Devices {
  readonly isKnown: boolean
  readonly count: number
}

/**
 * Returns the read of the browsers of a wallet's member (lower case), and of whether a given one is among
 * them; `wallets` is a relation of member_id and address.
 */
export const devicesRead = (
  wallets: RawBuilder<unknown>,
  address: string,
  deviceHash: Buffer | null,
): Read<Devices> =>
  read<Devices, Devices>(
    () => sql`
      select null::bigint as member_id, json_build_object(
        'count', count(*), 'isKnown', coalesce(bool_or(device_hash = ${deviceHash}), false)) as value
      from notice_devices
      where member_id = (select member_id from ${wallets} as wallets where wallets.address = ${address})`,
    (devices) => devices!,
  )

/** Records the use of a browser. */
export async function noteDevice(dbTx: Db, memberId: bigint, deviceHash: Buffer, at: Date): Promise<void> {
  await sql`
    insert into notice_devices (member_id, device_hash, seen_at) values (${memberId}, ${deviceHash}, ${at})
    on conflict (member_id, device_hash) do update set seen_at = excluded.seen_at`.execute(dbTx)
}

/** Deletes the browsers of a member except the `limit` last used. */
export async function forgetDevices(dbTx: Db, memberId: bigint, limit: number): Promise<void> {
  await sql`
    delete from notice_devices where member_id = ${memberId} and device_hash in (
      select device_hash from notice_devices where member_id = ${memberId}
      order by seen_at desc, device_hash offset ${limit})`.execute(dbTx)
}
