import type { Conversion, ConversionQuote } from '@rif/api-schema'
import {
  type Asset,
  CONVERSION_QUOTE_MS,
  type Day,
  dayOf,
  formatMicros,
  type MemberWish,
  type Micros,
  worth,
} from '@rif/rules'
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { readTogether } from '../../db/read.ts'
import type { Conversions as ConversionsTable } from '../../db/types.gen.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { requireMayPutIn } from '../access/gates/gates.service.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { Consent, ConsentsService } from '../leaving/leaving.consents.service.ts'
import type { OneWayService } from '../leaving/leaving.one-way.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type { PricingService } from '../prices/pricing/pricing.service.ts'

/** A stored conversion; the schema describes the columns. */
export type ConversionRow = Selectable<ConversionsTable>

/** The assets and amounts of a conversion, and its rate or prices. */
export type ConversionDraft = Omit<
  Insertable<ConversionsTable>,
  'conversion_id' | 'quoted_at' | 'expires_at' | 'done_at' | 'day'
> &
  Pick<ConversionRow, 'source_asset' | 'target_asset'>

/** A quote to execute, with the member's signature, if any. */
export interface QuoteRequest {
  readonly id: bigint
  readonly source: 'AMC' | 'RIF'
  readonly consent: Consent | undefined
}

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly consents: ConsentsService
  readonly oneWay: OneWayService
}

export type Conversions = ReturnType<typeof createConversions>

/**
 * Creates the conversions of one asset into another at a quoted price: buying hash power, and exchanging it.
 * A quote binds only the operator, for 60 seconds, and is used once. Rules, section 11.
 */
export function createConversions(deps: Deps) {
  const { now, ledger, members, plans, pricing, consents, oneWay } = deps

  /**
   * Allows a conversion by the policy of what cannot be taken back at the same worth, and counts it. Throws
   * SIGNATURE_REQUIRED and NONCE_INVALID.
   */
  async function allow(dbTx: Db, row: ConversionRow, at: Date, consent: Consent | undefined): Promise<void> {
    const { member_id: memberId, conversion_id: id } = row
    const { isUsed, unsignedMicros, from } = await readTogether(dbTx, memberId, {
      isUsed: consents.usedRead(memberId, consent),
      unsignedMicros: oneWay.unsignedRead(at),
      from: members.memberRead,
    })
    const source = row.source_asset as 'AMC' | 'RIF'
    const price = await pricing.priceAt(dbTx, source, at)
    const move = {
      wish: conversionWish(row),
      worthMicros: price === null ? null : worth(row.paid_micros, price.priceMicros),
      plan: await plans.planAt(dbTx, dayOf(at.getTime())),
      unsignedMicros,
      consent,
      isUsed,
    }
    await oneWay.allow(dbTx, from, move, { way: 'conversion', id, at })
  }

  return {
    /**
     * Returns the statement by which a member's wallet agrees to a quote. Throws QUOTE_EXPIRED, also for a
     * quote of another member.
     */
    async wishOf(db: Db, memberId: bigint, quoteId: bigint): Promise<MemberWish> {
      const row = await findConversion(db, memberId, quoteId)
      if (row === undefined) throw new AppError('QUOTE_EXPIRED')
      return conversionWish(row)
    },

    /** Freezes terms, and deletes the member's expired quotes. */
    async quote(dbTx: Db, draft: ConversionDraft): Promise<ConversionQuote> {
      const at = now()
      await dbTx
        .deleteFrom('conversions')
        .where('member_id', '=', BigInt(draft.member_id))
        .where('done_at', 'is', null)
        .where('expires_at', '<', at)
        .execute()
      const row = await dbTx
        .insertInto('conversions')
        .values({ ...draft, quoted_at: at, expires_at: new Date(at.getTime() + CONVERSION_QUOTE_MS) })
        .returningAll()
        .executeTakeFirstOrThrow()
      const { expires_at, conversion_id } = row
      return {
        quote_id: `${conversion_id}`,
        ...termsView(row),
        expires_at: expires_at.toISOString(),
        valid_ms: expires_at.getTime() - at.getTime(),
      }
    },

    /**
     * Executes a quote out of `source`, under the member's lock, once: a repeated call returns the first
     * result. `judge` throws current objections. Throws QUOTE_EXPIRED, also for a quote of another member,
     * SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    async convert(
      dbTx: Db,
      memberId: bigint,
      quote: QuoteRequest,
      judge: (row: ConversionRow, at: Date) => Promise<void>,
    ): Promise<Conversion> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await requireMayPutIn(dbTx, memberId, 'exchange')
      const row = await findConversion(dbTx, memberId, quote.id)
      // Read the clock last: a transaction that takes these locks later then has a later time.
      const at = now()
      if (row === undefined || row.source_asset !== quote.source) throw new AppError('QUOTE_EXPIRED')
      if (row.done_at !== null) return conversionView(row)
      if (at > row.expires_at) throw new AppError('QUOTE_EXPIRED')
      await judge(row, at)
      await allow(dbTx, row, at, quote.consent)
      const day = dayOf(at.getTime())
      await post(ledger, dbTx, row, { at, day })
      const done = await dbTx
        .updateTable('conversions')
        .set({ done_at: at, day })
        .where('member_id', '=', memberId)
        .where('conversion_id', '=', quote.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return conversionView(done)
    },

    /** Returns a page of a member's exchanges of RIF, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { to?: 'DIV' | 'VC' | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: Conversion[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      let select = db
        .selectFrom('conversions')
        .selectAll()
        .where('member_id', '=', memberId)
        .where('source_asset', '=', 'RIF')
        .where('done_at', 'is not', null)
      if (query.to !== undefined) select = select.where('target_asset', '=', query.to)
      if (before !== undefined) select = select.where('conversion_id', '<', before)
      const rows = await select
        .orderBy('conversion_id', 'desc')
        .limit(query.limit + 1)
        .execute()
      return toPage(rows, query.limit, conversionView, (row) => encodeCursor(row.conversion_id))
    },

    /**
     * Returns the RIF that a member exchanged into each asset on a day; assets without an exchange are left
     * out.
     */
    async usedOn(db: Db, memberId: bigint, day: Day): Promise<ReadonlyMap<Asset, Micros>> {
      const { rows } = await sql<{ target: Asset; paid: Micros }>`
        select target_asset as target, sum(paid_micros)::bigint as paid from conversions
        where member_id = ${memberId} and source_asset = 'RIF' and day = ${day} and done_at is not null
        group by target_asset`.execute(db)
      return new Map(rows.map((row) => [row.target, row.paid]))
    },
  }
}

