import { createChildDatabase } from '../../../../testing/child-database.ts'
import { createLedgerService } from '../ledger.service.ts'
import { transfer } from './entries.ts'

// A child process that the test kills. It posts a fixed list of transfers from the start, without any record
// of earlier progress, and prints a line for each. Arguments: database URL, number of transfers.
const CLIENTS = 4
const [url, total] = process.argv.slice(2) as [string, string]
const { db, close } = createChildDatabase({ url, max: CLIENTS, applicationName: 'ledger-kill-child' })
const ledger = createLedgerService()

async function work(client: number): Promise<void> {
  for (let i = client; i < Number(total); i += CLIENTS) {
    const { posted } = await ledger.post(
      db,
      transfer(`kill/${i}`, BigInt(i % 5), BigInt(5 + (i % 7)), BigInt(i + 1)),
    )
    process.stdout.write(posted ? 'posted\n' : 'known\n')
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
await close()
