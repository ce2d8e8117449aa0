import { createHash } from 'node:crypto'
import type { FileData, FundBill, FundBillSummary, Locale } from '@rif/api-schema'
import {
  addDays,
  type BillFigures,
  billLine,
  billTotals,
  type Day,
  dayOf,
  formatMicros,
  type Micros,
  type Month,
  monthOf,
  startOfDay,
} from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type Db, inDbTx } from '../../db/database.ts'
import { readMembers } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { encodeCursor, toPage } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { MembersService } from '../members/members.service.ts'
import { billCsv } from './fund.bill-csv.ts'
import { billPdf } from './fund.bill-pdf.ts'
import type { BillRow, MovementRow, Period } from './fund.bills.repository.ts'
import * as repository from './fund.bills.repository.ts'
import type { FundNavs } from './fund.navs.ts'
import type { NavRow, ProductRow } from './fund.products.repository.ts'
import type { FundProducts } from './fund.products.ts'

interface Deps {
  readonly now: Now
  readonly members: MembersService
  readonly products: FundProducts
  readonly navs: FundNavs
}

/** A bill as it is stored: its text is what the digest is of, so names and order of the fields are for ever. */
type StoredBill = Omit<FundBill, 'made_at' | 'hash'>

/** What all bills of a month have in common. */
interface MonthBooks {
  readonly month: Month
  readonly period: Period
  readonly products: ReadonlyMap<bigint, ProductRow>
  readonly openingNavs: ReadonlyMap<bigint, NavRow>
  readonly closingNavs: ReadonlyMap<bigint, NavRow>
}

/** Bills of this many members are made in one dbTx. */
const RANGE = 1_000

/** By then whatever belongs to the month that ended has committed. */
const SETTLED_AFTER_MS = 120_000

/** Monthly bills: made once per member and month out of the books, and never changed. Rules, section 8. */
export function createFundBills({ now, members, products, navs }: Deps) {
  async function booksOf(db: Db, month: Month): Promise<MonthBooks> {
    const period = periodOf(month)
    const [byId, openingNavs, closingNavs] = await Promise.all([
      products.all(db),
      navs.last(db, period.start),
      navs.last(db, period.end),
    ])
    return { month, period, products: byId, openingNavs, closingNavs }
  }

  /** The bills of all members of a range who have something to bill. */
  async function makeRange(db: Db, books: MonthBooks, first: bigint, last: bigint) {
    const moved = await repository.movements(db, first, last, books.period)
    const incomes = await repository.incomeMovements(db, first, last, books.period)
    const byMember = new Map<bigint, { rows: MovementRow[]; income: Micros; moved: Micros }>()
    const of = (memberId: bigint) => {
      const known = byMember.get(memberId) ?? { rows: [], income: 0n, moved: 0n }
      byMember.set(memberId, known)
      return known
    }
    for (const row of moved) of(row.member_id).rows.push(row)
    for (const row of incomes) Object.assign(of(row.member_id), { income: row.income, moved: row.moved })
    return [...byMember].map(([memberId, parts]) => {
      const bill = JSON.stringify(toBill(books, parts))
      return { member_id: memberId, bill, digest: createHash('sha256').update(bill).digest() }
    })
  }

  /** Makes the bills of the next members of a month. False when all are made. */
  async function makeNext(dbTx: Db, books: MonthBooks): Promise<number | null> {
    const { month } = books
    const after = await repository.lockRun(dbTx, month)
    if (after === undefined) return null
    const memberIds = await repository.nextMembers(dbTx, after, RANGE)
    const at = now()
    const last = memberIds.at(-1)
    if (last === undefined) {
      await repository.advanceRun(dbTx, month, { finished_at: at })
      return null
    }
    const bills = await makeRange(dbTx, books, memberIds[0]!, last)
    const count = bills.length === 0 ? 0 : await repository.insertBills(dbTx, bills, { month, at })
    await repository.advanceRun(dbTx, month, { last_member_id: last })
    return count
  }

  async function stored(db: Db, memberId: bigint, month: Month): Promise<BillRow> {
    const row = await repository.findBill(db, memberId, month)
    if (row === undefined) throw new AppError('BILL_NOT_FOUND')
    return row
  }

  async function addressOf(db: Db, memberId: bigint): Promise<string> {
    const answers = await readMembers(db, [memberId], { member: members.memberRead })
    return getAddress(answers(memberId).member.address as Hex)
  }

  return {
    /**
     * Makes the bills of one month that has ended, a range of members at a time: killed, the next run goes on where it
     * stopped; two at once take turns. Returns how many were made.
     */
    async makeMonth(db: Db, month: Month): Promise<number> {
      const books = await booksOf(db, month)
      let count = 0
      for (;;) {
        const made = await inDbTx(db, (dbTx) => makeNext(dbTx, books))
        if (made === null) return count
        count += made
      }
    },

    /** Makes the bills of every month that has ended since the last one made. Returns how many were made. */
    async makeDue(db: Db): Promise<number> {
      const current = monthOf(dayOf(now().getTime() - SETTLED_AFTER_MS))
      const finished = await repository.lastFinishedMonth(db)
      const first = finished === undefined ? await repository.firstPurchase(db) : undefined
      if (finished === undefined && first === undefined) return 0
      let month = finished === undefined ? monthOf(dayOf(first!.getTime())) : nextMonth(finished)
      let count = 0
      for (; month < current; month = nextMonth(month)) count += await this.makeMonth(db, month)
      return count
    },

    /** Makes a member's bill anew out of the books, without storing it: byte for byte the one that is stored. Null where there is nothing to bill. */
    async remake(db: Db, memberId: bigint, month: Month): Promise<{ bill: string; digest: Buffer } | null> {
      const [made] = await makeRange(db, await booksOf(db, month), memberId, memberId)
      return made === undefined ? null : { bill: made.bill, digest: made.digest }
    },

    /** A page of a member's bills, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundBillSummary[]; next: string | null }> {
      const before = query.cursor === undefined ? undefined : monthOfCursor(query.cursor)
      const rows = await repository.listBills(db, memberId, { before, limit: query.limit })
      return toPage(
        rows,
        query.limit,
        (row) => {
          const { lines: _, hash: __, ...summary } = billView(row)
          return summary
        },
        (row) => encodeCursor(row.month),
      )
    },

    /** A member's bill. Throws BILL_NOT_FOUND. */
    async get(db: Db, memberId: bigint, month: Month): Promise<FundBill> {
      return billView(await stored(db, memberId, month))
    },

    /** The bill as a table. Throws BILL_NOT_FOUND. */
    async csv(db: Db, memberId: bigint, month: Month): Promise<FileData> {
      const bill = billView(await stored(db, memberId, month))
      return fileOf(`fund-bill-${month}.csv`, 'text/csv; charset=utf-8', Buffer.from(billCsv(bill)))
    },

    /** The bill as a typeset document in a language; the same bytes every time. Throws BILL_NOT_FOUND. */
    async pdf(db: Db, memberId: bigint, month: Month, locale: Locale): Promise<FileData> {
      const bill = billView(await stored(db, memberId, month))
      const content = await billPdf(bill, { locale, address: await addressOf(db, memberId) })
      return fileOf(`fund-bill-${month}-${locale}.pdf`, 'application/pdf', content)
    },
  }
}

