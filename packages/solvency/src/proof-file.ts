import { type Amounts, bytesOf, FormatError, type Report } from './format.ts'
import type { Proof } from './proof.ts'

/** The JSON of a proof file: amounts are decimal strings of micro-units. */
export interface ProofFile {
  readonly format: 'rif-solvency-proof'
  readonly version: 1
  readonly chain_id: number
  readonly bank: string
  /** YYYY-MM-DD. */
  readonly day: string
  readonly leaf: AmountTexts & { readonly address: string; readonly salt: string }
  readonly index: number
  readonly path: readonly (AmountTexts & { readonly hash: string })[]
  readonly report: ReportTexts
}

interface AmountTexts {
  readonly usdt: string
  readonly amc: string
  readonly fund: string
}

/** A report in JSON. */
export interface ReportTexts {
  readonly tree: string
  readonly leaves: number
  readonly members: AmountTexts
  readonly other: { readonly usdt: string; readonly amc: string }
  readonly fund_cash: string
  readonly fund_invested: string
  readonly ledger_head: string
  readonly operators_head: string
}

const MS_PER_DAY = 86_400_000

/** Returns the calendar day, YYYY-MM-DD, of a number of days since 1970. */
export const dayText = (dayNumber: number): string =>
  new Date(dayNumber * MS_PER_DAY).toISOString().slice(0, 10)

/** Returns the number of days since 1970 of a calendar day. Throws FormatError for another text. */
export function dayNumberOf(day: string): number {
  const number = Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY
  if (!Number.isSafeInteger(number) || dayText(number) !== day) throw new FormatError(`not a day: ${day}`)
  return number
}

/** Returns the JSON of a report. */
export function reportTexts(report: Report): ReportTexts {
  const { tree, leaves, members, other, fundCash, fundInvested, ledgerHead, operatorsHead } = report
  return {
    tree,
    leaves,
    members: amountTexts(members),
    other: { usdt: `${other.usdt}`, amc: `${other.amc}` },
    fund_cash: `${fundCash}`,
    fund_invested: `${fundInvested}`,
    ledger_head: ledgerHead,
    operators_head: operatorsHead,
  }
}

/** Returns the JSON of a proof. */
export function proofFile({ context, leaf, index, path, report }: Proof): ProofFile {
  return {
    format: 'rif-solvency-proof',
    version: 1,
    chain_id: context.chainId,
    bank: context.bank,
    day: dayText(context.dayNumber),
    leaf: { address: leaf.address, salt: leaf.salt, ...amountTexts(leaf) },
    index,
    path: path.map((sibling) => ({ hash: sibling.hash, ...amountTexts(sibling) })),
    report: reportTexts(report),
  }
}

/** Reads the JSON of a proof, which may come from anywhere. Throws FormatError for another form or version. */
export function readProofFile(json: unknown): Proof {
  const file = json as ProofFile
  if (file?.format !== 'rif-solvency-proof' || file.version !== 1)
    throw new FormatError('not a proof file of version 1')
  try {
    return {
      context: {
        chainId: integer(file.chain_id),
        bank: hex(file.bank, 20),
        dayNumber: dayNumberOf(file.day),
      },
      leaf: { address: hex(file.leaf.address, 20), salt: hex(file.leaf.salt, 32), ...amounts(file.leaf) },
      index: integer(file.index),
      path: Array.from(file.path, (sibling) => ({ hash: hex(sibling.hash, 32), ...amounts(sibling) })),
      report: readReportTexts(file.report),
    }
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('the proof file has not the form of version 1')
  }
}

function readReportTexts(report: ReportTexts): Report {
  return {
    tree: hex(report.tree, 32),
    leaves: integer(report.leaves),
    members: amounts(report.members),
    other: { usdt: amount(report.other.usdt), amc: amount(report.other.amc) },
    fundCash: amount(report.fund_cash),
    fundInvested: amount(report.fund_invested),
    ledgerHead: hex(report.ledger_head, 32),
    operatorsHead: hex(report.operators_head, 32),
  }
}

const amountTexts = ({ usdt, amc, fund }: Amounts) => ({ usdt: `${usdt}`, amc: `${amc}`, fund: `${fund}` })
const amounts = ({ usdt, amc, fund }: AmountTexts) => ({
  usdt: amount(usdt),
  amc: amount(amc),
  fund: amount(fund),
})

/** Negative and too large amounts are parsed, so that the check reports them. */
function amount(text: unknown): bigint {
  if (typeof text !== 'string' || !/^-?\d{1,30}$/.test(text)) throw new FormatError(`not an amount: ${text}`)
  return BigInt(text)
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new FormatError(`not an integer: ${value}`)
  return value as number
}

function hex(text: unknown, length: number): string {
  bytesOf(String(text), length)
  return String(text).toLowerCase()
}
