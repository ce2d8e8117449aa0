import { createHash } from 'node:crypto'
import type { FileData, FundBill, FundBillSummary, Locale } from '@rif/api-schema'
import { addDays, type Day, dayOf, type Micros, type Month, monthOf, startOfDay } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type Db, inTx } from '../../../db/database.ts'
import { readMembers } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { encodeCursor, toPage } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { FundAssetsService } from '../products/assets.service.ts'
import type { FundProducts } from '../products/products.service.ts'
import { billView, type MonthBooks, toBill } from './bill-content.ts'
import { billCsv } from './bill-csv.ts'
import { printBill } from './bill-printer.ts'
import type { BillRow, MovementRow, Period } from './bills.repository.ts'
import * as repository from './bills.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly products: FundProducts
  readonly assets: Pick<FundAssetsService, 'lastNavs'>
  /** The number of members whose bills are made in one transaction. */
  readonly rangeMembers?: number
}

/** The delay after the end of a month before it is billed: by then no process's clock is still in it. */
const CLOCKS_AGREE_MS = 120_000

export type FundBills = ReturnType<typeof createFundBills>

/**
 * Creates the monthly bills: made once per member and month from the books, and never changed. Rules, section
 * 8.
 */
export function createFundBills(deps: Deps) {
  const { now, ledger, members, products, assets, rangeMembers = 250 } = deps

  async function booksOf(db: Db, month: Month): Promise<MonthBooks> {
    const period = periodOf(month)
    const [byId, openingNavs, closingNavs] = await Promise.all([
      products.all(db),
      assets.lastNavs(db, period.start),
      assets.lastNavs(db, period.end),
    ])
    return { month, period, products: byId, openingNavs, closingNavs }
  }

  /** Returns the first month that cannot be billed yet. */
  const currentMonth = (): Month => monthOf(dayOf(now().getTime() - CLOCKS_AGREE_MS))

  /**
   * Waits for transactions that change a product and took a time in a month that has ended: all of them hold
   * its row.
   */
  async function awaitProducts(db: Db): Promise<void> {
    for (const productId of (await products.all(db)).keys())
      await inTx(db, (dbTx) => products.lock(dbTx, productId))
  }

  /** Returns the bills of all members of a range who have something to bill. */
  async function makeRange(db: Db, books: MonthBooks, first: bigint, last: bigint) {
    const moved = await repository.movements(db, first, last, books.period)
    const incomes = await repository.incomeMovements(db, first, last, books.period)
    const byMember = new Map<bigint, { rows: MovementRow[]; income: Micros; moved: Micros }>()
    const of = (memberId: bigint) => {
      const bill = byMember.get(memberId) ?? { rows: [], income: 0n, moved: 0n }
      byMember.set(memberId, bill)
      return bill
    }
    for (const row of moved) of(row.member_id).rows.push(row)
    for (const row of incomes) Object.assign(of(row.member_id), { income: row.income, moved: row.moved })
    return [...byMember].map(([memberId, parts]) => {
      const bill = JSON.stringify(toBill(books, parts))
      return { member_id: memberId, bill, digest: createHash('sha256').update(bill).digest() }
    })
  }

  /** Makes the bills of the next members of a month. Returns false when all are made. */
  async function makeNext(dbTx: Db, books: MonthBooks): Promise<number | null> {
    const { month } = books
    const after = await repository.lockRun(dbTx, month)
    if (after === undefined) return null
    const memberIds = await repository.nextMembers(dbTx, after, rangeMembers)
    // Waits in the same way for income that is being moved.
    await ledger.lock(dbTx, { memberIds })
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

  /** Returns the oldest ended month without bills, or null. */
  async function dueMonth(db: Db): Promise<Month | null> {
    const finished = await repository.lastFinishedMonth(db)
    const first = finished === undefined ? await repository.firstPurchase(db) : undefined
    if (finished === undefined && first === undefined) return null
    const month = finished === undefined ? monthOf(dayOf(first!.getTime())) : nextMonth(finished)
    return month < currentMonth() ? month : null
  }

  /**
   * Makes the bills of one ended month, a range of members at a time. After a crash, the next run continues;
   * two concurrent runs take turns. Returns the number of bills made. Throws MONTH_NOT_ENDED.
   */
  async function makeMonth(db: Db, month: Month): Promise<number> {
    if (month >= currentMonth()) throw new AppError('MONTH_NOT_ENDED', { month })
    await awaitProducts(db)
    const books = await booksOf(db, month)
    let count = 0
    for (;;) {
      const made = await inTx(db, (dbTx) => makeNext(dbTx, books))
      if (made === null) return count
      count += made
    }
  }

  async function stored(db: Db, memberId: bigint, month: Month): Promise<BillRow> {
    const row = await repository.findBill(db, memberId, month)
    if (row === undefined) throw new AppError('BILL_NOT_FOUND')
    return row
  }

  async function addressOf(db: Db, memberId: bigint): Promise<string> {
    const { answers } = await readMembers(db, [memberId], { member: members.memberRead })
    return getAddress(answers(memberId).member.address as Hex)
  }

  return {
    makeMonth,

    dueMonth,

    /** Makes the bills of every month that has ended since the last billed one. Returns their number. */
    async makeDue(db: Db): Promise<number> {
      let count = 0
      for (let month = await dueMonth(db); month !== null; month = await dueMonth(db)) {
        count += await makeMonth(db, month)
      }
      return count
    },

    /**
     * Recomputes a member's bill from the books without storing it, byte for byte equal to the stored one.
     * Returns null if there is nothing to bill.
     */
    async remake(db: Db, memberId: bigint, month: Month): Promise<{ bill: string; digest: Buffer } | null> {
      const [made] = await makeRange(db, await booksOf(db, month), memberId, memberId)
      return made === undefined ? null : { bill: made.bill, digest: made.digest }
    },

    /** Returns a page of a member's bills, newest first. */
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

    /** Returns a member's bill. Throws BILL_NOT_FOUND. */
    async get(db: Db, memberId: bigint, month: Month): Promise<FundBill> {
      return billView(await stored(db, memberId, month))
    },

    /** Returns the bill as CSV. Throws BILL_NOT_FOUND. */
    async csv(db: Db, memberId: bigint, month: Month): Promise<FileData> {
      const bill = billView(await stored(db, memberId, month))
      return fileOf(`fund-bill-${month}.csv`, 'text/csv; charset=utf-8', Buffer.from(billCsv(bill)))
    },

    /** Returns the bill as a PDF document in a language; the same bytes every time. Throws BILL_NOT_FOUND. */
    async pdf(db: Db, memberId: bigint, month: Month, locale: Locale): Promise<FileData> {
      const bill = billView(await stored(db, memberId, month))
      const content = await printBill(bill, { locale, address: await addressOf(db, memberId) })
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

/** Adding 31 days to the first of a month gives a day in the next month. */
function nextMonth(month: Month): Month {
  return monthOf(addDays(`${month}-01`, 31))
}

function monthOfCursor(cursor: string): string {
  const month = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^\d{4}-\d{2}$/.test(month)) throw new AppError('VALIDATION_FAILED', { field: 'cursor' })
  return month
}

function fileOf(filename: string, mediaType: string, content: Buffer): FileData {
  const hash = `0x${createHash('sha256').update(content).digest('hex')}`
  return { filename, media_type: mediaType, hash, base64: content.toString('base64') }
}
