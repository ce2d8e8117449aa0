import { PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { PoolAccount } from './accounts.ts'
import * as repository from './ledger.repository.ts'
import { refusing } from './refusals.ts'

/**
 * Reserves pool money for a batch that is paid later. Locks the pool. Throws INSUFFICIENT_BALANCE if less is
 * free.
 */
export async function reserve(
  dbTx: Db,
  account: PoolAccount,
  amounts: Readonly<Record<PaymentAsset, bigint>>,
): Promise<void> {
  for (const asset of PAYMENT_ASSETS) {
    if (amounts[asset] > 0n) await refusing(repository.callReserve(dbTx, account, asset, amounts[asset]))
  }
}

/** Creates the custody of a new fund product. */
export async function openCustody(dbTx: Db, productId: bigint): Promise<void> {
  await repository.callOpenCustody(dbTx, productId)
}

/** Returns the free balances of a pool in micro-units, or those at the end of an accounting day (rules, section 1). */
export async function poolBalances(
  db: Db,
  account: PoolAccount,
  day?: string,
): Promise<Readonly<Record<PaymentAsset, bigint>>> {
  const rows =
    day === undefined
      ? await repository.findPool(db, account)
      : await repository.findPoolAtEndOf(db, account, day)
  return Object.assign({ USDT: 0n, AMC: 0n }, Object.fromEntries(rows.map((row) => [row.asset, row.balance])))
}
