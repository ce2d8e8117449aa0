import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { personChoice, walletAddress } from '@rif/api-schema'
import { getAddress, type Hex, isAddress } from 'viem'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { StartError } from '../lib/start-error.ts'
import { createLedgerService } from '../modules/books/ledger/ledger.service.ts'
import { createErasures, type ErasureHold } from '../modules/files/person/person.erasure.service.ts'
import { createPersonService, type Person } from '../modules/files/person/person.service.ts'
import { KEPT_BECAUSE } from '../modules/files/person/personal-data.ts'
import { createAdminLogService } from '../modules/operators/admin-log/admin-log.service.ts'
import { createAdminsService } from '../modules/operators/admins/admins.service.ts'
import { withBooks } from './audit.ts'
import { usageOf } from './usage.ts'

const USAGE = usageOf('person')
const ROWS_AT_A_TIME = 1_000
/** Only the operator who runs the command may read the file. */
const PRIVATE = 0o600

/**
 * Runs `rif person`: exports the stored data about a member, erases data that the books do not need, and
 * lists the erasure requests. Lists the persons with a role, and appoints an owner while fewer than two persons are.
 */
export async function person(config: Config, args: string[]): Promise<number> {
  const [action, ...rest] = args
  switch (action) {
    case 'export':
      return exportTo(config, rest)
    case 'erase':
      return erase(config, rest)
    case 'requests':
      if (rest.length > 0) throw new StartError(USAGE)
      return withBooks(config, 1, async (db) => print(await requestLines(db)))
    case 'list':
      if (rest.length > 0) throw new StartError(USAGE)
      return withBooks(config, 1, async (db) => print(await personLines(db)))
    case 'appoint':
      return appoint(config, rest)
    default:
      throw new StartError(USAGE)
  }
}

/** Appoints a new person as the second owner. */
async function appoint(config: Config, [address = '', name, ...rest]: string[]): Promise<number> {
  const isWallet = isAddress(address) && walletAddress.safeParse(address).success
  if (!isWallet || name === undefined || rest.length > 0) throw new StartError(USAGE)
  return withBooks(config, 1, async (db) => print(await appointLines(db, { address, name })))
}

/**
 * Appoints a new person as owner while fewer than two persons are owners, and returns the text to print. Throws
 * StartError while two are, and for a name or a wallet that the product refuses.
 */
export async function appointLines(
  db: Db,
  { address, name }: { address: string; name: string },
): Promise<string[]> {
  const choice = personChoice.safeParse({ new_name: name })
  if (!choice.success || !('new_name' in choice.data))
    throw new StartError('the name must have 1 to 60 visible characters')
  await adminsOf()
    .appointMissingOwner(db, { address, name: choice.data.new_name })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw new StartError(REFUSED[error.code] ?? error.code, { cause: error })
    })
  return personLines(db)
}

const REFUSED: Readonly<Record<string, string>> = {
  PERSON_ON_RECORD: 'the name looks like that of a person on record',
  WALLET_OF_ANOTHER: 'the wallet belongs to a person on record',
}

/** Returns the persons on record by number, each with the wallets that have a role, as lines to print. */
export async function personLines(db: Db): Promise<string[]> {
  const admins = adminsOf()
  const [persons, list] = await Promise.all([admins.persons(db), admins.list(db)])
  return persons.flatMap(({ personId, name }) => [
    `${personId}: ${name}`,
    ...list
      .filter((admin) => admin.personId === personId)
      .map(({ address, role }) => `  ${getAddress(address as Hex)}: ${role}`),
  ])
}

function adminsOf() {
  const now = () => new Date()
  return createAdminsService({ now, adminLog: createAdminLogService({ now }) })
}

/**
 * Writes all stored data about a member, as one JSON object per line: the table, and the row with all values
 * as text. The first line lists the omitted tables, with the reasons. Reads only. Refuses to overwrite a
 * file.
 */
