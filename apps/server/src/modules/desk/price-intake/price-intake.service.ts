import type { AdminPrices, ProposalPayload } from '@rif/api-schema'
import { formatMicros, isAmount, isSequencerUp, type Micros, oraclePrice, parseMicros } from '@rif/rules'
import { type Address, getAddress } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import { readOracle } from '../../../chain/price-oracle.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { isWebhookSigned, type SignedWebhook } from '../../../lib/signed-webhook.ts'
import type {
  Observation,
  Outcome,
  PriceSources,
  SourceKey,
  SourceRow,
} from '../../prices/pricing/pricing.sources.service.ts'
import { outsidePriceSubject, type ProposalsService } from '../proposals/proposals.service.ts'

/** The external price sources from the settings. */
export interface PriceSettings {
  readonly feeds: readonly { readonly name: string; readonly secret: string }[]
  readonly oracles: readonly Oracle[]
  /** The uptime feed of the L2 sequencer; null if oracles count without it. */
  readonly sequencer: Address | null
  /** The relative change of a price above which it needs approval by two persons. */
  readonly jumpPpm: number
}

interface Oracle {
  readonly asset: SourceKey['asset']
  readonly address: Address
  /** The age above which an answer is refused. */
  readonly maxAgeMs: number
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly chain: Chain
  readonly progress: Pick<ChainProgress, 'l1Final'>
  readonly priceSources: PriceSources
  readonly proposals: Pick<ProposalsService, 'prepare' | 'withdraw' | 'openPayloads' | 'openBySubject'>
  readonly prices: PriceSettings
}

/** The maximum difference between a message's timestamp and the clock. */
const TOLERANCE_MS = 5 * 60_000

export type PriceIntake = ReturnType<typeof createPriceIntake>

