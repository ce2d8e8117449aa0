import { setTimeout } from 'node:timers/promises'
import type { GuardCause } from '@rif/api-schema'
import { dayOf, formatMicros, PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import type { Alarms } from '../../../alarms/alarms.ts'
import { readBankHoldings } from '../../../chain/bank-holdings.ts'
import type { Chain } from '../../../chain/client.ts'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import { undoState } from '../../../chain/indexer/rewind.ts'
import { loadPosition } from '../../../chain/indexer/store.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Reading } from '../../../plugins/metrics.ts'
import { closeGate, endCause, guardCauses, isUnopened, openingOf } from '../../access/gates/gates.service.ts'
import {
  type AuditCheck,
  type AuditOptions,
  type AuditReading,
  auditChanges,
  type Finding,
} from '../../books/ledger/audit.ts'
import type { WebhookEvents } from '../../messages/webhooks/webhooks.events.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { SettlementService } from '../../settlement/settlement.service.ts'
import type { PublishedReports } from '../solvency/solvency.published.service.ts'
import { owedMicros, type Position, type SolvencyService } from '../solvency/solvency.service.ts'
import * as repository from './guard.repository.ts'

export { type Cleared, isSame } from './guard.repository.ts'

interface Deps {
  readonly db: Db
  /** The database for audits: a replica if there is one. */
  readonly auditDb: Db
  readonly chain: Chain
  readonly now: Now
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'begin' | 'end' | 'lastEnded'>
  readonly adminLog: AdminLogService
  readonly webhookEvents: Pick<WebhookEvents, 'emit'>
  /** The checks of all modules. */
  readonly auditChecks: readonly AuditCheck[]
  readonly settlement: Pick<SettlementService, 'lastSettledAt'>
  readonly solvency: Pick<SolvencyService, 'position' | 'lastPublishedSnapshotAt'>
  readonly publishedReports: PublishedReports
  /** True if an old report closes the gate. */
  readonly needsSnapshots: boolean
  /** The longest wait for a replica. */
  readonly replicaWaitMs: number
}

export type Guard = ReturnType<typeof createGuard>

const HOUR_MS = 3_600_000
const AUDIT_EVERY_MS = HOUR_MS
const FULL_EVERY_MS = 24 * HOUR_MS
const SNAPSHOT_LASTS_MS = 36 * HOUR_MS
const SHOWN_DIFFERENCES = 100
/**
 * The number of days whose reports an audit of changes and a full one compare with the chain; `rif audit`
 * compares all.
 */
const REPORT_DAYS = 7
const FULL_REPORT_DAYS = 60
const REPLICA_POLL_MS = 250
/** Two audits; a third that reads the replica lets the alarm end. */
const REPLICA_ALARM_MS = 2.5 * HOUR_MS
const SHOWN_CLOSINGS = 3

/**
 * Creates the guard. It closes the gate of `gates` while the books do not agree or the bank holds less than
 * it owes, and opens it afterwards. Any number of processes may run it. Rules, section 13; decision 31.
 */
export function createGuard(deps: Deps) {
  const { db, auditDb, chain, now, log, adminLog, solvency, webhookEvents, alarms } = deps

  /** Closes the gate for a cause, with an alarm if it is new. */
  async function close(dbTx: Db, cause: GuardCause, detail: string): Promise<void> {
    const at = now()
    if (!(await closeGate(dbTx, { cause, detail, since: at }))) return
    await alarms.begin('guard_closed', { cause, detail }, { subject: cause, on: dbTx })
    await webhookEvents.emit(dbTx, 'alarm.raised', { cause, detail })
  }

  /** Ends a cause, with a message if it was active. */
  async function end(dbTx: Db, cause: GuardCause): Promise<void> {
    const ended = await endCause(dbTx, cause)
    if (ended === undefined) return
    const others = (await guardCauses(dbTx)).map((guardCause) => guardCause.cause)
    const detail =
      others.length === 0 ? 'money moves again' : `the gate stays closed because of ${others.join(', ')}`
    await alarms.end('guard_closed', { cause, detail }, { subject: cause, on: dbTx })
    await webhookEvents.emit(dbTx, 'alarm.ended', { cause, detail })
  }

  /**
   * Reports whether the bank is also short at the newest block whose events may be in the books. While the
   * indexer applies events, payments are in the books before the block that they were compared with.
   */
  async function isShortAtNewest(positions: Readonly<Record<PaymentAsset, Position>>): Promise<boolean> {
    const { finalised } = await loadPosition(db, chain.chainId)
    const holdings = await readBankHoldings(chain, finalised.number)
    return PAYMENT_ASSETS.some((asset) =>
      isShort({ ...positions[asset], heldMicros: holdings[asset].micros }),
    )
  }

  /** Stores the findings of an audit; an uncleared difference closes the gate. */
  async function record(
    auditId: bigint,
    { findings, xid }: { findings: readonly Finding[]; xid: bigint | null },
  ) {
    // A shortfall of the bank is a separate cause, which ends by itself.
    const differences = findings.filter(({ check, isNote }) => !isNote && check !== 'bank')
    await inTx(db, async (dbTx) => {
      const at = now()
      const { open, first: firstDifference } = await repository.storeDifferences(dbTx, differences, at)
      await repository.endAudit(dbTx, { auditId, at, differences: differences.length, xid })
      if (firstDifference === undefined) return
      const { check, subject, expected, actual } = firstDifference
      const first = `${check}: ${subject}: expected ${expected}, is ${actual}`
      await close(dbTx, 'difference', open === 1 ? first : `${open} differences; ${first}`)
    })
    return differences.length
  }

  /**
   * Returns the time from which the age of the last on-chain report counts: that report, or the opening, or the
   * installation of a product that needed none.
   */
  async function snapshotAge() {
    const published = await solvency.lastPublishedSnapshotAt(db)
    const opened = (await openingOf(db))?.openedAt ?? null
    const start = opened ?? (await repository.startedAt(db))
    return {
      published,
      since: published !== null && (opened === null || published > opened) ? published : start,
    }
  }

  /**
   * Reads the books for an audit: from the replica, once it is as recent as the start of the audit, or from
   * the database itself if the replica lags or fails.
   */
  async function readBooks(
    auditId: bigint,
    options: AuditOptions,
  ): Promise<AuditReading & { from: 'replica' | 'database' }> {
    if (auditDb !== db && (await catchesUp(auditId))) {
      try {
        return { ...(await auditChanges(auditDb, options)), from: 'replica' }
      } catch (error) {
        log.warn({ err: error }, 'the replica ended an audit; it reads the database')
      }
    }
    return { ...(await auditChanges(db, options)), from: 'database' }
  }

  async function catchesUp(auditId: bigint): Promise<boolean> {
    for (let waitedMs = 0; waitedMs <= deps.replicaWaitMs; waitedMs += REPLICA_POLL_MS) {
      if (await repository.hasAudit(auditDb, auditId).catch(() => false)) return true
      await setTimeout(REPLICA_POLL_MS)
    }
    log.warn('the replica is behind or away; an audit reads the database')
    await alarms.begin('replica_behind', {}, { lastsMs: REPLICA_ALARM_MS })
    return false
  }

  /**
   * Compares the reports with the chain, as far as the nodes answer, and with the books. An audit of changes
   * compares reports written since the last audit, a full one all of the last days and the leaves of the
   * newest.
   */
  async function readReports(since: bigint | null): Promise<readonly Finding[]> {
    const { onChain, inBooks, writtenSince } = deps.publishedReports
    const lastDays = since === null ? FULL_REPORT_DAYS : REPORT_DAYS
    const first = dayOf(now().getTime() - lastDays * 24 * HOUR_MS)
    const published = await onChain(first).catch((error: unknown) => {
      log.warn({ err: error }, 'the reports were not compared with the chain')
      return []
    })
    return [...published, ...(await (since === null ? inBooks(first) : writtenSince(since)))]
  }

  /** Runs an audit that is due or requested. Returns the number of differences; undefined if none was due. */
  async function audit({ isWanted }: { isWanted: boolean }): Promise<number | undefined> {
    const settledAt = await deps.settlement.lastSettledAt()
    const due = { at: now(), settledAt, everyMs: AUDIT_EVERY_MS, fullEveryMs: FULL_EVERY_MS, isWanted }
    const started = await inTx(db, (dbTx) => repository.startDueAudit(dbTx, due))
    if (started === undefined) return undefined
    const { auditId, since } = started
    const isFull = since === null
    const books = await readBooks(auditId, { checks: deps.auditChecks, ...(!isFull && { since }) })
    const reports = await readReports(since)
    const differences = await record(auditId, { ...books, findings: [...books.findings, ...reports] })
    log.info({ isFull, from: books.from, differences }, 'an audit has ended')
    return differences
  }

  return {
    /**
     * Compares the holdings of the banks with the liabilities and holdings in the books, at the last block in
     * the books. Changes nothing while the chain does not answer, or while the books contain events that a
     * reorganisation dropped.
     */
    async checkHoldings(): Promise<void> {
      const positions = await solvency.position()
      if (PAYMENT_ASSETS.some((asset) => positions[asset].heldMicros === null)) return
      if (await isUndoing(db, chain.chainId)) return
      const short = PAYMENT_ASSETS.filter((asset) => isShort(positions[asset]))
      if (short.length > 0 && !(await isShortAtNewest(positions))) return
      const detail = short.map((asset) => shortText(asset, positions[asset])).join('; ')
      await inTx(db, (dbTx) => (short.length > 0 ? close(dbTx, 'shortfall', detail) : end(dbTx, 'shortfall')))
    },

    /**
     * Closes the gate while the last solvency report on chain (or, before the first, the installation) is too
     * old.
     */
    async checkSnapshot(): Promise<void> {
      if (!deps.needsSnapshots || (await isUnopened(db))) return
      const { published, since } = await snapshotAge()
      const isOld = now().getTime() - since.getTime() > SNAPSHOT_LASTS_MS
      const detail = `the last one was published at ${published?.toISOString() ?? 'no time yet'}`
      await inTx(db, (dbTx) => (isOld ? close(dbTx, 'old_snapshot', detail) : end(dbTx, 'old_snapshot')))
    },

    /** Returns when the gate closes unless a newer report is on chain; null where reports are not needed. */
    async stopsAt(): Promise<Date | null> {
      if (!deps.needsSnapshots || (await isUnopened(db))) return null
      return new Date((await snapshotAge()).since.getTime() + SNAPSHOT_LASTS_MS)
    },

    /**
     * Runs an audit if one is due: of changes each hour and after each settlement, of everything each day.
     */
    auditWhenDue: async (): Promise<void> => void (await audit({ isWanted: false })),

    /** Runs an audit now, of changes unless a full one is due. Returns the number of differences. */
    auditNow: async (): Promise<number> => (await audit({ isWanted: true }))!,

    /** Stores the findings of a full audit that an operator ran. */
    async recordFindings(findings: readonly Finding[]): Promise<void> {
      const auditId = await inTx(db, (dbTx) => repository.startAudit(dbTx, 'full', now()))
      await record(auditId, { findings, xid: null })
    },

    /** Returns those of the findings that two admins have cleared. */
    clearedAmong: (findings: readonly Finding[]) => repository.clearedAmong(db, findings),

    /** Returns the uncleared differences, oldest first. */
    openDifferences: (on: Db) => repository.openDifferences(on, SHOWN_DIFFERENCES),

    /** Clears the differences that two admins have seen. Throws NOTHING_TO_REVIEW if there are none. */
    async clear(dbTx: Db, actors: { preparedBy: string; decidedBy: string; reason: string }): Promise<void> {
      const { preparedBy, decidedBy, reason } = actors
      const cleared = await repository.clearDifferences(dbTx, { preparedBy, clearedBy: decidedBy, at: now() })
      if (cleared === 0) throw new AppError('NOTHING_TO_REVIEW')
      await end(dbTx, 'difference')
      await adminLog.record(dbTx, {
        actor: decidedBy,
        action: 'guard.clear',
        subject: 'guard/difference',
        reason,
        after: { differences: cleared },
      })
    },

    /** The metrics of the guard. */
    readings: [
      {
        name: 'rif_guard_closed',
        help: '1 for each cause that closes the gate for money',
        labels: ['cause'],
        read: async () => (await guardCauses(db)).map(({ cause }) => ({ labels: { cause }, value: 1 })),
      },
      {
        name: 'rif_guard_audit_age_seconds',
        help: 'The time since the last audit of a kind has ended',
        labels: ['kind'],
        read: async () =>
          (await repository.lastEnded(db)).map(({ kind, endedAt }) => ({
            labels: { kind },
            value: (now().getTime() - endedAt.getTime()) / 1_000,
          })),
      },
    ] satisfies Reading[],

    /** Returns the reasons why the gate is closed, and the last audits, for the operators' page. */
    async report() {
      const [causes, audits] = [await guardCauses(db), await repository.lastAudits(db)]
      const closings = await alarms.lastEnded(db, 'guard_closed', SHOWN_CLOSINGS)
      const snapshot = deps.needsSnapshots ? await snapshotAge() : null
      return {
        closings: closings.map(({ subject, from, until }) => ({
          cause: subject as GuardCause,
          from: from.toISOString(),
          until: until.toISOString(),
        })),
        snapshot: snapshot && { at: snapshot.since.toISOString(), lasts_ms: SNAPSHOT_LASTS_MS },
        causes: causes.map(({ since, ...rest }) => ({ ...rest, since: since.toISOString() })),
        audits: audits.map((audit) => ({
          kind: audit.kind,
          started_at: audit.startedAt.toISOString(),
          ended_at: audit.endedAt?.toISOString() ?? null,
          differences: audit.differences,
        })),
      }
    },

    /** Returns the causes for all callers, without details. */
    causes: async (): Promise<GuardCause[]> => (await guardCauses(db)).map(({ cause }) => cause),

    /** Returns the end of the last audit; null before the first. */
    lastAuditedAt: (): Promise<Date | null> => repository.lastAuditedAt(db),
  }
}

/**
 * Reports whether the books hold events that are no longer in the chain, so that the two are on different
 * branches.
 */
async function isUndoing(db: Db, chainId: number): Promise<boolean> {
  const isHalted = (await indexerStatus(db, chainId))?.halted ?? false
  return isHalted || (await undoState(db, chainId)) !== 'none'
}

function isShort(position: Position): boolean {
  const { heldMicros, booksMicros } = position
  return heldMicros !== null && (heldMicros < owedMicros(position) || heldMicros < booksMicros)
}

function shortText(asset: PaymentAsset, position: Position): string {
  const [heldText, books, owed] = [position.heldMicros!, position.booksMicros, owedMicros(position)].map(
    formatMicros,
  )
  return `the bank holds ${heldText} ${asset}, the books say ${books}, and ${owed} are owed`
}
