import {
  type Amounts,
  bytesOf,
  type Context,
  contextHash,
  depthOf,
  ENTRY_BYTES,
  FormatError,
  HASH_BYTES,
  type HashInto,
  hashed,
  type Leaf,
  leafBytes,
  liabilitiesOf,
  type Report,
  rootOf,
  viewOf,
  writeAmounts,
} from './format.ts'
import { amountsOf, createJoin, entryHash, type Sibling } from './tree.ts'

/** A member's proof: the leaf, its position, and the siblings from the bottom to the top. */
export interface Proof {
  readonly context: Context
  readonly leaf: Leaf
  readonly index: number
  readonly path: readonly Sibling[]
  readonly report: Report
}

/** The facts that the verifier gets from sources other than the proof. */
export interface Expected {
  readonly chainId: number
  readonly bank: string
  /** The member's own wallet; null skips the comparison, for an auditor. */
  readonly address: string | null
  /** The day that the verifier expects. */
  readonly dayNumber: number
  /** `solvencyRoot(day)` of the bank contract, in hex. */
  readonly publishedRoot: string
  /** `coverOf` of both tokens in micro-units, when the last published day is `dayNumber`; null otherwise. */
  readonly publishedTotals: PublishedTotals | null
}

/** The totals that the bank contract received with the root, in micro-units. */
export interface PublishedTotals {
  readonly liabilities: { readonly usdt: bigint; readonly amc: bigint }
  readonly fundCash: bigint
}

/** The steps of a check, in order. */
export const STEPS = ['subject', 'owner', 'leaf', 'path', 'sums', 'root', 'totals'] as const

export type Step = (typeof STEPS)[number]

/** The reasons why a step failed. */
export type Problem =
  | 'OTHER_CHAIN'
  | 'OTHER_BANK'
  | 'OTHER_DAY'
  | 'OTHER_ADDRESS'
  | 'MALFORMED'
  | 'WRONG_LENGTH'
  | 'AMOUNT_TOO_LARGE'
  | 'TREE_DIFFERS'
  | 'SUMS_DIFFER'
  | 'NOT_PUBLISHED'
  | 'ROOT_DIFFERS'
  | 'TOTALS_DIFFER'

/** The result of one step. `expected` and `actual` are texts for the reader, where two values were compared. */
export interface StepResult {
  readonly step: Step
  readonly problem: Problem | null
  readonly expected?: string
  readonly actual?: string
}

/**
 * Returns the performed steps, in order, up to the first failure. The proof is valid when no step has a
 * problem.
 */
export function checkProof(proof: Proof, expected: Expected, hashInto: HashInto): StepResult[] {
  const results: StepResult[] = []
  for (const step of STEPS) {
    const result = checkStep(step, proof, expected, hashInto)
    if (result === null) continue
    results.push(result)
    if (result.problem !== null) break
  }
  return results
}

/** Reports whether all steps succeeded and the last one was reached. */
export function holds(results: readonly StepResult[]): boolean {
  return results.every(({ problem }) => problem === null) && results.some(({ step }) => step === 'root')
}

