import { PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type AuditCheck, type Difference, LEDGER_CHECKS } from './ledger.audit-checks.ts'

export { check as auditQuery } from './ledger.audit-checks.ts'
export type { AuditCheck, Difference }

/** What an audit found. A note is worth knowing and nobody's loss: the books are in order all the same. */
export type Finding = Difference & { readonly check: string; readonly isNote?: boolean }

export interface AuditOptions {
  /**
   * What the bank holds on chain, in micro-units, at the last block whose events the ledger has taken in: read that
   * position from the given snapshot.
   */
  readonly chain?: { readonly holdings: (db: Db) => Promise<Readonly<Record<PaymentAsset, bigint>>> }
  /** Checks of other modules, run on the same snapshot. */
  readonly checks?: readonly AuditCheck[]
}

/**
 * Recomputes the books from the postings (rules, section 2) and returns every difference, with the name of the check
 * that found it; none when all is well. Works on one snapshot, so the server may go on posting meanwhile.
 */
export async function auditLedger(db: Db, options: AuditOptions = {}): Promise<Finding[]> {
  const checks = [...LEDGER_CHECKS, ...(options.checks ?? [])]
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const found: Finding[] = []
      for (const { name, run } of checks) {
        for (const difference of await run(snapshot)) found.push({ check: name, ...difference })
      }
      if (options.chain) found.push(...(await compareBank(snapshot, options.chain.holdings)))
      return found
    })
}

/**
 * Whatever came in from outside and did not leave again lies in the bank, to the micro-unit. Anybody can send the bank
 * tokens that nobody is owed, so more than that is a note; whether an event was left out of the books shows elsewhere.
 */
async function compareBank(
  db: Db,
  holdings: (db: Db) => Promise<Readonly<Record<PaymentAsset, bigint>>>,
): Promise<Finding[]> {
  const { rows } = await sql<{ asset: string; taken_in: bigint }>`
    select asset, (-sum(balance))::bigint as taken_in from ledger_balances
    where account = 'external' group by asset`.execute(db)
  const takenIn = new Map(rows.map((row) => [row.asset, row.taken_in]))
  const held = await holdings(db)
  return PAYMENT_ASSETS.flatMap((asset): Finding[] => {
    const expected = takenIn.get(asset) ?? 0n
    const surplus = held[asset] - expected
    if (surplus === 0n) return []
    const finding = {
      check: 'bank',
      subject: `${asset} held by the bank contract`,
      expected: `${expected}`,
      actual: `${held[asset]}`,
    }
    return [surplus > 0n ? { ...finding, isNote: true } : finding]
  })
}