/** Creates the intake of prices from signed feeds and on-chain oracles. Rules, section 1. */
export function createPriceIntake(deps: Deps) {
  const { db, now, log, chain, progress, priceSources, proposals, prices } = deps

  /**
   * Returns the latest round of an oracle or of the sequencer's feed; null, with a warning, if it cannot be
   * read.
   */
  const roundOf = (address: Address, blockNumber: bigint) =>
    readOracle(chain, address, blockNumber).catch((error: unknown) => {
      log.warn({ oracle: address, reason: error instanceof Error ? error.name : '' }, 'no oracle answer')
      return null
    })

  /** Reports whether the sequencer's feed, if any, lets oracles count. An unreadable feed does not. */
  async function isUp(blockNumber: bigint): Promise<boolean> {
    if (prices.sequencer === null) return true
    const round = await roundOf(prices.sequencer, blockNumber)
    return round !== null && isSequencerUp(round, now().getTime())
  }

  async function answerOf({ address, maxAgeMs }: Oracle, blockNumber: bigint) {
    const round = await roundOf(address, blockNumber)
    if (round === null) return { ok: false, code: 'unreadable' } as const
    return oraclePrice(round, { atMs: now().getTime(), maxAgeMs })
  }

  async function readOne(oracle: Oracle, blockNumber: bigint, isReliable: boolean): Promise<void> {
    const { asset, address } = oracle
    const key: SourceKey = { source: 'oracle', name: getAddress(address), asset }
    const answer = isReliable
      ? await answerOf(oracle, blockNumber)
      : ({ ok: false, code: 'sequencer' } as const)
    await inTx(db, (dbTx) => priceSources.noteProblem(dbTx, key, answer.ok ? null : answer.code))
    if (!answer.ok) return
    const { priceMicros, observedAtMs } = answer
    const observation = { ...key, priceMicros, observedAt: new Date(observedAtMs) }
    await inTx(db, (dbTx) => priceSources.observe(dbTx, observation)).catch((error: unknown) => {
      // The same round again, or one that follows within seconds.
      if (!(error instanceof AppError)) throw error
      log.debug({ oracle: key.name, code: error.code }, 'a round gives nothing new')
    })
  }

  /** Prepares a proposal for a waiting price, in the name of its source. */
  async function propose(dbTx: Db, row: SourceRow): Promise<void> {
    const payload = payloadOf(row)
    const about = `The price differs by more than ${priceSources.jumpPpm / 10_000}% or is the first one.`
    await proposals.prepare(dbTx, preparerOf(row), {
      kind: 'outside_price',
      payload,
      reason: about,
      delayMs: 0,
    })
  }

  return {
    /**
     * Checks that a message comes from the feed of that name and that its time is within five minutes of now.
     * Returns its time. Throws SIGNATURE_INVALID, MESSAGE_OLD.
     */
    authenticate(name: string, message: SignedWebhook): Date {
      const feed = prices.feeds.find((feed) => feed.name === name)
      if (feed === undefined || !isWebhookSigned(feed.secret, message))
        throw new AppError('SIGNATURE_INVALID')
      const sentAt = Number(message.timestamp) * 1_000
      if (Math.abs(now().getTime() - sentAt) > TOLERANCE_MS) throw new AppError('MESSAGE_OLD')
      return new Date(sentAt)
    },

    /** Takes a price from a feed. Throws INVALID_AMOUNT, MESSAGE_OLD, RATE_LIMITED. */
    async receive(
      name: string,
      { asset, price }: { asset: SourceKey['asset']; price: string },
      observedAt: Date,
    ): Promise<Outcome> {
      const priceMicros = parseMicros(price)
      if (!isAmount(priceMicros)) throw new AppError('INVALID_AMOUNT')
      const observation: Observation = { source: 'feed', name, asset, priceMicros, observedAt }
      const outcome = await inTx(db, (dbTx) => priceSources.observe(dbTx, observation))
      if (outcome === 'waiting') await this.proposeWaiting()
      return outcome
    },

    /**
     * Reads every oracle at the last block that is final on L1, because a published price cannot be
     * withdrawn.
     */
    async readOracles(): Promise<void> {
      if (prices.oracles.length === 0) return
      const final = await progress.l1Final(db)
      if (final === null) return
      const isReliable = await isUp(final.blockNumber)
      for (const oracle of prices.oracles) await readOne(oracle, final.blockNumber, isReliable)
    },

    /**
     * Aligns the open proposals with the waiting prices: withdraws proposals of prices that no longer wait,
     * and prepares missing ones. Several processes may run it at the same time: of two proposals about one
     * subject the second is refused.
     */
    async proposeWaiting(): Promise<void> {
      const waiting = (await priceSources.list(db)).filter(({ waitingMicros }) => waitingMicros !== null)
      const isWaiting = (payload: ProposalPayload<'outside_price'>) =>
        waiting.some((row) => isSame(payloadOf(row), payload))
      const open = await proposals.openPayloads(db, 'outside_price', '')
      for (const [proposalId, payload] of open) {
        if (!isWaiting(payload)) await inTx(db, (dbTx) => withdraw(dbTx, payload, proposalId))
      }
      for (const row of waiting) {
        if ([...open.values()].some((payload) => isSame(payloadOf(row), payload))) continue
        await inTx(db, (dbTx) => propose(dbTx, row)).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
          log.warn({ source: row.name, code: error.code }, 'a waiting price was not proposed')
        })
      }
    },

    /** Returns the connected and former sources, with the last message of each. */
    async overview(): Promise<AdminPrices> {
      const rows = await priceSources.list(db)
      const proposed = await proposals.openBySubject(db, 'outside_price', rows.map(outsidePriceSubject))
      const silent = prices.feeds.filter(
        ({ name }) => !rows.some((row) => row.source === 'feed' && row.name === name),
      )
      const unread = prices.oracles.filter((oracle) => !rows.some((row) => isOf(oracle, row)))
      const nothing = {
        price: null,
        observed_at: null,
        outcome: null,
        waiting_price: null,
        proposal_id: null,
        problem: null,
        problem_at: null,
      }
      return {
        jump_ppm: prices.jumpPpm,
        sources: [
          ...rows.map((row) => ({
            source: row.source,
            name: row.name,
            asset: row.asset,
            ...connectionOf(row),
            price: amountOf(row.priceMicros),
            observed_at: row.observedAt?.toISOString() ?? null,
            outcome: row.outcome,
            waiting_price: amountOf(row.waitingMicros),
            proposal_id: proposed.get(outsidePriceSubject(row))?.toString() ?? null,
            problem: row.problem,
            problem_at: row.problemAt?.toISOString() ?? null,
          })),
          ...unread.map(({ asset, address, maxAgeMs }) => ({
            source: 'oracle' as const,
            name: getAddress(address),
            asset,
            connected: true,
            max_age_seconds: maxAgeMs / 1_000,
            ...nothing,
          })),
          ...silent.map(({ name }) => ({
            source: 'feed' as const,
            name,
            asset: null,
            connected: true,
            max_age_seconds: null,
            ...nothing,
          })),
        ],
      }
    },
  }

  function connectionOf(row: SourceRow): { connected: boolean; max_age_seconds: number | null } {
    if (row.source === 'feed')
      return { connected: prices.feeds.some(({ name }) => name === row.name), max_age_seconds: null }
    const oracle = prices.oracles.find((oracle) => isOf(oracle, row))
    return { connected: oracle !== undefined, max_age_seconds: oracle ? oracle.maxAgeMs / 1_000 : null }
  }

  /** Withdraws a proposal, unless it has already ended or an operator prepared it. */
  async function withdraw(
    dbTx: Db,
    payload: ProposalPayload<'outside_price'>,
    proposalId: bigint,
  ): Promise<void> {
    await proposals.withdraw(dbTx, preparerOf(payload), proposalId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  }
}

const amountOf = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))

const isOf = ({ asset, address }: Oracle, row: SourceKey) =>
  row.source === 'oracle' && row.asset === asset && row.name === getAddress(address)

/** Returns the source as the preparer of a proposal. It has no wallet and is no person, so it can do nothing else. */
const preparerOf = ({ source, name }: Pick<SourceKey, 'source' | 'name'>): Admin => ({
  address: `${source}:${name}`,
  role: 'operator',
  person: `${source}:${name}`,
  personId: 0n,
  grantedAt: new Date(0),
})

const payloadOf = (row: SourceRow): ProposalPayload<'outside_price'> => ({
  source: row.source,
  name: row.name,
  asset: row.asset,
  price: formatMicros(row.waitingMicros!),
  observed_at: row.waitingAt!.toISOString(),
})

const isSame = (a: ProposalPayload<'outside_price'>, b: ProposalPayload<'outside_price'>) =>
  outsidePriceSubject(a) === outsidePriceSubject(b) && a.price === b.price && a.observed_at === b.observed_at