async function exportTo(config: Config, [address = '', file, ...rest]: string[]): Promise<number> {
  if (!isAddress(address) || file === undefined || rest.length > 0) throw new StartError(USAGE)
  return withBooks(config, 1, async (db) => {
    const lines = await exportLines(db, address)
    const out = createWriteStream(file, { flags: 'wx', mode: PRIVATE })
    await pipeline(Readable.from(lines), out)
    process.stdout.write(`${file}: ${out.bytesWritten} bytes\n`)
    return 0
  })
}

/** Erases at once with `--yes`; otherwise prints the data to be erased and kept, and changes nothing. */
async function erase(config: Config, args: string[]): Promise<number> {
  const { address, isDryRun } = eraseOptions(args)
  return withBooks(config, 2, async (db) => print(await eraseLines(db, { address, isDryRun })))
}

function eraseOptions(args: string[]): { address: string; isDryRun: boolean } {
  const options = { 'dry-run': { type: 'boolean' }, yes: { type: 'boolean' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [address = '', ...rest] = positionals
    if (isAddress(address) && rest.length === 0)
      return { address, isDryRun: values['dry-run'] === true || values.yes !== true }
  } catch {
    // An unknown option is reported in the same line.
  }
  throw new StartError(USAGE)
}

function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

const HOLDS: Readonly<Record<ErasureHold, string>> = {
  checked: 'the member is frozen or flagged: end the check first',
  making_statement: 'a statement of the member is being made: try again in a minute',
}

/**
 * Erases the data of a wallet's member, or counts the rows to erase, and returns the text to print. Throws
 * StartError for a wallet without a member, and while operators are checking the account or a statement is
 * being made.
 */
export async function eraseLines(
  db: Db,
  { address, isDryRun }: { address: string; isDryRun: boolean },
): Promise<string[]> {
  const who = await personOf(db, address)
  const erasures = erasuresOf(db)
  const counts = Object.entries(await erasures.preview(who)).map(([table, count]) => `  ${table}: ${count}`)
  const kept = Object.values(KEPT_BECAUSE).map((reason) => `  ${reason}`)
  const { balances, open } = await erasures.view(who)
  const holdings = [
    ...balances.map(({ asset, amount }) => `  ${amount} ${asset}`),
    ...open.map(({ what, count }) => `  open ${what}: ${count}`),
  ]
  const facts = [
    'Rows to erase:',
    ...counts,
    'Stays:',
    ...kept,
    'Held and open, which is not touched:',
    ...holdings,
  ]
  if (isDryRun) return [...facts, 'Nothing was changed. To erase it: the same command with --yes']
  const erased = await erasures.eraseNow(who)
  if (typeof erased === 'string') throw new StartError(HOLDS[erased])
  return [...facts, `Erased: ${erased} row(s). Backups keep them until they expire.`]
}

/** Returns the open erasure requests, first due first, as lines to print. */
export async function requestLines(db: Db): Promise<string[]> {
  const queue = await erasuresOf(db).queue()
  return [
    `${queue.length} open request(s)`,
    ...queue.map(({ address, requestedAt, dueAt, onHold }) => {
      const hold = onHold ? ', waits for the end of a check' : ''
      return `  ${address}: requested ${requestedAt.toISOString()}, due ${dueAt.toISOString()}${hold}`
    }),
  ]
}

function erasuresOf(db: Db) {
  const now = () => new Date()
  return createErasures({ db, now, ledger: createLedgerService(), adminLog: createAdminLogService({ now }) })
}

async function personOf(db: Db, address: string): Promise<Person> {
  const person = await createPersonService().find(db, address)
  if (person === undefined) throw new StartError(`${address} is the wallet of no member`)
  return person
}

/** Returns the lines of the export of a wallet's member. Throws StartError for a wallet without a member. */
export async function exportLines(db: Db, address: string): Promise<AsyncGenerator<string>> {
  const service = createPersonService()
  const who = await personOf(db, address)
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
