import type { ExitDestination, FundDesk, RevenueDeposit } from '@rif/api-schema'
import {
  announce,
  divest,
  type FundAssets,
  formatMicros,
  type Micros,
  parseMicros,
  valueAssets,
} from '@rif/rules'
import { shortAddress, toAmount, toValue } from '../../../lib/index.ts'
import type { Checked } from '../../../ui/index.ts'
import type { PayloadOf } from '../proposals/use-proposals.tsx'

type Evidence = PayloadOf<'fund_valuation'>['document']

/** A chosen document; `hash` is null where the browser cannot compute it. */
export interface EvidencePaper extends Evidence {
  readonly hash: string | null
}

/** The maximum size of a valuation's document, in bytes. */
export const MAX_EVIDENCE_BYTES = 500_000
export const MAX_HELD_AT = 200

/** The fields of every draft: the place of custody, and the JSON of a `Paper` (empty without one). */
export const NO_EVIDENCE = { heldAt: '', document: '' }
type EvidenceText = typeof NO_EVIDENCE

export const paperOf = (text: string): EvidencePaper | null =>
  text === '' ? null : (JSON.parse(text) as EvidencePaper)

function evidenceOf(text: string): Evidence {
  const { title, media_type, content } = paperOf(text)!
  return { title, media_type, content }
}

function evidenceProblems(text: EvidenceText) {
  const paper = paperOf(text.document)
  const isLarge = paper !== null && (paper.content.length * 3) / 4 > MAX_EVIDENCE_BYTES
  return {
    ...(text.heldAt.trim() === '' && { heldAt: 'noPlace' as const }),
    ...(paper === null && { document: 'noDocument' as const }),
    ...(isLarge && { document: 'largeDocument' as const }),
  }
}

/** Returns the assets of a product from its desk. */
export function assetsOf(desk: FundDesk): FundAssets {
  return {
    cashMicros: parseMicros(desk.cash),
    announcedMicros: parseMicros(desk.announced),
    investedMicros: parseMicros(desk.invested),
    isInvested: desk.is_invested,
    beganNavMicros: desk.began_nav === null ? null : parseMicros(desk.began_nav),
    units: BigInt(desk.units),
    approvedUnits: BigInt(desk.queue.units),
    navMicros: parseMicros(desk.nav),
    openingMicros: parseMicros(desk.opening_nav),
    isClosed: desk.closed_reason === 'loss' || desk.closed_reason === 'empty',
  }
}

/** The field of an investment's value in a draft. */
export const lineKey = (investmentId: string): `line/${string}` => `line/${investmentId}`

/** Returns the investments that a valuation covers: the invested ones, or all ended ones if none is left. */
export function valuedLines({ is_invested, investments }: FundDesk): FundDesk['investments'] {
  return investments.filter(({ state }) => state === (is_invested ? 'invested' : 'ended'))
}

/**
 * Returns a name for each investment: that of its destination, with the investment's number if several share
 * it.
 */
export function investmentNames(
  { investments }: Pick<FundDesk, 'investments'>,
  destinations: readonly ExitDestination[],
): ReadonlyMap<string, string> {
  const nameOf = (destination: string) => {
    const entry = destinations.find(({ address }) => address.toLowerCase() === destination.toLowerCase())
    return entry?.approved?.name ?? (destination.startsWith('0x') ? shortAddress(destination) : destination)
  }
  const all = investments.map(({ destination }) => nameOf(destination))
  return new Map(
    investments.map(({ investment_id, destination }) => {
      const name = nameOf(destination)
      const isShared = all.filter((item) => item === name).length > 1
      return [investment_id, isShared ? `${name} #${investment_id}` : name]
    }),
  )
}

/** The assets of a product before and after an acceptable proposal. */
export interface FundPreview {
  readonly before: FundAssets
  readonly after: FundAssets
}

export type LineText = EvidenceText & Record<`line/${string}`, string>

/** Returns a draft with a field for the value of each investment. */
export function lineDraft(desk: FundDesk, start: (investment: { value: string }) => string): LineText {
  const lines = valuedLines(desk).map((valuedLine) => [lineKey(valuedLine.investment_id), start(valuedLine)])
  return { ...NO_EVIDENCE, ...Object.fromEntries(lines) }
}

/** Reads the value of each investment; undefined while one is missing or invalid. */
function linesOf(text: LineText, desk: FundDesk) {
  const lines = valuedLines(desk).map(({ investment_id }) => ({
    investment_id,
    value: toValue(text[lineKey(investment_id)] ?? ''),
  }))
  const isComplete = (line: (typeof lines)[number]): line is { investment_id: string; value: string } =>
    line.value !== null
  return lines.every(isComplete) ? lines : undefined
}

const sumOf = (lines: readonly { value: string }[]): Micros =>
  lines.reduce((sum, { value }) => sum + parseMicros(value), 0n)

function lineProblems(text: LineText, desk: FundDesk) {
  const bad = valuedLines(desk).filter(
    ({ investment_id }) => toValue(text[lineKey(investment_id)] ?? '') === null,
  )
  return Object.fromEntries(bad.map(({ investment_id }) => [lineKey(investment_id), 'invalid' as const]))
}

