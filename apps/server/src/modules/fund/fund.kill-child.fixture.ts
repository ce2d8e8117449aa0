import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createDatabase } from '../../db/database.ts'
import { createFundBills } from './fund.bills.ts'
import { createFundBooks } from './fund.books.fixture.ts'

// A process that ends a month of the fund on the database whose URL comes as a line, to be killed: approves what was reviewed,
// pays what is due, makes the bills, each as a process does that does not know how far another came. Says `ready` and `done`.
const APPROVED_AT = '2026-01-20T10:00:00Z'
const PAID_AT = '2026-01-24T10:00:00Z'
const BILLED_AT = '2026-02-01T00:05:00Z'
const MONTH = '2026-01'
/** So that the bills of a few members take several steps. */
const RANGE_MEMBERS = 2

const input = createInterface(process.stdin)
process.stdout.write('ready\n')
const [url] = (await once(input, 'line')) as [string]
input.close()
const database = createDatabase({ url, max: 2, applicationName: 'fund-kill-child', role: 'rif_app' })
const books = createFundBooks(database, APPROVED_AT)
const { fund, ledger, members } = books.services
for (const { member_id, redemption_id } of await fund.review.pending(database.db, 100))
  await books.confirm(member_id, redemption_id)
books.goTo(PAID_AT)
await fund.payouts.payDue(database.db)
books.goTo(BILLED_AT)
const { products, navs } = fund
const bills = createFundBills({
  now: books.now,
  ledger,
  members,
  products,
  navs,
  rangeMembers: RANGE_MEMBERS,
})
await bills.makeMonth(database.db, MONTH)
process.stdout.write('done\n')
await database.close()
