import { AUDIT_CHECKS, bankChecks } from '../audit.ts'
import { type Chain, connectChain } from '../chain/client.ts'
import { appliedPosition } from '../chain/indexer/position.ts'
import { adoptNodeStates } from '../chain/nodes/node-states.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { findRunning, type RunningProduct } from '../local/instance.ts'
import { auditLedger, type Finding } from '../modules/books/ledger/audit.ts'
import { explainSurplus } from '../modules/rewards/attested-revenue/audit.ts'
import { missedPayments } from '../modules/shop/checkout/audit.ts'
import { type Cleared, isSame } from '../modules/trust/guard/guard.service.ts'
import { CHAIN_ID } from '../settings.ts'
import { openDatabase } from './database.ts'
import { isLocal, openPlatform } from './platform.ts'
import { indexerOf, runProduct, servicesOf } from './product.ts'

/** The database and the chain of a product, whether it is running or not. */
export type AuditSubject = { databaseUrl: string; chain: Chain; close(): Promise<void> }

/**
 * Runs `rif audit`: recomputes the books on one snapshot of the database and compares them and the solvency
 * reports with the banks on the chain. Works with or without a running product. Prints each difference and
 * returns 1 if there is one that two admins have not cleared. A surplus of the bank is a note that states its
 * source, unless an unbooked event of the bank explains it. A difference closes the gate of a running product
 * until two admins clear it.
 */
export async function audit(config: Config): Promise<number> {
  const subject = await openSubject(config)
  const database = await openDatabase(subject.databaseUrl, 2)
  try {
    await adoptNodeStates(database.db, subject.chain.nodes)
    if ((await appliedPosition(database.db, subject.chain.chainId)) === null)
      throw new StartError('the indexer has not run yet, so there is nothing to compare the bank with')
    const findings = await auditLedger(database.db, {
      chain: bankChecks(subject.chain),
      checks: AUDIT_CHECKS,
    })
    // A surplus is only a note if no payment and no other event of the bank explains it.
    const missed = findings.some(({ isNote }) => isNote)
      ? [
          ...(await missedPayments(database.db, subject.chain)),
          ...(await explainSurplus(database.db, subject.chain, findings)),
        ]
      : []
    // Only the report belongs on stdout.
    const log = createLogger({ level: 'silent' })
    const { guard, publishedReports } = await servicesOf(
      config,
      { chain: subject.chain, local: undefined },
      { db: database.db, log },
    )
    const all = [...findings, ...missed, ...(await publishedReports.findings())]
    await guard.recordFindings(all)
    const report = auditReportOf(all, await guard.clearedAmong(all))
    process.stdout.write(`${report.lines.join('\n')}\n`)
    return report.exitCode
  } finally {
    await database.close()
    await subject.close()
  }
}

/**
 * Returns the lines to print and the exit code. A difference that two admins have cleared is printed and does not fail the
 * audit. Amounts are micro-units, as in the books.
 */
export function auditReportOf(
  findings: readonly Finding[],
  cleared: readonly Cleared[] = [],
): { lines: string[]; exitCode: 0 | 1 } {
  const differences = findings.filter((finding) => !finding.isNote)
  const clearanceOf = (finding: Finding) => cleared.find((item) => isSame(item, finding))
  const lines = findings.map((finding) => {
    const clearance = finding.isNote ? undefined : clearanceOf(finding)
    if (clearance === undefined) return lineOf(finding)
    const { preparedBy, clearedBy, clearedAt } = clearance
    return `cleared by ${preparedBy} and ${clearedBy} at ${clearedAt.toISOString()}: ${lineOf(finding)}`
  })
  const open = differences.filter((finding) => clearanceOf(finding) === undefined).length
  const old = differences.length - open
  if (open > 0) lines.push(`${open} difference(s) found${old > 0 ? `, beside ${old} cleared` : ''}.`)
  else lines.push(old > 0 ? `The books agree, but for ${old} cleared difference(s).` : 'The books agree.')
  return { lines, exitCode: open === 0 ? 0 : 1 }
}

function lineOf({ check, subject, expected, actual, isNote }: Finding): string {
  if (!isNote) return `${check}: ${subject}: expected ${expected}, is ${actual}`
  if (check === 'unattested') return `note: the bank holds ${actual} ${subject}, beside the books`
  if (check === 'surplus') return `note: of it ${actual} is ${subject}`
  if (check === 'bank')
    return `note: the bank holds ${BigInt(actual) - BigInt(expected)} more than the books (${subject})`
  return `note: ${check}: ${subject}`
}

/** Connects to the running parts and starts the others, which `close` stops. */
export async function openSubject(config: Config): Promise<AuditSubject> {
  const running = isLocal(config) ? await findRunning(config.dataDir) : undefined
  return running ? attach(running, config) : openAlone(config)
}

/**
 * Gives `read` the books of the configured database, or of the local product, running or not. Holds this many
 * connections in the meantime.
 */
export async function withBooks<T>(
  config: Config,
  connections: number,
  read: (db: Db) => Promise<T>,
): Promise<T> {
  const subject =
    config.databaseUrl === undefined
      ? await openSubject(config)
      : { databaseUrl: config.databaseUrl, close: async () => undefined }
  const database = await openDatabase(subject.databaseUrl, connections)
  try {
    return await read(database.db)
  } finally {
    await database.close()
    await subject.close()
  }
}

async function attach(running: RunningProduct, { databaseUrl, remoteChain }: Config): Promise<AuditSubject> {
  const rpcUrls = remoteChain?.rpcUrls ?? (running.rpcUrl ? [running.rpcUrl] : undefined)
  const contracts = remoteChain?.contracts ?? running.contracts
  const url = databaseUrl ?? running.databaseUrl
  if (!rpcUrls || !contracts || !url)
    throw new StartError('the product is just starting: try again when it is ready')
  const chain = await connectChain({ rpcUrls, chainId: CHAIN_ID, contracts })
  return { databaseUrl: url, chain, close: async () => undefined }
}

/**
 * Nothing is running: starts the local parts, and imports the last blocks, whose state the node still has.
 */
async function openAlone(config: Config): Promise<AuditSubject> {
  const log = createLogger({ level: config.logLevel ?? 'warn' })
  const platform = await openPlatform(config, (_what, work) => work)
  if (!platform.local) return platform
  try {
    const product = await runProduct({ config, platform, log, roles: [] })
    await indexerOf(product.services, platform, config, log).runOnce()
    await product.stop()
    return platform
  } catch (error) {
    await platform.close()
    throw error
  }
}