/** Returns the product after the typed values; undefined while they are incomplete or refused. */
export function previewValuation(text: LineText, desk: FundDesk): FundPreview | undefined {
  const lines = linesOf(text, desk)
  if (lines === undefined) return undefined
  const before = assetsOf(desk)
  const outcome = valueAssets(before, sumOf(lines))
  return outcome.ok ? { before, after: outcome.assets } : undefined
}

type Good<K extends 'fund_valuation' | 'fund_invest' | 'fund_divest'> = { ok: true; payload: PayloadOf<K> }
export type DraftProblem =
  | 'invalid'
  | 'refused'
  | 'noPlace'
  | 'noDocument'
  | 'largeDocument'
  | 'notInvestable'
  | 'noDestination'
  | 'noDeposit'

/** Reads the proposal of a valuation, or the problem of each field. */
export function checkValuation(
  text: LineText,
  desk: FundDesk,
): Checked<LineText, Good<'fund_valuation'>, DraftProblem> {
  const lines = linesOf(text, desk)
  const problems = { ...lineProblems(text, desk), ...evidenceProblems(text) }
  if (lines === undefined || Object.keys(problems).length > 0) return { ok: false, problems }
  if (previewValuation(text, desk) === undefined)
    return { ok: false, problems: { [lineKey(lines[0]!.investment_id)]: 'refused' } }
  return {
    ok: true,
    payload: {
      product_id: desk.product_id,
      value: formatMicros(sumOf(lines)),
      lines,
      held_at: text.heldAt.trim(),
      document: evidenceOf(text.document),
    },
  }
}

export const EMPTY_INVESTMENT = { ...NO_EVIDENCE, amount: '', destination: '' }
type InvestmentText = typeof EMPTY_INVESTMENT

/** Returns the product after an announced investment; undefined while the amount is invalid or refused. */
export function previewInvestment({ amount }: InvestmentText, desk: FundDesk): FundPreview | undefined {
  const value = toAmount(amount)
  if (value === null) return undefined
  const before = assetsOf(desk)
  const outcome = announce(before, parseMicros(value))
  return outcome.ok ? { before, after: outcome.assets } : undefined
}

/** Reads the proposal of an investment, or the problem of each field. */
export function checkInvestment(
  text: InvestmentText,
  desk: FundDesk,
): Checked<InvestmentText, Good<'fund_invest'>, DraftProblem> {
  const amount = toAmount(text.amount)
  const isInvestable = previewInvestment(text, desk) !== undefined
  const problems = {
    ...(!isInvestable && { amount: amount === null ? ('invalid' as const) : ('notInvestable' as const) }),
    ...(text.destination === '' && { destination: 'noDestination' as const }),
    ...evidenceProblems(text),
  }
  if (amount === null || Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: {
      product_id: desk.product_id,
      amount,
      destination: text.destination,
      held_at: text.heldAt.trim(),
      document: evidenceOf(text.document),
    },
  }
}

/** The option of a divestment without returned cash. */
export const NOTHING_BACK = 'nothing'
type DivestmentText = LineText & { deposit: string }

export const divestmentDraft = (desk: FundDesk): DivestmentText => ({
  ...lineDraft(desk, () => ''),
  deposit: '',
})

/** Returns the deposits that can return invested money: in USDT, and unused. */
export function freeDeposits(deposits: readonly RevenueDeposit[]): RevenueDeposit[] {
  return deposits.filter(
    ({ asset, attested, divested, proposal_id }) =>
      asset === 'USDT' && attested === null && !divested && proposal_id === null,
  )
}

function returnedOf({ deposit }: DivestmentText, deposits: readonly RevenueDeposit[]): string | undefined {
  if (deposit === NOTHING_BACK) return formatMicros(0n)
  return deposits.find(({ deposit_id }) => deposit_id === deposit)?.amount
}

/** Returns the product after a divestment; undefined while it is incomplete or refused. */
export function previewDivestment(
  text: DivestmentText,
  desk: FundDesk,
  deposits: readonly RevenueDeposit[],
): FundPreview | undefined {
  const [amount, lines] = [returnedOf(text, deposits), linesOf(text, desk)]
  if (amount === undefined || lines === undefined) return undefined
  const before = assetsOf(desk)
  const terms = { amountMicros: parseMicros(amount), leftMicros: sumOf(lines) }
  const outcome = divest(before, terms)
  return outcome.ok ? { before, after: outcome.assets } : undefined
}

/** Reads the proposal of a divestment, or the problem of each field. */
export function checkDivestment(
  text: DivestmentText,
  desk: FundDesk,
  deposits: readonly RevenueDeposit[],
): Checked<DivestmentText, Good<'fund_divest'>, DraftProblem> {
  const [amount, lines] = [returnedOf(text, deposits), linesOf(text, desk)]
  const problems = {
    ...(amount === undefined && { deposit: 'noDeposit' as const }),
    ...lineProblems(text, desk),
    ...evidenceProblems(text),
  }
  if (amount === undefined || lines === undefined || Object.keys(problems).length > 0)
    return { ok: false, problems }
  if (previewDivestment(text, desk, deposits) === undefined)
    return { ok: false, problems: { deposit: 'refused' } }
  return {
    ok: true,
    payload: {
      product_id: desk.product_id,
      amount,
      left: formatMicros(sumOf(lines)),
      lines,
      deposit_id: text.deposit === NOTHING_BACK ? null : text.deposit,
      held_at: text.heldAt.trim(),
      document: evidenceOf(text.document),
    },
  }
}
