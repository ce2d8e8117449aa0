import { PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../db/database.ts'
import { type AuditCheck, type Difference, LEDGER_CHECKS } from './ledger.audit-checks.ts'

export { check as auditQuery } from './ledger.audit-checks.ts'
export type { AuditCheck, Difference }

/** The result of an audit. A note is information only: the books are correct. */
export type Finding = Difference & { readonly check: string; readonly isNote?: boolean }

export interface AuditOptions {
  /**
   * Returns the holdings of the bank on chain, in micro-units, at the last block whose events the ledger has processed.
   * That position is read from the given snapshot.
   */
  readonly chain?: { readonly holdings: (db: Db) => Promise<Readonly<Record<PaymentAsset, bigint>>> }
  /** Checks of other modules, run on the same snapshot. */
  readonly checks?: readonly AuditCheck[]
}

/**
 * Recomputes the books from the postings (rules, section 2) and returns every difference with the name of its check.
 * Reads one snapshot, so the server may continue to post.
 */
export async function auditLedger(db: Db, options: AuditOptions = {}): Promise<Finding[]> {
  const checks = [...LEDGER_CHECKS, ...(options.checks ?? [])]
  return inSnapshot(db, async (snapshot) => {
    const found: Finding[] = []
    for (const { name, run } of checks) {
      for (const difference of await run(snapshot)) found.push({ check: name, ...difference })
    }
    if (options.chain) found.push(...(await compareBank(snapshot, options.chain.holdings)))
    return found
  })
}

/**
 * Checks that the bank holds what came in from outside less what left, to the micro-unit. Anybody can send tokens to the
 * bank, so a surplus is a note; another check detects an event that the books lack.
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
