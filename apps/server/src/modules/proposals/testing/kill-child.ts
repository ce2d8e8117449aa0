import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { decideAll } from './kill.ts'

// A process that decides on all proposals of the database whose URL comes as a line, and carries out what is due, to be
// killed. Says `ready` and `done`.
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
