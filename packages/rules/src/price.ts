import { isAmount, MICRO, type Micros, type Ppm } from './money.ts'

/** Reports whether a price differs from another by more than a share of the other. Rules, section 1. */
export function isPriceJump(priceMicros: Micros, beforeMicros: Micros, sharePpm: Ppm): boolean {
  const difference = priceMicros > beforeMicros ? priceMicros - beforeMicros : beforeMicros - priceMicros
  return difference * MICRO > beforeMicros * BigInt(sharePpm)
}

/** A round of an on-chain oracle, as `latestRoundData` of Chainlink's AggregatorV3Interface returns it. Times in seconds. */
export interface OracleRound {
  readonly roundId: bigint
  readonly answer: bigint
  readonly startedAt: bigint
  readonly updatedAt: bigint
  readonly answeredInRound: bigint
  readonly decimals: number
}

/** Why a round gives no price. */
export type OracleProblem = 'stale' | 'incomplete' | 'not_positive' | 'out_of_range' | 'sequencer'

export type OracleAnswer =
  | { readonly ok: true; readonly priceMicros: Micros; readonly observedAtMs: number }
  | { readonly ok: false; readonly code: OracleProblem }

const MAX_DECIMALS = 36
/**
 * The time for which a sequencer must be up again before oracle prices count, as recommended by Chainlink.
 */
const SEQUENCER_GRACE_MS = 3_600_000
const MICRO_DECIMALS = 6

/**
 * Returns the price of a round in USDT micro-units per whole unit, floored, at `atMs`. Refuses a round that has no answer
 * of its own or lies in the future (`incomplete`), is older than `maxAgeMs` (`stale`), has a zero or negative answer
 * (`not_positive`), or a price that cannot be stored (`out_of_range`). Rules, section 1.
 */
export function oraclePrice(
  { roundId, answer, startedAt, updatedAt, answeredInRound, decimals }: OracleRound,
  { atMs, maxAgeMs }: { atMs: number; maxAgeMs: number },
): OracleAnswer {
  const observedAtMs = Number(updatedAt) * 1_000
  if (roundId === 0n || startedAt === 0n || updatedAt === 0n || answeredInRound < roundId)
    return { ok: false, code: 'incomplete' }
  if (observedAtMs > atMs) return { ok: false, code: 'incomplete' }
  if (atMs - observedAtMs > maxAgeMs) return { ok: false, code: 'stale' }
  if (answer <= 0n) return { ok: false, code: 'not_positive' }
  if (decimals > MAX_DECIMALS) return { ok: false, code: 'out_of_range' }
  const priceMicros = (answer * 10n ** BigInt(MICRO_DECIMALS)) / 10n ** BigInt(decimals)
  return isAmount(priceMicros) ? { ok: true, priceMicros, observedAtMs } : { ok: false, code: 'out_of_range' }
}

/**
 * Reports whether oracle prices count, from the round of a sequencer uptime feed: answer 0 means that the
 * sequencer of the L2 is up, and `startedAt` since when. Oracles catch up after an outage, so their prices
 * count only an hour later. Rules, section 1.
 */
export function isSequencerUp(
  { answer, startedAt }: Pick<OracleRound, 'answer' | 'startedAt'>,
  atMs: number,
): boolean {
  return answer === 0n && startedAt > 0n && atMs - Number(startedAt) * 1_000 > SEQUENCER_GRACE_MS
}
