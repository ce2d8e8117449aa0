import type { Asset } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { LedgerAccount } from './ledger.accounts.ts'

/** The balance of an account over all members, or of the operator. */
export interface AccountTotal {
  readonly asset: Asset
  readonly account: LedgerAccount
  readonly micros: bigint
}

/** Returns the totals of all accounts, without zeros. Reads every balance: for reports, not for requests. */
export async function accountTotals(db: Db): Promise<AccountTotal[]> {
  const { rows } = await sql<{ asset: Asset; account: LedgerAccount; micros: string }>`
    select asset, account, sum(balance)::text as micros from ledger_balances
    group by asset, account having sum(balance) <> 0 order by asset, account`.execute(db)
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }))
}
