import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isAddress } from 'viem'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { StartError } from '../lib/start-error.ts'
import { createPersonService } from '../modules/person/person.service.ts'
import { withBooks } from './audit.ts'

const USAGE = 'Usage: rif person export ADDRESS FILE.jsonl'
const ROWS_AT_A_TIME = 1_000
/** Only the operator who runs the command may read the file. */
const PRIVATE = 0o600

/**
 * `rif person export`: writes everything that is stored about a member, as one JSON object a line: the table, and the row with all
 * values as text. The first line names the tables that are left out, with the reasons. Reads only. Refuses to overwrite a file.
 */
export async function person(config: Config, args: string[]): Promise<number> {
  const [action, address = '', file, ...rest] = args
  if (action !== 'export' || !isAddress(address) || file === undefined || rest.length > 0)
    throw new StartError(USAGE)
  return withBooks(config, 1, async (db) => {
    const lines = await exportLines(db, address)
    const out = createWriteStream(file, { flags: 'wx', mode: PRIVATE })
    await pipeline(Readable.from(lines), out)
    process.stdout.write(`${file}: ${out.bytesWritten} bytes\n`)
    return 0
  })
}

/** Returns the lines of the export of a wallet's member. Throws StartError for a wallet of no member. */
export async function exportLines(db: Db, address: string): Promise<AsyncGenerator<string>> {
  const service = createPersonService()
  const found = await service.find(db, address)
  if (found === undefined) throw new StartError(`${address} is the wallet of no member`)
  const who = found
  return (async function* () {
    yield `${JSON.stringify({ address: who.address, member_id: `${who.memberId}`, left_out: service.leftOut })}\n`
    let cursor: string | undefined
    do {
      const { items, next } = await service.page(db, who, { cursor, limit: ROWS_AT_A_TIME })
      for (const item of items) yield `${JSON.stringify(item)}\n`
      cursor = next ?? undefined
    } while (cursor !== undefined)
  })()
}
