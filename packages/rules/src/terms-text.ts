import { formatMicros, type Micros, ONE_PPM, type Ppm } from './money.ts'
import type { PackageTerms, Plan } from './plan.ts'

/** The operator of the product, as its settings say. */
export interface Operator {
  /** The name with its legal form. */
  readonly name: string
  readonly address: string
  /** Whose law applies, such as "Singapore". */
  readonly law: string
  /** Where courts decide. */
  readonly venue: string
}

/** The facts that the text of terms and risks names besides the plan. */
export interface TermsFacts {
  readonly operator: Operator
  /** Whom members write to: an e-mail address or an https address; null for the operator's address. */
  readonly contact: string | null
  readonly chainName: string
  readonly chainId: number
  /** The contract that holds the money. */
  readonly bank: string
  readonly confirmations: number
  readonly planVersion: bigint
}

/** The figures of a text by the names that its wording has in braces. */
export type TermsFigures = Readonly<Record<string, string>>

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** The digits of a percentage, so that it is exact: 1 ppm is 0.0001%. */
const PERCENT_DIGITS = 4

/** Writes an amount with groups of thousands and no zeros at the end, such as "1,000" and "0.5". */
function amount(micros: Micros): string {
  const [whole = '', fraction = ''] = formatMicros(micros).split('.')
  const digits = fraction.replace(/0+$/, '')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits === '' ? '' : `.${digits}`)
}

const percent = (ppm: Ppm): string => `${Number((ppm / 10_000).toFixed(PERCENT_DIGITS))}%`

const list = (values: readonly string[]): string => values.join(' / ')

function packageFigures({ level, ...terms }: PackageTerms): [string, string][] {
  return [
    [`name${level}`, terms.name.replace(/\s+/g, ' ')],
    [`price${level}`, amount(terms.priceMicros)],
    [`copies${level}`, `${terms.copies}`],
    [`referral${level}`, percent(terms.referralPpm)],
    [`organisation${level}`, percent(terms.organisationPpm)],
    [`static${level}`, percent(terms.staticPpm)],
    [`pairing${level}`, percent(terms.pairingPpm)],
    [`cap${level}`, amount(terms.pairingDayCapMicros)],
  ]
}

/** Returns every figure that terms and risks bind: those of a plan, exactly, and the facts. */
export function termsFigures(plan: Plan, facts: TermsFacts): TermsFigures {
  const { order, reward, management, withdrawal, savings, leaving, approval, fund } = plan
  const { operator } = facts
  return {
    operator: operator.name,
    operatorAddress: operator.address,
    law: operator.law,
    venue: operator.venue,
    contact: facts.contact ?? operator.address,
    chain: facts.chainName,
    chainId: `${facts.chainId}`,
    bank: facts.bank,
    confirmations: `${facts.confirmations}`,
    planVersion: `${facts.planVersion}`,
    ...Object.fromEntries(plan.packages.flatMap(packageFigures)),
    minutes: `${order.quoteValidityMs / MINUTE_MS}`,
    usdtShare: percent(order.usdtSharePpm),
    amcShare: percent(ONE_PPM - order.usdtSharePpm),
    hashRate: percent(order.hashRatePpm),
    poolShare: percent(order.commissionSharePpm),
    rewardUsdt: percent(reward.usdtSharePpm),
    rewardAmc: percent(ONE_PPM - reward.usdtSharePpm),
    parts: `${reward.releaseParts}`,
    staticCap: percent(reward.staticCapPpm),
    staticRate: percent(Math.max(...plan.packages.map(({ staticPpm }) => staticPpm))),
    generations: list(management.generationPpm.map(percent)),
    ranks: list(
      management.ranks.map(({ fromMicros, ratePpm }) => `${amount(fromMicros)}: ${percent(ratePpm)}`),
    ),
    fee: percent(withdrawal.feePpm),
    minimumFee: amount(withdrawal.minimumFeeMicros),
    limits: list(withdrawal.dayLimitMicros.map(amount)),
    auditAbove: amount(withdrawal.auditAboveMicros),
    severalAbove: amount(approval.severalAboveMicros),
    approvers: `${approval.approvers}`,
    transferMinimum: amount(plan.transfer.minimumMicros),
    signAbove: amount(leaving.signAboveMicros),
    savingsFree: amount(leaving.savingsFreeMicros),
    reviewNewAbove: amount(leaving.reviewNewAboveMicros),
    savedHours: `${leaving.savedDelayMs / HOUR_MS}`,
    savingsUsdt: percent(savings.usdtRatePpm),
    savingsAmc: percent(savings.amcRatePpm),
    fastUpTo: amount(savings.fastUpToMicros),
    fastMinutes: `${savings.fastDelayMs / MINUTE_MS}`,
    slowHours: `${savings.slowDelayMs / HOUR_MS}`,
    fundIncome: percent(fund.incomePpm),
    navDays: `${fund.navMaxAgeMs / DAY_MS}`,
    payoutHours: `${fund.payoutDelayMs / HOUR_MS}`,
  }
}

const NAME = /\{(\w+)\}/g
/** Begins the list of figures at the end of a text. It is a part as well, so that the part before it ends. */
const FIGURES_HEADING = '## Figures [figures.all]'

/**
 * Returns the text that members sign: the wording with its figures, and a list of them at its end, from which the app takes those
 * of its translations. The same arguments give the same bytes. Throws RangeError for a name without a figure.
 */
export function renderTerms(wording: string, figures: TermsFigures): string {
  const text = wording.replace(NAME, (_, name: string) => {
    const figure = figures[name]
    if (figure === undefined) throw new RangeError(`the terms name a figure that does not exist: ${name}`)
    return figure
  })
  const lines = Object.entries(figures).map(([name, value]) => `${name}: ${value}`)
  return `${text}\n${FIGURES_HEADING}\n\n${lines.join('\n')}\n`
}

/** Returns the figures at the end of a text; none of a text from before they were listed. */
export function figuresIn(text: string): TermsFigures {
  const [, lines = ''] = text.split(`\n${FIGURES_HEADING}\n\n`)
  return Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.includes(': '))
      .map((line) => {
        const at = line.indexOf(': ')
        return [line.slice(0, at), line.slice(at + 2)]
      }),
  )
}
