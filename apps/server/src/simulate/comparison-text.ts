import { formatMicros, parseMicros } from '@rif/rules'
import type { Change, Coverage, MemberFigures, SimulatedComparison } from './comparison.ts'

type Row = readonly string[]

/** Formats a comparison as tables for the terminal: members, pools, coverage. */
export function comparisonText({
  members,
  members_unchanged,
  pools,
  coverage,
  refused,
}: SimulatedComparison): string {
  const memberRows = members.flatMap((entry) => rowsOfMember(entry.member, entry))
  return [
    section(`Members (${members.length} changed, ${members_unchanged} not)`, [
      ['member', 'figure', 'before', 'after', 'change'],
      ...memberRows,
    ]),
    section('Pools and other accounts of the operator', [
      ['asset', 'account', 'before', 'after', 'change'],
      ...pools.map((pool) => [pool.asset, pool.account, ...amountCells(pool)]),
    ]),
    section('Coverage: what was calculated and paid, in USDT worth', [
      ['reward', 'figure', 'before', 'after', 'change'],
      ...coverage.flatMap((entry) => rowsOfCoverage(entry.kind, entry)),
    ]),
    `Refused lines: ${refused.before} before, ${refused.after} after.\n`,
  ].join('\n')
}

function rowsOfMember(member: string, { before, after }: Change<MemberFigures>): Row[] {
  const rows: Row[] = []
  const add = (figure: string, change: Change<string>) => {
    if (change.before !== change.after) rows.push([member, figure, ...amountCells(change)])
  }
  if (before.level !== after.level) {
    rows.push([member, 'level', `${before.level}`, `${after.level}`, ''])
  }
  add('rewards paid', { before: before.rewards_paid, after: after.rewards_paid })
  for (const [asset, account] of accountsOf(before, after)) {
    const of = ({ balances }: MemberFigures) => balances[asset]?.[account] ?? formatMicros(0n)
    add(`${asset} ${account}`, { before: of(before), after: of(after) })
  }
  add('remaining dividends', { before: before.remaining_dividends, after: after.remaining_dividends })
  return rows
}

function accountsOf(...figures: readonly MemberFigures[]): [asset: string, account: string][] {
  const keys = figures.flatMap(({ balances }) =>
    Object.entries(balances).flatMap(([asset, accounts]) =>
      Object.keys(accounts).map((account) => `${asset} ${account}`),
    ),
  )
  return [...new Set(keys)].sort().map((key) => key.split(' ') as [string, string])
}

function rowsOfCoverage(kind: string, { before, after }: Change<Coverage>): Row[] {
  return [
    [kind, 'calculated', ...amountCells({ before: before.due, after: after.due })],
    [kind, 'paid', ...amountCells({ before: before.paid, after: after.paid })],
    [kind, 'coverage', percent(before.coverage_ppm), percent(after.coverage_ppm), ''],
  ]
}

function amountCells({ before, after }: Change<string>): Row {
  const difference = parseMicros(after) - parseMicros(before)
  return [before, after, difference > 0n ? `+${formatMicros(difference)}` : formatMicros(difference)]
}

function percent(ppm: number | null): string {
  return ppm === null ? '-' : `${(ppm / 10_000).toFixed(4)}%`
}

/** A title and a table; the first two columns are texts, the others are figures. */
function section(title: string, rows: readonly Row[]): string {
  const widths = rows[0]!.map((_cell, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  )
  return `${title}\n  ${lines.join('\n  ')}\n`
}
