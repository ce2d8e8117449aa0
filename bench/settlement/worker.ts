import { nextDay } from '@rif/rules'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { FIRST_DAY, RANGE_MEMBERS } from './books.ts'

// A separate process, so that the measured memory is that of the worker: settles a day, and prints the
// duration in seconds and the peak memory as JSON. Arguments: database URL, day.
const [url, day] = process.argv.slice(2) as [string, string]
const database = createDatabase({ url, max: 4, applicationName: 'rif-bench-worker' })
const books = createTestBooks(database, FIRST_DAY, RANGE_MEMBERS)
books.goTo(nextDay(day))
const begun = performance.now()
await books.settlement.settle(day)
const seconds = (performance.now() - begun) / 1_000
await database.close()
const memoryMb = process.resourceUsage().maxRSS / 1_024
process.stdout.write(`${JSON.stringify({ seconds, memoryMb })}\n`)
