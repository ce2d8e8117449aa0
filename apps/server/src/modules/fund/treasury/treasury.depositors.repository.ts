import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The transfers of tokens to a depositor in a range of blocks, as the nodes returned them. */
export interface DepositLook {
  readonly depositId: string
  readonly depositor: string
  readonly fromBlock: bigint
  readonly toBlock: bigint
  readonly fromAt: Date
  /** The number of transfers by sending wallet, in lower case. */
  readonly senders: Readonly<Record<string, number>>
}

const COLUMNS = sql`deposit_id as "depositId", depositor, from_block as "fromBlock", to_block as "toBlock",
  from_at as "fromAt", senders`

export async function lookOf(db: Db, depositId: string): Promise<DepositLook | undefined> {
  const { rows } = await sql<DepositLook>`
    select ${COLUMNS} from deposit_looks where deposit_id = ${depositId}`.execute(db)
  return rows[0]
}

/** Returns the search for the latest deposit of a wallet. */
export async function lastLook(db: Db, depositor: string): Promise<DepositLook | undefined> {
  const { rows } = await sql<DepositLook>`
    select ${COLUMNS} from deposit_looks where depositor = ${depositor}
    order by to_block desc limit 1`.execute(db)
  return rows[0]
}

/** Stores a search; the first one of a deposit is kept. */
export async function insertLook(db: Db, look: DepositLook, at: Date): Promise<void> {
  const { depositId, depositor, fromBlock, toBlock, fromAt, senders } = look
  await sql`
    insert into deposit_looks (deposit_id, depositor, from_block, to_block, from_at, senders, looked_at)
    values (${depositId}, ${depositor}, ${fromBlock}, ${toBlock}, ${fromAt}, ${JSON.stringify(senders)}, ${at})
    on conflict (deposit_id) do nothing`.execute(db)
}
