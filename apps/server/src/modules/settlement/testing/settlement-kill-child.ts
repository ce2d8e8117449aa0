import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { createTestBooks } from './test-books.ts'

// Run as a process of its own, to be killed. Says when it is ready, waits for a line with the URL of a database, settles
// there the days up to a given one, and says when it is done. Arguments: first day, day whose midnight has passed.
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
