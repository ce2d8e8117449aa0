import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { endMonth } from './month-end.ts'

// Ends a month of the fund on the database whose URL it reads from a line, to be killed. Prints `ready` and
// `done`.
const input = createInterface(process.stdin)
process.stdout.write('ready\n')
const [url] = (await once(input, 'line')) as [string]
input.close()
const database = createChildDatabase({ url, max: 2, applicationName: 'fund-kill-child', role: 'rif_app' })
await endMonth(database)
process.stdout.write('done\n')
await database.close()