async function findConversion(db: Db, memberId: bigint, id: bigint): Promise<ConversionRow | undefined> {
  return db
    .selectFrom('conversions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('conversion_id', '=', id)
    .executeTakeFirst()
}

async function post(
  ledger: LedgerService,
  dbTx: Db,
  row: ConversionRow,
  { at, day }: { at: Date; day: Day },
): Promise<void> {
  const { member_id: memberId, source_asset, target_asset } = row
  await ledger.post(dbTx, {
    key: `conversion/${row.conversion_id}`,
    kind: source_asset === 'AMC' ? 'hash_power_purchase' : 'exchange',
    cause: { type: 'conversion', id: `${row.conversion_id}` },
    accountingDay: day,
    at,
    lines: [
      {
        memberId,
        asset: source_asset,
        amountMicros: row.paid_micros,
        source: 'available',
        destination: 'revenue',
      },
      {
        memberId,
        asset: target_asset,
        amountMicros: row.received_micros,
        source: 'external',
        destination: 'available',
      },
    ],
  })
}

function termsView(row: ConversionRow) {
  const text = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))
  return {
    from: row.source_asset,
    to: row.target_asset,
    pays: formatMicros(row.paid_micros),
    receives: formatMicros(row.received_micros),
    rate: text(row.rate_micros),
    amc_price: text(row.amc_price_micros),
    rif_price: text(row.rif_price_micros),
  }
}

function conversionView(row: ConversionRow): Conversion {
  return {
    conversion_id: `${row.conversion_id}`,
    ...termsView(row),
    done_at: row.done_at!.toISOString(),
  }
}

function conversionWish(row: ConversionRow): MemberWish & { kind: 'conversion' } {
  const { from, to, pays, receives } = termsView(row)
  return { kind: 'conversion', from, to, pays, receives }
}
