import { createDatabase } from '../../db/database.ts'
import { createTestBooks } from './settlement.fixture.ts'

// Run as a process of its own, to be killed: settles the days up to a given one, and prints a line when it begins.
// Arguments: database URL, first day, day whose midnight has passed.
const [url, firstDay, today] = process.argv.slice(2) as [string, string, string]
const { db, close } = createDatabase({ url, max: 4, applicationName: 'settlement-kill-child' })
const books = createTestBooks({ db }, firstDay)
books.goTo(today)
await books.settlement.nextToSettle()
process.stdout.write('begun\n')
await books.settlement.catchUp(0)
process.stdout.write('done\n')
await close()
