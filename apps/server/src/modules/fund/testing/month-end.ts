import type { Db } from '../../../db/database.ts'
import { createFundBills } from '../bills/bills.service.ts'
import { createFundBooks } from './fund-books.ts'

export const APPROVED_AT = '2026-01-20T10:00:00Z'
/** 72 hours later this valuation is still recent enough. */
const PAID_AT = '2026-01-23T10:00:00Z'
const BILLED_AT = '2026-02-01T00:05:00Z'
const MONTH = '2026-01'
/** Small, so that the bills of a few members take several steps. */
const RANGE_MEMBERS = 2

/**
 * Ends a month of the fund: approves the reviewed redemptions, pays the due ones, makes the bills. Each step
 * works like a process without knowledge of another's progress.
 */
export async function endMonth({ db }: { db: Db }): Promise<void> {
  const books = createFundBooks({ db }, APPROVED_AT)
  const { fund, ledger, members } = books.services
  for (const { member_id, redemption_id } of await fund.review.pending(db, 100))
    await books.confirm(member_id, redemption_id)
  books.goTo(PAID_AT)
  await fund.payouts.payDue(db)
  books.goTo(BILLED_AT)
  const { products, assets } = fund
  const { now } = books
  const bills = createFundBills({ now, ledger, members, products, assets, rangeMembers: RANGE_MEMBERS })
  await bills.makeMonth(db, MONTH)
}