function periodOf(month: Month): Period {
  const firstDay: Day = `${month}-01`
  const following: Day = `${nextMonth(month)}-01`
  return {
    start: new Date(startOfDay(firstDay)),
    end: new Date(startOfDay(following)),
    firstDay,
    lastDay: addDays(following, -1),
  }
}

/** 31 days from a month's first one lie in the next month. */
function nextMonth(month: Month): Month {
  return monthOf(addDays(`${month}-01`, 31))
}

function monthOfCursor(cursor: string): string {
  const month = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^\d{4}-\d{2}$/.test(month)) throw new AppError('VALIDATION_FAILED', { field: 'cursor' })
  return month
}

/** The text that is stored: every field in one fixed order. */
function toBill(
  books: MonthBooks,
  parts: { rows: readonly MovementRow[]; income: Micros; moved: Micros },
): StoredBill {
  const lines = parts.rows.map((row) => {
    const openingNav = books.openingNavs.get(row.product_id)?.nav_micros ?? null
    const closingNav = books.closingNavs.get(row.product_id)?.nav_micros ?? null
    const line = billLine({
      openingUnits: row.opening_units,
      openingNavMicros: openingNav,
      purchasedUnits: row.purchased_units,
      purchasedMicros: row.purchased_micros,
      subscriptionFeesMicros: row.subscription_fees,
      redeemedUnits: row.redeemed_units,
      redeemedMicros: row.redeemed_micros,
      redemptionFeesMicros: row.redemption_fees,
      managementFeesMicros: row.management_fees,
      closingNavMicros: closingNav,
    })
    return { row, line, openingNav, closingNav }
  })
  return {
    month: books.month,
    ...figuresView(billTotals(lines.map(({ line }) => line))),
    income: formatMicros(parts.income),
    income_moved: formatMicros(parts.moved),
    lines: lines.map(({ row, line, openingNav, closingNav }) => ({
      product_id: `${row.product_id}`,
      product_name: books.products.get(row.product_id)!.name,
      opening_units: `${row.opening_units}`,
      opening_nav: openingNav === null ? null : formatMicros(openingNav),
      purchased_units: `${row.purchased_units}`,
      redeemed_units: `${row.redeemed_units}`,
      closing_units: `${line.closingUnits}`,
      closing_nav: closingNav === null ? null : formatMicros(closingNav),
      ...figuresView(line),
    })),
  }
}

function figuresView(figures: BillFigures) {
  return {
    opening_value: formatMicros(figures.openingMicros),
    purchased_value: formatMicros(figures.purchasedMicros),
    subscription_fees: formatMicros(figures.subscriptionFeesMicros),
    redeemed_value: formatMicros(figures.redeemedMicros),
    redemption_fees: formatMicros(figures.redemptionFeesMicros),
    management_fees: formatMicros(figures.managementFeesMicros),
    closing_value: formatMicros(figures.closingMicros),
    profit: formatMicros(figures.profitMicros),
  }
}

function billView(row: BillRow): FundBill {
  const bill = JSON.parse(row.bill) as StoredBill
  return { ...bill, made_at: row.made_at.toISOString(), hash: `0x${row.digest.toString('hex')}` }
}

function fileOf(filename: string, mediaType: string, content: Buffer): FileData {
  const hash = `0x${createHash('sha256').update(content).digest('hex')}`
  return { filename, media_type: mediaType, hash, base64: content.toString('base64') }
}
