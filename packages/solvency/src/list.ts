import {
  type Amounts,
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
/** The bytes of the entries that are checked at a time: whole groups, 57 KB. */
export const CHUNK_BYTES = 8 * GROUP_LEAVES * ENTRY_BYTES

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
 * every amount and sum, and the top.
 */
export function checkList(file: Uint8Array, hashInto: HashInto): ListProblem | null {
  const entries = file.subarray(LIST_HEADER_BYTES)
  return checkLeaves(readListHeader(file).report, entries.length, chunksOf(entries), hashInto)
}

function* chunksOf(entries: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < entries.length; at += CHUNK_BYTES) yield entries.subarray(at, at + CHUNK_BYTES)
}

/**
 * Does the same as `checkList` for a given number of bytes of entries. They arrive in chunks of CHUNK_BYTES,
 * the last one shorter, so that the memory needed does not grow with the list. A chunk is not kept.
 */
export function checkLeaves(
  report: Report,
  bytes: number,
  chunks: Iterable<Uint8Array>,
  hashInto: HashInto,
): ListProblem | null {
  const [expected, actual] = [`${report.leaves}`, `${bytes / ENTRY_BYTES}`]
  if (expected !== actual) return { problem: 'number of leaves', expected, actual }
  const reducer = createTreeReducer(report.leaves, hashInto)
  // The last entry of the chunk before, and the entries of this one.
  const entries = new Uint8Array(ENTRY_BYTES + CHUNK_BYTES)
  let leaves = 0
  try {
    for (const chunk of chunks) {
      entries.set(chunk, ENTRY_BYTES)
      const count = chunk.length / ENTRY_BYTES
      for (let leaf = leaves === 0 ? 1 : 0; leaf < count; leaf++) {
        if (compareHashes(entries, leaf, leaf + 1) >= 0)
          return {
            problem: `leaf ${leaves + leaf}`,
            expected: 'ascending hashes, each once',
            actual: 'not above the last',
          }
      }
      reducer.add(chunk)
      entries.copyWithin(0, chunk.length, chunk.length + ENTRY_BYTES)
      leaves += count
    }
    return checkTop(report, reducer.finish().top)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { problem: 'amounts', expected: 'from 0 to 2^63 - 1', actual: error.message }
  }
}

function checkTop({ tree, members }: Report, top: Uint8Array): ListProblem | null {
  if (entryHash(top) !== tree) return { problem: 'hash of the tree', expected: tree, actual: entryHash(top) }
  const text = ({ usdt, amc, fund }: Amounts) => `${usdt} ${amc} ${fund}`
  const [expected, actual] = [text(members), text(amountsOf(top))]
  return expected === actual ? null : { problem: 'sums', expected, actual }
}
