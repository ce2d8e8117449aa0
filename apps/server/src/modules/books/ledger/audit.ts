import { setTimeout } from 'node:timers/promises'
import { PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import { awaitDecided } from '../../../db/citus/in-doubt.ts'
import { isCluster } from '../../../db/citus/machines.ts'
import { type Db, inSnapshot } from '../../../db/database.ts'
import { type AuditCheck, type Difference, LEDGER_CHECKS, writtenSince } from './audit-checks.ts'
import { accountsNow } from './flows.ts'

export { check as auditQuery, writtenSince } from './audit-checks.ts'
export type { AuditCheck, Difference }

/** The result of an audit. A note is information only: the books are correct. */
export type Finding = Difference & { readonly check: string; readonly isNote?: boolean }

type Holdings = Readonly<Record<PaymentAsset, bigint>>

export interface AuditOptions {
  /**
   * `holdings` returns the bank's holdings on chain, in micro-units, at the end of the block that the books of the given
   * snapshot have reached; null if they are within a block. `unattested` returns the deposits that the bank holds and the
   * books do not contain, because nobody has attested them.
   */
  readonly chain?: {
    readonly holdings: (db: Db) => Promise<Holdings | null>
    readonly unattested?: (db: Db) => Promise<Holdings>
    /** Returns other differences between the books and the bank, at the same block. */
    readonly findings?: (db: Db) => Promise<readonly Finding[]>
  }
  /** Checks of other modules, run on the same snapshot. */
  readonly checks?: readonly AuditCheck[]
  /**
   * Restricts the audit to members whose ledger changed since an earlier audit, given by its
   * `AuditReading.xid`.
   */
  readonly since?: bigint
}

/** The findings of an audit, and the position from which the next one reads changes. */
export interface AuditReading {
  readonly findings: readonly Finding[]
  /** Every change that this audit did not see has this transaction number or a later one. */
  readonly xid: bigint
}

/**
 * Runs an audit and returns the position for the next one. With `since`, only the checks that read changes
 * run, for members whose ledger changed; the others are left to a full audit. On a cluster every audit is a
 * full one.
 */
export async function auditChanges(db: Db, options: AuditOptions = {}): Promise<AuditReading> {
  const { since, checks = [] } = options
  const isOnMachines = await isCluster(db)
  return confirmed(db, isOnMachines, () =>
    inSnapshot(db, async (snapshot) => {
      const { rows } = await sql<{ xid: bigint }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`.execute(snapshot)
      const { xid } = rows[0]!
      // Each machine of a cluster numbers its transactions independently, so no single number covers changes on
      // all of them.
      if (since === undefined || isOnMachines) return { xid, findings: await findingsOf(snapshot, options) }
      const changes = { since, memberIds: await membersSince(snapshot, since) }
      const findings: Finding[] = []
      for (const { name, runFor } of [...LEDGER_CHECKS, ...checks]) {
        if (runFor === undefined || changes.memberIds.length === 0) continue
        for (const difference of await runFor(snapshot, changes))
          findings.push({ check: name, ...difference })
      }
      return { xid, findings }
    }),
  )
}

/**
 * Reads once on one machine. The machines of a cluster have no common snapshot, so there it reads twice and keeps
 * what both readings find: it was so at the first one. Transactions that were in doubt by then are decided before the
 * second (docs/scale.md, "Audits and reports").
 */
async function confirmed<Reading extends { readonly findings: readonly Finding[] }>(
  db: Db,
  isOnMachines: boolean,
  read: () => Promise<Reading>,
): Promise<Reading> {
  const first = await read()
  if (!isOnMachines || first.findings.length === 0) return first
  await awaitDecided(db)
  const second = new Set((await read()).findings.map((finding) => JSON.stringify(finding)))
  return { ...first, findings: first.findings.filter((finding) => second.has(JSON.stringify(finding))) }
}

/** Returns the members whose ledger heads were written by a transaction with this number or a later one. */
async function membersSince(snapshot: Db, xid: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from ledger_heads where ${writtenSince(xid)} order by member_id`.execute(
    snapshot,
  )
  return rows.map(({ memberId }) => memberId)
}

/** The maximum wait for books at the end of a block. The indexer applies the events of a block quickly. */
const BLOCK_WAIT_MS = 5_000
const BLOCK_POLL_MS = 50

/**
 * Recomputes the books from the postings (rules, section 2) and returns every difference with the name of its
 * check. Reads one snapshot at the end of a block, so the server may continue to post; if there is none, a
 * note states that the bank is not compared.
 */
export async function auditLedger(db: Db, options: AuditOptions = {}): Promise<readonly Finding[]> {
  const reading = await confirmed(db, await isCluster(db), async () => ({
    findings: await readLedger(db, options),
  }))
  return reading.findings
}

async function readLedger(db: Db, options: AuditOptions): Promise<Finding[]> {
  const { chain } = options
  for (let waitedMs = 0; ; waitedMs += BLOCK_POLL_MS) {
    const findings = await inSnapshot(db, async (snapshot) => {
      const holdings = await chain?.holdings(snapshot)
      if (holdings === null && waitedMs < BLOCK_WAIT_MS) return undefined
      const ledgerFindings = await findingsOf(snapshot, options)
      if (holdings === undefined) return ledgerFindings
      const others = holdings === null ? [] : ((await chain?.findings?.(snapshot)) ?? [])
      return [
        ...ledgerFindings,
        ...(await compareBank(snapshot, holdings, await chain?.unattested?.(snapshot))),
        ...others,
      ]
    })
    if (findings !== undefined) return findings
    await setTimeout(BLOCK_POLL_MS)
  }
}

async function findingsOf(snapshot: Db, { checks = [] }: AuditOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, run } of [...LEDGER_CHECKS, ...checks]) {
    for (const difference of await run(snapshot)) findings.push({ check: name, ...difference })
  }
  return findings
}

const NOT_COMPARED: Finding = {
  check: 'bank not compared',
  subject: 'the books stand within a block',
  expected: 'the end of a block',
  actual: 'a part of its events',
  isNote: true,
}

const NOTHING: Holdings = { USDT: 0n, AMC: 0n }

/**
 * Checks that the bank holds exactly the external receipts less the payouts, and the unattested deposits. Anybody can send
 * tokens to the bank, so a surplus is a note; another check detects an event that the books lack.
 */
async function compareBank(db: Db, holdings: Holdings | null, unattested = NOTHING): Promise<Finding[]> {
  if (holdings === null) return [NOT_COMPARED]
  const outside = await accountsNow(db, ['external'])
  const takenIn = new Map<string, bigint>(outside.map(({ asset, micros }) => [asset, -micros]))
  return PAYMENT_ASSETS.flatMap((asset): Finding[] => {
    const deposits = unattested[asset] > 0n ? [depositNote(asset, unattested[asset])] : []
    const expected = (takenIn.get(asset) ?? 0n) + unattested[asset]
    const surplus = holdings[asset] - expected
    if (surplus === 0n) return deposits
    const finding = {
      check: 'bank',
      subject: `${asset} held by the bank contract`,
      expected: `${expected}`,
      actual: `${holdings[asset]}`,
    }
    return [...deposits, surplus > 0n ? { ...finding, isNote: true } : finding]
  })
}

function depositNote(asset: PaymentAsset, micros: bigint): Finding {
  return {
    check: 'unattested',
    subject: `${asset} of deposits that nobody has attested`,
    expected: '0',
    actual: `${micros}`,
    isNote: true,
  }
}
