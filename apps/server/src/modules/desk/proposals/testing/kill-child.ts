import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../../testing/child-database.ts'
import { decideAll } from './kill.ts'

// A process, to be killed, that decides all proposals of the database whose URL it reads from a line, and
// applies the due ones. Prints `ready` and `done`.
const input = createInterface(process.stdin)
process.stdout.write('ready\n')
const [line] = (await once(input, 'line')) as [string]
input.close()
const { url, aheadMs } = JSON.parse(line) as { url: string; aheadMs: number }
const database = createChildDatabase({
  url,
  max: 2,
  applicationName: 'proposals-kill-child',
  role: 'rif_app',
})
await decideAll(database.db, aheadMs)
process.stdout.write('done\n')
await database.close()
