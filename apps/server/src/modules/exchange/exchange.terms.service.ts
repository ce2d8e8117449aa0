import {
  DEFAULT_EXCHANGE_RATE,
  type ExchangeTarget,
  formatMicros,
  type Micros,
  type OfferProblem,
  type OfferProblems,
  termsProblems,
} from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Read, read } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { type Review, requireReviewable } from '../../lib/review.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'

/**
 * The micro-units of the target for one RIF, and the RIF that a member may exchange into it per day; null for
 * no limit.
 */
export interface ExchangeTermsDraft {
  readonly rateMicros: Micros
  readonly dayCapMicros: Micros | null
}

/** Terms as prepared by an admin. They apply from `validFrom`, or from their approval. */
export interface TermsDraft extends ExchangeTermsDraft {
  readonly asset: ExchangeTarget
  readonly validFrom?: Date
  readonly actor: string
}

interface TermsRow extends ExchangeTermsDraft {
  readonly termsId: bigint
  readonly asset: ExchangeTarget
  readonly validFrom: Date | null
  readonly state: 'Prepared' | 'Approved' | 'Rejected'
  readonly preparedBy: string
}

/** The amount of each asset that one RIF gives. */
export type Rates = Readonly<Record<ExchangeTarget, Micros>>

export type ExchangeTerms = ReturnType<typeof createExchangeTerms>

const DEFAULT_TERMS: ExchangeTermsDraft = { rateMicros: DEFAULT_EXCHANGE_RATE, dayCapMicros: null }

/**
 * Creates the terms of exchange for RIF: versions in time, prepared by one admin and approved by another.
 * Rules, section 11.
 */
export function createExchangeTerms({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  return {
    /** Returns the terms in force at a time: the last approved ones, or 1.0 without a cap. */
    async at(db: Db, asset: ExchangeTarget, at: Date): Promise<ExchangeTermsDraft> {
      const { rows } = await sql<ExchangeTermsDraft>`
        select rate_micros as "rateMicros", day_cap_micros as "dayCapMicros" from exchange_terms
        where asset = ${asset} and state = 'Approved' and valid_from <= ${at}
        order by valid_from desc, terms_id desc limit 1`.execute(db)
      return rows[0] ?? DEFAULT_TERMS
    },

    /** Returns the read of the current rates, which are the same for everybody. */
    ratesRead(): Read<Rates> {
      const at = now()
      return read<[ExchangeTarget, string][], Rates>(
        () => sql`
          select null::bigint as member_id, json_agg(json_build_array(asset, rate_micros::text)) as value from (
            select distinct on (asset) asset, rate_micros from exchange_terms
            where state = 'Approved' and valid_from <= ${at} order by asset, valid_from desc, terms_id desc
          ) as latest`,
        (rows) => {
          const set = new Map((rows ?? []).map(([asset, rate]) => [asset, BigInt(rate)]))
          const rateOf = (asset: ExchangeTarget) => set.get(asset) ?? DEFAULT_EXCHANGE_RATE
          return { DIV: rateOf('DIV'), VC: rateOf('VC') }
        },
      )
    },

    /**
     * Prepares terms. Throws INVALID_AMOUNT and VALIDATION_FAILED with the invalid field found by
     * `termsProblems`.
     */
    async prepare(dbTx: Db, { actor, ...draft }: TermsDraft): Promise<{ termsId: bigint }> {
      const { asset, rateMicros, dayCapMicros, validFrom = null } = draft
      const at = now()
      requireTerms({ rateMicros, dayCapMicros, validFrom }, at)
      const { rows } = await sql<{ termsId: bigint }>`
        insert into exchange_terms (asset, rate_micros, day_cap_micros, valid_from, prepared_by, prepared_at)
        values (${asset}, ${rateMicros}, ${dayCapMicros}, ${validFrom}, ${actor}, ${at})
        returning terms_id as "termsId"`.execute(dbTx)
      const [prepared] = rows
      await adminLog.record(dbTx, {
        actor,
        action: 'exchange-terms.prepare',
        subject: `exchange-terms/${prepared!.termsId}`,
        after: { asset, ...termsText(draft), validFrom },
      })
      return prepared!
    },

    /**
     * Approves terms, or rejects them. Throws NOT_FOUND, NOTHING_TO_REVIEW, FORBIDDEN for an approval by the
     * admin who prepared them, and VALIDATION_FAILED if their time has passed, because existing quotes keep
     * their rate.
     */
    async review(dbTx: Db, { termsId, ...review }: Review & { termsId: bigint }): Promise<void> {
      const result = await sql<TermsRow>`
        select terms_id as "termsId", asset, rate_micros as "rateMicros", day_cap_micros as "dayCapMicros",
          valid_from as "validFrom", state, prepared_by as "preparedBy"
        from exchange_terms where terms_id = ${termsId} for update`.execute(dbTx)
      const [terms] = result.rows
      requireReviewable(terms, review)
      const { actor, approve } = review
      const at = now()
      if (approve) requireTerms(terms, at)
      const before = await this.at(dbTx, terms.asset, terms.validFrom ?? at)
      await sql`
        update exchange_terms set state = ${approve ? 'Approved' : 'Rejected'}, reviewed_by = ${actor},
          reviewed_at = ${at}, valid_from = ${approve ? (terms.validFrom ?? at) : terms.validFrom}
        where terms_id = ${termsId}`.execute(dbTx)
      await adminLog.record(dbTx, {
        actor,
        action: approve ? 'exchange-terms.approve' : 'exchange-terms.reject',
        subject: `exchange-terms/${termsId}`,
        ...(approve && { before: termsText(before), after: termsText(terms) }),
      })
    },
  }
}

function requireTerms(
  { validFrom, ...terms }: ExchangeTermsDraft & { validFrom: Date | null },
  at: Date,
): void {
  requireSound(termsProblems({ ...terms, validFromMs: validFrom?.getTime() ?? null }, at.getTime()))
}

const termsText = ({ rateMicros, dayCapMicros }: ExchangeTermsDraft) => ({
  rate: formatMicros(rateMicros),
  dayCap: dayCapMicros === null ? null : formatMicros(dayCapMicros),
})

const PROBLEM_TEXTS: Readonly<Record<OfferProblem, string>> = {
  amount: 'is not an amount above zero',
  size: 'costs nothing, or more than can be stored',
  missing: 'is missing',
  past: 'has passed',
  order: 'is not after the start',
}

/** Throws the first problem of an offer with its field: INVALID_AMOUNT or VALIDATION_FAILED. */
export function requireSound(problems: OfferProblems<string>): void {
  const [first] = Object.entries(problems) as [string, OfferProblem][]
  if (first === undefined) return
  const [field, problem] = first
  const isAmount = problem === 'amount' || problem === 'size'
  throw new AppError(isAmount ? 'INVALID_AMOUNT' : 'VALIDATION_FAILED', {
    field,
    problem: PROBLEM_TEXTS[problem],
  })
}
