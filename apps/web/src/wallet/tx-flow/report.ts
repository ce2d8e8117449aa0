import type { NotedKind, RouteInput } from '@rif/api-schema'
import { createStore } from 'zustand'
import { call, kept, sessionStore } from '../../lib/index.ts'
import type { FlowKey, PendingTx } from './flow-state.ts'

type Report = RouteInput<'noteTransaction'>['body']

interface Kept {
  /** The sender's address, because another member in the same browser does not report it. */
  owner: string
  report: Report
}

const KEY = 'unreported_tx'
const MAX_UNREPORTED = 20

/** Counts the transactions sent by this browser, so that lists of transactions refresh. */
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
 * Reports a transaction to the server right after the wallet has sent it, so that every device of the member
 * can track it. A report that failed because the connection was lost is repeated when transactions are read
 * next.
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

/** The server has one more transaction, so lists of transactions read them again. */
export const lookAnew = () => sentStore.setState(sentStore.getState() + 1)

/** Reports whether a transaction belongs to one order or one withdrawal. */
const hasOneSubject = (area: string | undefined) => area !== 'approval' && area !== 'claims'

/** Ids of fund orders have their own numbering, so a separate kind distinguishes them from the shop's. */
function kindOf(area: string | undefined, step: NotedKind): NotedKind {
  if (area !== 'fund') return step
  return step === 'pay' ? 'payFund' : 'approveFund'
}

/** Reports the missing transactions to the server; failed reports remain for the next time. */
export async function reportUnreported() {
  const { tokenAddress } = sessionStore.getState()
  for (const { report } of read().filter(({ owner }) => owner === tokenAddress)) {
    try {
      await call('noteTransaction', { body: report }, { quiet: true })
    } catch {
      return
    }
    write(read().filter((item) => item.report.tx_hash !== report.tx_hash))
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
