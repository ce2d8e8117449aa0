import type { TermsVersion } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** Stores a text of terms and risks once. */
export async function store(
  db: Db,
  { version, sha256, text, at }: TermsVersion & { readonly text: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into terms_texts (version, sha256, text, created_at)
    values (${version}, ${Buffer.from(sha256, 'hex')}, ${text}, ${at})
    on conflict do nothing`.execute(db)
}

/** Returns the words of a text that was ever in force. */
export async function textOf(db: Db, version: string): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`
    select text from terms_texts where version = ${version}`.execute(db)
  return rows[0]?.text
}

/** Reports whether exactly this text was ever in force. */
export async function isStored(db: Db, { version, sha256 }: TermsVersion): Promise<boolean> {
  const { rows } = await sql`
    select from terms_texts where version = ${version} and sha256 = ${Buffer.from(sha256, 'hex')}`.execute(db)
  return rows.length > 0
}
