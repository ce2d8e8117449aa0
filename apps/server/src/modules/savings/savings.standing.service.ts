import type { StandingSavingsBody, StandingSavings as StandingView } from '@rif/api-schema'
import {
  type Day,
  dayOf,
  formatMicros,
  type MemberWish,
  nextStandingDay,
  type PaymentAsset,
  parseMicros,
  STANDING_DAYS,
} from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { carryOutDue } from '../../lib/due.ts'
import { AppError } from '../../lib/errors.ts'
import type { Consent, MemberWallet } from '../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../leaving/leaving.one-way.service.ts'
import type { StandingRow } from './savings.repository.ts'
import * as repository from './savings.repository.ts'
import type { SavingsService } from './savings.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly savings: Pick<SavingsService, 'transferIn'>
  readonly oneWay: Pick<OneWayService, 'allowSigned'>
}

type StandingOrder = Omit<StandingSavingsBody, 'signed'>

export type StandingSavings = ReturnType<typeof createStandingSavings>

/**
 * Creates the service of standing transfers into savings. Each moves its whole amount on its day, or nothing
 * if less is available; days missed while no server ran are skipped. Rules, section 9.
 */
export function createStandingSavings({ db, now, savings, oneWay }: Deps) {
  const today = (): Day => dayOf(now().getTime())

  async function list(dbOrTx: Db, memberId: bigint): Promise<{ items: StandingView[] }> {
    return { items: (await repository.listStanding(dbOrTx, memberId)).map(viewOf) }
  }

  /** Executes one transfer and advances its next day, in one transaction. */
  async function moveOne(dbTx: Db, due: StandingRow): Promise<boolean> {
    const day = today()
    const row = await repository.lockDueStanding(dbTx, due, day)
    if (row === undefined) return false
    const order = { asset: row.asset, amountMicros: row.amount_micros }
    const outcome = await savings
      .transferIn(dbTx, row.member_id, order, { isSigned: row.consent_nonce !== null })
      .then(() => 'moved' as const, outcomeOf)
    await repository.updateStanding(dbTx, row, {
      next_day: nextStandingDay(row.every, row.on_day, day),
      last_day: day,
      last_outcome: outcome,
    })
    return outcome === 'moved'
  }

  return {
    /** Returns a member's standing transfers, at most one of each asset. */
    list,

    /**
     * Creates the standing transfer of an asset, or replaces it; either needs the wallet's signature. Its
     * first transfer is on the next of its days after today. Throws INVALID_AMOUNT, VALIDATION_FAILED for a
     * day that the period does not have, SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    async set(dbTx: Db, signer: MemberWallet, body: StandingOrder, consent?: Consent) {
      const { asset, every, on_day } = body
      const amountMicros = parseMicros(body.amount)
      if (amountMicros <= 0n) throw new AppError('INVALID_AMOUNT')
      if (on_day > STANDING_DAYS[every]) throw new AppError('VALIDATION_FAILED')
      const nonce = await oneWay.allowSigned(dbTx, signer, standingWish(body), consent)
      await repository.upsertStanding(dbTx, {
        member_id: signer.memberId,
        asset,
        amount_micros: amountMicros,
        every,
        on_day,
        consent_nonce: nonce,
        next_day: nextStandingDay(every, on_day, today()),
        last_day: null,
        last_outcome: null,
        changed_at: now(),
      })
      return list(dbTx, signer.memberId)
    },

    /** Ends the standing transfer of an asset; does nothing if there is none. */
    async end(dbTx: Db, memberId: bigint, asset: PaymentAsset) {
      await repository.deleteStanding(dbTx, memberId, asset)
      return list(dbTx, memberId)
    },

    /**
     * Executes due transfers, each in its own transaction. Returns the number. A refused one, for instance
     * while savings are closed, stays due. Other errors do not delay other transfers and are thrown at the
     * end.
     */
    moveDue: (): Promise<number> =>
      carryOutDue({
        read: (after: StandingRow | undefined, limit) => repository.dueStanding(db, today(), after, limit),
        carryOut: (row) =>
          inTx(db, (dbTx) => moveOne(dbTx, row)).catch((error: unknown) => {
            if (error instanceof AppError) return false
            throw error
          }),
        failure: 'standing transfers were not made',
      }),
  }
}

/** Returns the outcome of a transfer that was refused on its day. Throws other errors. */
function outcomeOf(error: unknown): 'short' | 'unsigned' {
  if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') return 'short'
  if (error instanceof AppError && error.code === 'SIGNATURE_REQUIRED') return 'unsigned'
  throw error
}

/** Returns the statement of a standing transfer that the member's wallet signs. */
export const standingWish = ({ asset, amount, every, on_day }: StandingOrder) =>
  ({
    kind: 'standing_savings',
    asset,
    amount: formatMicros(parseMicros(amount)),
    every,
    onDay: on_day,
  }) as const satisfies MemberWish

function viewOf(row: StandingRow): StandingView {
  return {
    asset: row.asset,
    amount: formatMicros(row.amount_micros),
    every: row.every,
    on_day: row.on_day,
    next_day: row.next_day,
    last_day: row.last_day,
    last_outcome: row.last_outcome,
  }
}
