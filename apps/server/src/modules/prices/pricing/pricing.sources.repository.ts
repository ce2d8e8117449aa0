import type { Micros, OracleProblem } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { PricedAsset } from './pricing.repository.ts'

/** A feed by its name, or an oracle by its address, and the asset whose price it gives. */
export interface SourceKey {
  readonly source: 'feed' | 'oracle'
  readonly name: string
  readonly asset: PricedAsset
}

export type Outcome = 'published' | 'unchanged' | 'waiting' | 'refused'

/** The last price of a source for an asset. */
export interface SourceRow extends SourceKey {
  readonly observedAt: Date | null
  readonly priceMicros: Micros | null
  readonly receivedAt: Date | null
  readonly outcome: Outcome | null
  /** The price that waits for approval. */
  readonly waitingMicros: Micros | null
  readonly waitingAt: Date | null
  /** The last price that persons refused. */
  readonly refusedMicros: Micros | null
  readonly problem: OracleProblem | 'unreadable' | null
  readonly problemAt: Date | null
}

const COLUMNS = sql`source, name, asset, observed_at as "observedAt", price_micros as "priceMicros",
  received_at as "receivedAt", outcome, waiting_micros as "waitingMicros", waiting_at as "waitingAt",
  refused_micros as "refusedMicros", problem, problem_at as "problemAt"`

/** Returns the row of a source, locked. Creates it if it is missing. */
export async function lockSource(dbTx: Db, { source, name, asset }: SourceKey): Promise<SourceRow> {
  await sql`insert into price_sources (source, name, asset) values (${source}, ${name}, ${asset})
    on conflict do nothing`.execute(dbTx)
  const { rows } = await sql<SourceRow>`
    select ${COLUMNS} from price_sources
    where source = ${source} and name = ${name} and asset = ${asset} for update`.execute(dbTx)
  return rows[0]!
}

export async function findSource(db: Db, { source, name, asset }: SourceKey): Promise<SourceRow | undefined> {
  const { rows } = await sql<SourceRow>`
    select ${COLUMNS} from price_sources
    where source = ${source} and name = ${name} and asset = ${asset}`.execute(db)
  return rows[0]
}

export async function listSources(db: Db): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select ${COLUMNS} from price_sources order by asset, source, name`.execute(db)
  return rows
}

type Change = Partial<Omit<SourceRow, keyof SourceKey>>

/** Stores changed facts of a source. */
export async function changeSource(
  dbTx: Db,
  { source, name, asset }: SourceKey,
  change: Change,
): Promise<void> {
  const values = {
    ...('observedAt' in change && { observed_at: change.observedAt }),
    ...('priceMicros' in change && { price_micros: change.priceMicros }),
    ...('receivedAt' in change && { received_at: change.receivedAt }),
    ...('outcome' in change && { outcome: change.outcome }),
    ...('waitingMicros' in change && { waiting_micros: change.waitingMicros }),
    ...('waitingAt' in change && { waiting_at: change.waitingAt }),
    ...('refusedMicros' in change && { refused_micros: change.refusedMicros }),
    ...('problem' in change && { problem: change.problem }),
    ...('problemAt' in change && { problem_at: change.problemAt }),
  }
  await dbTx
    .updateTable('price_sources')
    .set(values)
    .where('source', '=', source)
    .where('name', '=', name)
    .where('asset', '=', asset)
    .execute()
}
