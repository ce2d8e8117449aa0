import { createDatabase } from '../../apps/server/src/db/database.ts'
import { servicesOn } from '../kit/services.ts'

// Makes one file in a process of its own, as a worker does, and prints seconds, peak memory in MB and bytes as JSON.
const [url = '', memberId = '', kind = 'account', format = 'csv', from = '', to = ''] = process.argv.slice(2)
const database = createDatabase({ url, max: 4, applicationName: 'bench-statements' })
const { statements } = servicesOn(database)
const owner = { memberId: BigInt(memberId) }
const request = {
  kind: kind as 'account' | 'tax',
  format: format as 'csv' | 'pdf',
  from,
  to,
  locale: 'ja' as const,
}
const begun = performance.now()
const { statement_id } = await statements.request(database.db, owner, request)
await statements.makeNext(database.db)
const seconds = (performance.now() - begun) / 1_000
const { step, failure, file, entries } = await statements.get(database.db, owner, BigInt(statement_id))
if (step !== 'done' || file === null) throw new Error(`the file is ${step}: ${failure}`)
const memoryMb = process.resourceUsage().maxRSS / 1_024
console.log(JSON.stringify({ seconds, memoryMb, bytes: file.size, entries }))
await statements.remove(database.db, owner, BigInt(statement_id))
await database.close()
process.exit(0)
