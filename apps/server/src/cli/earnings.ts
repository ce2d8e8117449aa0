import { parseArgs } from 'node:util'
import { isDay } from '@rif/rules'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { checkEarnings, type EarningsCheck } from '../modules/trust/earnings/audit.ts'
import { withBooks } from './audit.ts'
import { usageOf } from './usage.ts'

const USAGE = usageOf('earnings')

/**
 * Runs `rif earnings`: recomputes the published earnings of members from the ledger postings, prints them,
 * and returns 1 if they differ from the published ones. Reads only. Works with or without a running product.
 */
export async function earnings(config: Config, args: string[]): Promise<number> {
  const date = dateOf(args)
  return withBooks(config, 1, async (db) => {
    const check = await checkEarnings(db, date)
    if (check === undefined)
      throw new StartError(`no earnings are published${date ? ` for ${date}` : ''} yet`)
    const { lines, exitCode } = earningsReport(check)
    process.stdout.write(`${lines.join('\n')}\n`)
    return exitCode
  })
}

/** Returns the lines to print and the exit code. */
export function earningsReport(check: EarningsCheck): { lines: string[]; exitCode: 0 | 1 } {
  const { day, published, recomputed, unconfirmed, agrees } = check
  const lines = [
    `Earnings to the end of ${day} (UTC), from the postings of the ledger:`,
    JSON.stringify(recomputed, null, 2),
    ...unconfirmed.map(
      ({ subject, recorded, posted }) =>
        `${subject}: recorded ${recorded || 'nothing'}, posted ${posted || 'nothing'}`,
    ),
  ]
  if (agrees) return { lines: [...lines, 'The published figures agree.'], exitCode: 0 }
  return {
    lines: [...lines, 'DIFFERENT from what is published:', JSON.stringify(published, null, 2)],
    exitCode: 1,
  }
}

function dateOf(args: string[]): string | undefined {
  try {
    const { date } = parseArgs({ args, options: { date: { type: 'string' } } }).values
    if (date === undefined || isDay(date)) return date
  } catch {
    // The usage shows the only option.
  }
  throw new StartError(USAGE)
}
