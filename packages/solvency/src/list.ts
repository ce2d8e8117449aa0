import {
  bytesOf,
  type Context,
  ENTRY_BYTES,
  FormatError,
  type HashInto,
  hexOf,
  REPORT_BYTES,
  type Report,
  readReport,
  reportBytes,
  viewOf,
} from './format.ts'
import { amountsOf, compareHashes, createTreeReducer, entryHash, GROUP_LEAVES } from './tree.ts'

/** The beginning of a list of leaves: `RIFSOLV1`, the subject and the report. The entries of the leaves follow. */
export const LIST_HEADER_BYTES = 8 + 8 + 20 + 4 + REPORT_BYTES
const MAGIC = 'RIFSOLV1'

/** Returns the header of a list of leaves. */
export function listHeader({ chainId, bank, dayNumber }: Context, report: Report): Uint8Array {
  const data = new Uint8Array(LIST_HEADER_BYTES)
  const view = viewOf(data)
  data.set(Uint8Array.from(MAGIC, (character) => character.charCodeAt(0)))
  view.setBigUint64(8, BigInt(chainId))
  data.set(bytesOf(bank, 20), 16)
  view.setUint32(36, dayNumber)
  data.set(reportBytes(report), 40)
  return data
}

/** Reads a header. Throws FormatError for another file. */
export function readListHeader(data: Uint8Array): { context: Context; report: Report } {
  const magic = String.fromCharCode(...data.subarray(0, 8))
  if (data.length < LIST_HEADER_BYTES || magic !== MAGIC) throw new FormatError('not a list of leaves')
  const view = viewOf(data)
  const context = {
    chainId: Number(view.getBigUint64(8)),
    bank: hexOf(data.subarray(16, 36)),
    dayNumber: view.getUint32(36),
  }
  return { context, report: readReport(data.subarray(40, LIST_HEADER_BYTES)) }
}

/** The difference between a list of leaves and its report; null when it agrees. */
export type ListProblem = { readonly problem: string; readonly expected: string; readonly actual: string }

/**
 * Recomputes the tree of a list of leaves and compares it with the report of its header: the number of leaves, their order,
 * every amount and sum, the top and the totals.
 */
export function checkList(file: Uint8Array, hashInto: HashInto): ListProblem | null {
  const { report } = readListHeader(file)
  const entries = file.subarray(LIST_HEADER_BYTES)
  const leaves = entries.length / ENTRY_BYTES
  if (leaves !== report.leaves)
    return { problem: 'number of leaves', expected: `${report.leaves}`, actual: `${leaves}` }
  for (let leaf = 1; leaf < leaves; leaf++) {
    if (compareHashes(entries, leaf - 1, leaf) >= 0)
      return {
        problem: `leaf ${leaf}`,
        expected: 'ascending hashes, each once',
        actual: 'not above the last',
      }
  }
  const reducer = createTreeReducer(leaves, hashInto)
  try {
    for (let first = 0; first < leaves; first += GROUP_LEAVES)
      reducer.add(entries.subarray(first * ENTRY_BYTES, (first + GROUP_LEAVES) * ENTRY_BYTES))
    const { top } = reducer.finish()
    if (entryHash(top) !== report.tree)
      return { problem: 'hash of the tree', expected: report.tree, actual: entryHash(top) }
    const { usdt, amc, fund } = amountsOf(top)
    const { members } = report
    if (usdt !== members.usdt || amc !== members.amc || fund !== members.fund)
      return {
        problem: 'sums',
        expected: `${members.usdt} ${members.amc} ${members.fund}`,
        actual: `${usdt} ${amc} ${fund}`,
      }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { problem: 'amounts', expected: 'from 0 to 2^63 - 1', actual: error.message }
  }
  return null
}
