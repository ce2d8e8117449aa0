import { formatMicros, isAmount, isMicrosText, parseMicros } from '@rif/rules'
import { sha256Hex } from '../../../lib/index.ts'

/** One grant; `line` is its number in the file, from 1. */
export interface GrantLine {
  line: number
  address: string
  amount: string
  reason: string
}

export type GrantProblem = 'columns' | 'address' | 'amount' | 'reason' | 'twice' | 'member'
export interface BadLine {
  line: number
  text: string
  problem: GrantProblem
}

/** The maximum of one proposal. */
export const MAX_GRANTS = 400
const MAX_REASON = 200

export const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text)

/**
 * Parses the text of a CSV file (address, amount, reason; optionally with a header line), line by line: the
 * possible grants, and the problems. `strangers` are lower-case addresses known to belong to no member.
 */
export function readGrants(
  text: string,
  strangers: ReadonlySet<string>,
): { good: GrantLine[]; bad: BadLine[]; total: string } {
  const good: GrantLine[] = []
  const bad: BadLine[] = []
  const seen = new Set<string>()
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const cells = cellsOf(raw)
    const isTitle = good.length + bad.length === 0 && cells?.[0]?.toLowerCase() === 'address'
    if (raw.trim() === '' || isTitle) continue
    const line = index + 1
    const problem = problemOf(cells, strangers)
    if (problem !== null || cells === null) {
      bad.push({ line, text: raw, problem: problem ?? 'columns' })
      continue
    }
    const [address, amount, reason] = cells as [string, string, string]
    const key = JSON.stringify([address.toLowerCase(), parseMicros(amount).toString(), reason])
    if (seen.has(key)) bad.push({ line, text: raw, problem: 'twice' })
    else good.push({ line, address, amount, reason })
    seen.add(key)
  }
  const total = good.reduce((sum, { amount }) => sum + parseMicros(amount), 0n)
  return { good, bad, total: formatMicros(total) }
}

/** Returns the text without the given lines, to keep those that were not proposed. */
export function withoutLines(text: string, gone: readonly { line: number }[]): string {
  const numbers = new Set(gone.map(({ line }) => line))
  return text
    .split(/\r\n|\r|\n/)
    .filter((_, index) => !numbers.has(index + 1))
    .join('\n')
}

function problemOf(cells: readonly string[] | null, strangers: ReadonlySet<string>): GrantProblem | null {
  if (cells?.length !== 3) return 'columns'
  const [address = '', amount = '', reason = ''] = cells
  if (!isAddress(address)) return 'address'
  if (!isMicrosText(amount) || !isAmount(parseMicros(amount))) return 'amount'
  if (reason === '' || reason.length > MAX_REASON) return 'reason'
  return strangers.has(address.toLowerCase()) ? 'member' : null
}

const CELL = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y

/** Returns the cells of a line of CSV; null if its quotes are not closed. */
function cellsOf(line: string): string[] | null {
  const cells: string[] = []
  CELL.lastIndex = 0
  for (;;) {
    const match = CELL.exec(line)
    if (match === null) return null
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
    if (match[3] === '') return cells
  }
}

/** Returns the proposal for these lines; the same lines under the same name are granted once. */
export async function grantProposal(name: string, lines: readonly GrantLine[]) {
  const payload = { batch: await batchOf(name, lines), lines: lines.map(({ line: _, ...grant }) => grant) }
  return { kind: 'hash_power' as const, payload }
}

async function batchOf(name: string, lines: readonly GrantLine[]): Promise<string> {
  const text = JSON.stringify(
    lines.map(({ address, amount, reason }) => [address.toLowerCase(), amount, reason]),
  )
  return `${name.trim().slice(0, 60)} ${(await sha256Hex(text)).slice(0, 16)}`
}
