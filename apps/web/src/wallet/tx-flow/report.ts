import type { NotedKind, RouteInput } from '@rif/api-schema'
import { createStore } from 'zustand'
import { call, kept, sessionStore } from '../../lib/index.ts'
import type { FlowKey, PendingTx } from './flow-state.ts'

type Report = RouteInput<'noteTransaction'>['body']

interface Kept {
  /** Whose it is: another member of the same browser does not tell it. */
  owner: string
  report: Report
}

const KEY = 'unreported_tx'
const MAX_UNREPORTED = 20

/** Counts what this browser has sent, so that who shows transactions looks anew. */
export const sentStore = createStore(() => 0)

const REPORTED: readonly string[] = [
  'approveUsdt',
  'approveAmc',
  'pay',
  'claim',
  'revokeUsdt',
  'revokeAmc',
] satisfies readonly NotedKind[]

/**
 * Tells the server of a transaction right after the wallet has sent it, so that every device of the member can follow
 * it. What could not be told, because the connection was lost that moment, is told when transactions are looked at next.
 */
export async function reportSent(key: FlowKey, { step, hash, nonce }: PendingTx) {
  if (hash === null || !REPORTED.includes(step)) return
  const [area, subject] = key.split(':')
  const report: Report = {
    tx_hash: hash,
    kind: kindOf(area, step as NotedKind),
    nonce,
    ...(hasOneSubject(area) && subject !== undefined && { subject_id: subject }),
  }
  write([...read(), { owner: sessionStore.getState().tokenAddress, report }])
  await reportUnreported()
  lookAnew()
}

/** The server knows of one more: who shows transactions reads them. */
export const lookAnew = () => sentStore.setState(sentStore.getState() + 1)

/** Reports whether a transaction serves one order or one withdrawal. */
const hasOneSubject = (area: string | undefined) => area !== 'approval' && area !== 'claims'

/** Ids of the fund's orders are counted on their own: a kind of their own tells them from the shop's. */
function kindOf(area: string | undefined, step: NotedKind): NotedKind {
  if (area !== 'fund') return step
  return step === 'pay' ? 'payFund' : 'approveFund'
}

/** Tells the server what it does not know yet; what fails stays for the next time. */
export async function reportUnreported() {
  const { tokenAddress } = sessionStore.getState()
  for (const { report } of read().filter(({ owner }) => owner === tokenAddress)) {
    try {
      await call('noteTransaction', { body: report }, { quiet: true })
    } catch {
      return
    }
    write(read().filter((one) => one.report.tx_hash !== report.tx_hash))
  }
}

function read(): Kept[] {
  try {
    const value = JSON.parse(kept.get(KEY) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function write(reports: readonly Kept[]) {
  kept.set(KEY, reports.length === 0 ? null : JSON.stringify(reports.slice(-MAX_UNREPORTED)))
}
