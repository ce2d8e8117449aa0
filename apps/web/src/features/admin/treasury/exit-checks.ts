import type { ExitDestination, MayTake, TreasuryExit } from '@rif/api-schema'
import { type Micros, parseMicros } from '@rif/rules'

/** The checks of the bank contract at the execution of an exit, with their present results. */
export interface ExitChecks {
  readonly listed: boolean
  readonly announced: boolean
  readonly waited: boolean
  readonly fresh: boolean
  readonly covered: boolean
}

/**
 * Returns whether each check of the contract would pass now (rules, section 2); the contract repeats them at
 * execution. Figures that the chain did not return count as failed.
 */
export function checksOf(
  exit: TreasuryExit,
  figures: MayTake | undefined,
  destinations: readonly ExitDestination[],
  now: number,
): ExitChecks {
  const covered = coveredMicros(exit.kind, figures, now)
  const sameWallet = ({ address }: ExitDestination) =>
    address.toLowerCase() === exit.destination.toLowerCase()
  const isTimely =
    exit.executable_at !== null &&
    exit.expires_at !== null &&
    now >= Date.parse(exit.executable_at) &&
    now <= Date.parse(exit.expires_at)
  return {
    listed: destinations.some((destination) => destination.state === 'listed' && sameWallet(destination)),
    announced: exit.state === 'Announced',
    waited: isTimely,
    fresh: covered !== null,
    covered: covered !== null && parseMicros(exit.amount) <= covered,
  }
}

/** Returns the largest exit of a kind that the publication covers now; null without a recent publication. */
export function coveredMicros(
  kind: TreasuryExit['kind'],
  figures: MayTake | undefined,
  now: number,
): Micros | null {
  const cover = figures?.cover ?? null
  if (cover === null || cover.covers_until === null || now > Date.parse(cover.covers_until)) return null
  if (kind === 'treasury_payout') return parseMicros(cover.payout)
  const [holding, invested] = [parseMicros(cover.held), parseMicros(cover.invested)]
  const fundCash = parseMicros(cover.fund_cash)
  const isOwedCovered = holding + invested >= parseMicros(cover.liabilities) + fundCash
  return isOwedCovered ? fundCash - invested : 0n
}
