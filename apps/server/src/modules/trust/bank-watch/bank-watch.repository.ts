import { sql } from 'kysely'
import type { BankCap } from '../../../chain/bank-state.ts'
import type { Db } from '../../../db/database.ts'
import type { Alarm } from './alarms.ts'
import type { BankChange } from './changes.ts'

export interface StoredChange extends Omit<BankChange, 'announcedAs'> {
  /** In lower case. */
  readonly bank: string
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly changedAt: Date
  readonly proposedBy: string | null
  readonly isDeployment: boolean
  readonly notedAt: Date
}

/** Stores a change. Returns false if it was stored before. */
export async function insertChange(dbTx: Db, change: StoredChange): Promise<boolean> {
  const row = await dbTx
    .insertInto('bank_changes')
    .values({
      tx_hash: change.txHash,
      log_index: change.logIndex,
      block_number: change.blockNumber,
      bank: change.bank,
      changed_at: change.changedAt,
      kind: change.kind,
      role: change.role ?? null,
      account: change.account ?? null,
      asset: change.asset ?? null,
      cap_micros: change.capMicros ?? null,
      executable_at: change.executableAt ?? null,
      proposed_by: change.proposedBy,
      is_deployment: change.isDeployment,
      noted_at: change.notedAt,
    })
    .onConflict((conflict) => conflict.columns(['tx_hash', 'log_index']).doNothing())
    .returning('tx_hash')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the transaction that created a bank contract: `null` if no change is stored yet, undefined if it is
 * unknown.
 */
export async function deploymentTx(db: Db, bank: string): Promise<string | null | undefined> {
  const first = await db
    .selectFrom('bank_changes')
    .select(['tx_hash', 'is_deployment'])
    .where('bank', '=', bank)
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return null
  return first.is_deployment ? first.tx_hash : undefined
}

/** Returns the newest changes after the deployment, newest first. */
export function newestChanges(db: Db, limit: number) {
  return db
    .selectFrom('bank_changes')
    .selectAll()
    .where('is_deployment', '=', false)
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the number of changes that nobody announced in the product. */
export async function countUnannounced(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bank_changes')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('is_deployment', '=', false)
    .where('proposed_by', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Sets the active alarms. Returns the alarms that begin and the kinds that end, each once, however many
 * processes watch.
 */
export async function replaceAlarms(
  dbTx: Db,
  alarms: readonly Alarm[],
  since: Date,
): Promise<{ begun: Alarm[]; ended: string[] }> {
  const kinds = alarms.map(({ kind }) => kind)
  const gone = dbTx.deleteFrom('bank_alarms').returning('kind')
  const ended = await (kinds.length === 0 ? gone : gone.where('kind', 'not in', kinds)).execute()
  const begun: Alarm[] = []
  for (const { kind, detail } of alarms) {
    const { rows } = await sql<{ isNew: boolean }>`
      insert into bank_alarms (kind, detail, since) values (${kind}, ${detail}, ${since})
      on conflict (kind) do update set detail = excluded.detail where bank_alarms.detail <> excluded.detail
      returning xmax = 0 as "isNew"`.execute(dbTx)
    if (rows[0]?.isNew) begun.push({ kind, detail })
  }
  return { begun, ended: ended.map(({ kind }) => kind) }
}

export const listAlarms = (db: Db) => db.selectFrom('bank_alarms').selectAll().orderBy('since').execute()

export async function storeCaps(dbTx: Db, caps: readonly BankCap[], readAt: Date): Promise<void> {
  for (const { asset, capMicros, remainingMicros } of caps) {
    const values = { cap_micros: capMicros, remaining_micros: remainingMicros, read_at: readAt }
    await dbTx
      .insertInto('bank_caps')
      .values({ asset, ...values })
      .onConflict((conflict) => conflict.column('asset').doUpdateSet(values))
      .execute()
  }
}

export const listCaps = (db: Db) => db.selectFrom('bank_caps').selectAll().orderBy('asset').execute()