function checkStep(step: Step, proof: Proof, expected: Expected, hashInto: HashInto): StepResult | null {
  try {
    switch (step) {
      case 'subject':
        return checkSubject(proof.context, expected)
      case 'owner':
        return expected.address === null
          ? null
          : compared(step, 'OTHER_ADDRESS', expected.address.toLowerCase(), proof.leaf.address.toLowerCase())
      case 'leaf':
        return compared(step, 'MALFORMED', null, entryHash(leafEntry(proof, hashInto)))
      case 'path':
        return checkPath(proof, hashInto)
      case 'sums':
        return checkSums(proof, hashInto)
      case 'root':
        return checkRoot(proof, expected, hashInto)
      case 'totals':
        return checkTotals(proof.report, expected.publishedTotals)
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const problem = error.message.startsWith('not 32 bytes') ? 'MALFORMED' : 'AMOUNT_TOO_LARGE'
    return { step, problem, actual: error.message }
  }
}

/** Compares two texts; `expected` null only records the actual one. */
function compared(step: Step, problem: Problem, expected: string | null, actual: string): StepResult {
  if (expected === null) return { step, problem: null, actual }
  return { step, problem: expected === actual ? null : problem, expected, actual }
}

function checkSubject({ chainId, bank, dayNumber }: Context, expected: Expected): StepResult {
  const pairs = [
    ['OTHER_CHAIN', `${expected.chainId}`, `${chainId}`],
    ['OTHER_BANK', expected.bank.toLowerCase(), bank.toLowerCase()],
    ['OTHER_DAY', `${expected.dayNumber}`, `${dayNumber}`],
  ] as const
  const results = pairs.map(([problem, wanted, actual]) => compared('subject', problem, wanted, actual))
  return results.find(({ problem }) => problem !== null) ?? { step: 'subject', problem: null }
}

function checkPath(proof: Proof, hashInto: HashInto): StepResult {
  const { path, index, report } = proof
  const depth = depthOf(report.leaves)
  if (path.length !== depth || !Number.isSafeInteger(index) || index < 0 || index >= report.leaves)
    return {
      step: 'path',
      problem: 'WRONG_LENGTH',
      expected: `${depth} nodes, place below ${report.leaves}`,
      actual: `${path.length} nodes, place ${index}`,
    }
  return compared('path', 'TREE_DIFFERS', report.tree.toLowerCase(), entryHash(topOf(proof, hashInto)))
}

function checkSums(proof: Proof, hashInto: HashInto): StepResult {
  const sums = amountsOf(topOf(proof, hashInto))
  return compared('sums', 'SUMS_DIFFER', amountsText(proof.report.members), amountsText(sums))
}

function checkRoot({ context, report }: Proof, { publishedRoot }: Expected, hashInto: HashInto): StepResult {
  const actual = rootOf(context, report, hashInto)
  const problem = /^0x0*$/.test(publishedRoot) ? 'NOT_PUBLISHED' : 'ROOT_DIFFERS'
  return compared('root', problem, publishedRoot.toLowerCase(), actual)
}

/** Compares the totals of the report with those that the contract received. Null: nothing to compare. */
export function checkTotals(report: Report, published: PublishedTotals | null): StepResult | null {
  if (published === null) return null
  const { usdt, amc } = liabilitiesOf(report)
  const text = (parts: readonly bigint[]) => parts.join(' ')
  return compared(
    'totals',
    'TOTALS_DIFFER',
    text([published.liabilities.usdt, published.liabilities.amc, published.fundCash]),
    text([usdt, amc, report.fundCash]),
  )
}

/** A node on the way from a leaf to the top. */
export interface Level {
  /** 0x and 64 hex digits. */
  readonly hash: string
  readonly amounts: Amounts
}

/** Returns the leaf and the node above it at each level, up to the top. Throws FormatError where the proof is malformed. */
export function levelsOf(proof: Proof, hashInto: HashInto): Level[] {
  return entriesOf(proof, hashInto).map((entry) => ({ hash: entryHash(entry), amounts: amountsOf(entry) }))
}

const topOf = (proof: Proof, hashInto: HashInto): Uint8Array => entriesOf(proof, hashInto).at(-1)!

function entriesOf(proof: Proof, hashInto: HashInto): Uint8Array[] {
  const join = createJoin(hashInto)
  const entries = [leafEntry(proof, hashInto)]
  for (const [level, sibling] of proof.path.entries()) {
    const [own, other] = [entries.at(-1)!, siblingEntry(sibling)]
    const isRight = Math.floor(proof.index / 2 ** level) % 2 === 1
    entries.push(isRight ? join(other, own) : join(own, other))
  }
  return entries
}

/** Returns the entry of a member's leaf. Throws FormatError for a malformed leaf. */
export function leafEntry(
  { context, leaf }: Pick<Proof, 'context' | 'leaf'>,
  hashInto: HashInto,
): Uint8Array {
  return entryOf(hashed(leafBytes(contextHash(context, hashInto), leaf), hashInto), leaf)
}

const siblingEntry = (sibling: Sibling): Uint8Array => entryOf(bytesOf(sibling.hash, HASH_BYTES), sibling)

function entryOf(hash: Uint8Array, amounts: Amounts): Uint8Array {
  const entry = new Uint8Array(ENTRY_BYTES)
  entry.set(hash)
  writeAmounts(viewOf(entry), HASH_BYTES, amounts)
  return entry
}

const amountsText = ({ usdt, amc, fund }: Amounts) => `${usdt} ${amc} ${fund}`
