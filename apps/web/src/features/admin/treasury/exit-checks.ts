import type { ExitDestination, MayTake, TreasuryExit } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'

/** The checks of the bank contract at the execution of an exit, with their present results. */
export interface ExitChecks {
  readonly listed: boolean
  readonly announced: boolean
  readonly waited: boolean
  readonly fresh: boolean
  readonly covered: boolean
}

/**
 * Returns whether each check of the contract would pass now (rules, section 2); the contract repeats them at the execution.
 * Figures that the chain did not answer count as not passed.
 */
export function checksOf(
  exit: TreasuryExit,
  figures: MayTake | undefined,
  destinations: readonly ExitDestination[],
  now: number,
): ExitChecks {
  const cover = figures?.cover ?? null
  const until = cover?.covers_until ?? null
  const isFresh = until !== null && now <= Date.parse(until)
  const sameWallet = ({ address }: ExitDestination) =>
    address.toLowerCase() === exit.destination.toLowerCase()
  const isTimely =
    exit.executable_at !== null &&
    exit.expires_at !== null &&
    now >= Date.parse(exit.executable_at) &&
    now <= Date.parse(exit.expires_at)
  return {
    listed: destinations.some((one) => one.state === 'listed' && sameWallet(one)),
    announced: exit.state === 'Announced',
    waited: isTimely,
    fresh: isFresh,
    covered: isFresh && cover !== null && parseMicros(exit.amount) <= coveredMicros(exit, cover),
  }
}

/** The largest exit of this kind that the publication covers. */
function coveredMicros({ kind }: TreasuryExit, cover: NonNullable<MayTake['cover']>): bigint {
  if (kind === 'treasury_payout') return parseMicros(cover.payout)
  const [held, invested] = [parseMicros(cover.held), parseMicros(cover.invested)]
  const fundCash = parseMicros(cover.fund_cash)
  const isOwedCovered = held + invested >= parseMicros(cover.liabilities) + fundCash
  return isOwedCovered ? fundCash - invested : 0n
}
