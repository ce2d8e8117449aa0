import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { endMonth } from './month-end.ts'

// A process that ends a month of the fund on the database whose URL comes as a line, to be killed. Says `ready` and `done`.
const input = createInterface(process.stdin)
process.stdout.write('ready\n')
const [url] = (await once(input, 'line')) as [string]
input.close()
const database = createChildDatabase({ url, max: 2, applicationName: 'fund-kill-child', role: 'rif_app' })
await endMonth(database)
process.stdout.write('done\n')
await database.close()
