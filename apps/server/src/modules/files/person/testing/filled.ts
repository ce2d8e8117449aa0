import { sql } from 'kysely'
import type { Db } from '../../../../db/database.ts'
import type { Person } from '../person.service.ts'

/** A text, an address and their bytes that occur only in the rows of `fill`. */
export const MARK = 'zq-erase-me'
export const MARKED_ADDRESS = `0x${'5aa5'.repeat(10)}`
const bytes = (length: number) => Buffer.alloc(length, MARK)
const at = new Date('2026-03-01T10:00:00Z')
const once = (place: bigint, kind: number) => `0x${`${place}${kind}`.padStart(64, '0')}`

/** The statements that insert a table's row for a member, with the mark in every column that accepts it. */
const FILL: Readonly<Record<string, (who: Person) => ReturnType<typeof sql>>> = {
  notice_members: ({ memberId }) => sql`
    insert into notice_members values (${memberId}, ${[MARK]}, ${[MARK]}, 'ja', ${at})`,
  notices: ({ memberId }) => sql`
    insert into notices (member_id, event, topic, facts, created_at)
    values (${memberId}, ${MARK}, ${MARK}, ${JSON.stringify({ address: MARK })}, ${at})`,
  notice_emails: ({ memberId }) => sql`
    insert into notice_emails (member_id, sealed, address_hash, created_at, confirmed_at)
    values (${memberId}, ${bytes(60)}, ${bytes(32)}, ${at}, ${at})`,
  notice_pushes: ({ memberId }) => sql`
    insert into notice_pushes (member_id, endpoint, endpoint_hash, p256dh, auth, device, session_hash, created_at)
    values (${memberId}, ${`https://${MARK}.test`}, sha256(${`${MARK}${memberId}`}::bytea), ${bytes(65)}, ${bytes(16)}, ${MARK},
      ${bytes(32)}, ${at})`,
  notice_devices: ({ memberId }) => sql`
    insert into notice_devices values (${memberId}, ${bytes(32)}, ${at})`,
  announcement_dismissals: ({ memberId }) => sql`
    with announcement as (
      insert into announcements (texts, proposal_id, proposed_by, approved_by, published_at)
      values ('{"en": {"title": "a", "text": "b"}}', ${memberId}, 'a', 'b', ${at}) returning announcement_id
    ) insert into announcement_dismissals select announcement_id, ${memberId}, ${at} from announcement`,
  address_book: ({ memberId }) => sql`
    insert into address_book values (${memberId}, ${MARKED_ADDRESS}, ${MARK}, ${at}, ${at})`,
  saved_only_switches: ({ memberId }) => sql`insert into saved_only_switches values (${memberId}, ${at})`,
  member_labels: ({ memberId }) => sql`
    insert into member_labels (member_id, about_id, label, pinned, changed_at)
    select ${memberId}, member_id, ${MARK}, false, ${at} from members where member_id <> ${memberId}`,
  address_notes: ({ memberId }) => sql`
    insert into address_notes values (${memberId}, ${MARKED_ADDRESS}, ${MARK}, ${at})`,
  member_notes: ({ memberId }) => sql`
    insert into member_notes (member_id, text, written_by, written_at) values (${memberId}, ${MARK}, ${MARK}, ${at})`,
  member_visits: ({ memberId }) => sql`
    insert into member_visits (member_id, seen_at, seen_seq) values (${memberId}, ${at}, 1)`,
  standing_savings: ({ memberId }) => sql`
    insert into standing_savings (member_id, asset, amount_micros, every, on_day, next_day, changed_at)
    values (${memberId}, 'USDT', 1, 'day', 1, '2026-03-02', ${at})`,
  sent_transactions: ({ memberId }) => sql`
    insert into sent_transactions (member_id, tx_hash, kind, nonce, sent_at)
    values (${memberId}, ${once(memberId, 1)}, 'send', 1, ${at})`,
  chain_member_reads: ({ memberId }) => sql`
    insert into chain_member_reads (member_id, minute, calls) values (${memberId}, ${at}, 3)`,
  statements: ({ memberId }) => sql`
    insert into statements (member_id, kind, format, locale, from_day, to_day, requested_at, step, beat_at, finished_at,
      expires_at)
    values (${memberId}, 'account', 'csv', ${MARK}, '2026-01-01', '2026-02-01', ${at}, 'done', ${at}, ${at}, ${at})`,
  statement_files: ({ memberId }) => sql`
    insert into statement_files (statement_id, filename, size_bytes, entries, chunks, digest)
    select statement_id, ${MARK}, 1, 1, 1, ${bytes(32)} from statements where member_id = ${memberId}`,
  statement_chunks: ({ memberId }) => sql`
    insert into statement_chunks (statement_id, position, content)
    select statement_id, 0, ${bytes(90)} from statements where member_id = ${memberId}`,
  shared_links: ({ memberId }) => sql`
    insert into shared_links (member_id, kind, day, token_hash, created_at, expires_at)
    values (${memberId}, 'proof', '2026-03-01', sha256(${`${MARK}${memberId}`}::bytea), ${at}, ${at}::timestamptz + interval '1 day')`,
  member_consents: ({ memberId }) => sql`
    insert into member_consents (member_id, nonce, statement, signature, used_at)
    values (${memberId}, ${once(memberId, 2)}, ${JSON.stringify({ primaryType: 'SaveAddress', message: { label: MARK } })},
      ${MARK}, ${at}),
      (${memberId}, ${once(memberId, 3)}, ${JSON.stringify({ primaryType: 'Transfer', message: { amount: '5' } })}, '0x12', ${at})`,
  sign_in_visits: ({ address }) => sql`
    insert into sign_in_visits (day, address) values ('2026-03-01', ${address})`,
  sessions: ({ memberId, address }) => sql`
    insert into sessions (token_hash, member_id, address, device, created_at, last_used_at, expires_at)
    values (sha256(${address}::bytea), ${memberId}, ${address}, ${MARK}, ${at}, ${at}, ${at})`,
}

export const FILLED = Object.keys(FILL)

/** Writes rows with the mark into every table that an erasure affects. `db` is the superuser's. */
export async function fill(db: Db, who: Person): Promise<void> {
  for (const build of Object.values(FILL)) await build(who).execute(db)
}

/** Returns the names of all tables. */
async function tables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns every row of the database as text, by table. Bytes are hexadecimal digits. */
export async function everything(db: Db): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>()
  for (const name of await tables(db)) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(name)} as t order by 1`.execute(db)
    all.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return all
}

const MARKS = [MARK, Buffer.from(MARK).toString('hex'), MARKED_ADDRESS]

export const isMarked = (row: string) => MARKS.some((mark) => row.includes(mark))
