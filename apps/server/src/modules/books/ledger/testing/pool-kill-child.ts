import { createChildDatabase } from '../../../../testing/child-database.ts'
import { createLedgerService } from '../ledger.service.ts'
import { entry, line } from './entries.ts'

// A child process that pays into a pool, spends from it and folds it until the test kills it. It prints a
// line for each step. Arguments: database URL, name of the run.
const CLIENTS = 4
const [url, run] = process.argv.slice(2) as [string, string]
const { db } = createChildDatabase({ url, max: CLIENTS, applicationName: 'pool-kill-child' })
const ledger = createLedgerService()

async function work(client: number): Promise<never> {
  for (let i = 0; ; i++) {
    const key = `${run}/${client}/${i}`
    const memberId = BigInt(i % 5)
    await ledger.post(db, entry(`in/${key}`, 'order_payment', line(memberId, 'external>commission_pool', 3n)))
    if (i % 3 === 1)
      await ledger.post(
        db,
        entry(`out/${key}`, 'commission', line(memberId, 'commission_pool>available', 2n)),
      )
    if (i % 5 === 2) await ledger.flows.fold(db)
    process.stdout.write('step\n')
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
