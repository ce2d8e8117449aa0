import { createLogger } from '../../../lib/logger.ts'
import { createChildDatabase } from '../../../testing/child-database.ts'
import { createLedgerService } from '../../books/ledger/ledger.service.ts'
import { createAllocation } from '../exchange.allocation.service.ts'

// Runs as a separate process, to be killed: allocates ended launches, one member at a time, and prints a line
// for each posting before it commits. Arguments: database URL, current time.
const [url, at] = process.argv.slice(2) as [string, string]
const { db, close } = createChildDatabase({ url, max: 2, applicationName: 'exchange-kill-child' })
const ledger = createLedgerService()
const allocation = createAllocation({
  db,
  now: () => new Date(at),
  log: createLogger({ level: 'silent' }),
  membersAtOnce: 1,
  ledger: {
    ...ledger,
    async postAll(dbTx, entries) {
      const posted = await ledger.postAll(dbTx, entries)
      process.stdout.write('posted\n')
      return posted
    },
  },
})
await allocation.run()
process.stdout.write('done\n')
await close()
