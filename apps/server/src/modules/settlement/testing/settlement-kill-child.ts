import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { createTestBooks } from './test-books.ts'

// Runs as a separate process, to be killed. Prints when it is ready, reads a database URL from a line,
// settles the days up to a given one there, and prints when it is done. Arguments: first day, day whose
// midnight has passed.
const [firstDay, today] = process.argv.slice(2) as [string, string]
process.stdout.write('ready\n')
const [url] = (await once(createInterface(process.stdin), 'line')) as [string]
const { db, close } = createChildDatabase({ url, max: 4, applicationName: 'settlement-kill-child' })
const books = createTestBooks({ db }, firstDay)
books.goTo(today)
await books.settlement.catchUp(0)
process.stdout.write('done\n')
await close()
process.exit(0)
