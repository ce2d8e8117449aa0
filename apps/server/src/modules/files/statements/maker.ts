import { getAddress, type Hex } from 'viem'
import { type Db, inWritableSnapshot } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { BYTE_ORDER_MARK, csvOf } from '../../../lib/csv.ts'
import { AppError } from '../../../lib/errors.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import { accountContent } from './content/account.ts'
import type { Content, Row } from './content/content.ts'
import { journalContent, trialBalanceContent } from './content/operators.ts'
import { createOthers, type OthersDeps } from './content/others.ts'
import { taxContent } from './content/tax.ts'
import { printStatement } from './print/statement-printer.ts'
import type { StatementRow } from './statements.repository.ts'
import * as repository from './statements.repository.ts'
import { createFileWriter } from './writer.ts'

export interface MakerDeps extends OthersDeps {
  readonly now: Now
  readonly pricing: Pick<PricingService, 'dailyPrices'>
}

/** The maximum number of entries of a PDF: about 400 pages. */
export const PDF_LIMIT = 20_000

/** Receives the progress of a file. Throws to stop it. */
export type MakerProgress = (done: number, entries: number) => void

/** Creates the function that makes a file and stores it. */
export function createStatementMaker(deps: MakerDeps) {
  const others = createOthers(deps)
  /** Operators do not see the names that a member gave to others. */
  const namelessOthers: typeof others = async (db, memberId, entries) => {
    const other = await others(db, memberId, entries)
    return (entry) => ({ address: other(entry).address, name: '' })
  }

  function contentOf(dbTx: Db, row: StatementRow): Promise<Content> {
    switch (row.kind) {
      case 'account':
        return accountContent({ ...deps, others }, dbTx, row.memberId!, row)
      case 'customer':
        return accountContent({ ...deps, others: namelessOthers }, dbTx, row.customerId!, row)
      case 'tax':
        return taxContent(deps, dbTx, row.memberId!, row)
      case 'trial_balance':
        return trialBalanceContent(dbTx, row.to)
      case 'journal':
        return journalContent(dbTx, row)
    }
  }

  /** Returns the rows of a file to print. Throws STATEMENT_TOO_LONG. */
  async function collect(content: Content, progress: MakerProgress): Promise<Row[]> {
    if (content.entries > PDF_LIMIT) throw new AppError('STATEMENT_TOO_LONG', { entries: content.entries })
    const all: Row[] = []
    for await (const { rows, done } of content.rows) {
      all.push(...rows)
      progress(done, content.entries)
    }
    return all
  }

  async function addressOf(dbTx: Db, { memberId, customerId }: StatementRow): Promise<string | null> {
    const owner = customerId ?? memberId
    if (owner === null) return null
    const address = (await deps.members.addresses(dbTx, [owner])).get(owner)
    return address === undefined ? null : getAddress(address as Hex)
  }

  /**
   * Makes a file from one snapshot of the ledger and stores it, all in one transaction: if the process dies,
   * nothing is stored. Throws STATEMENT_TOO_LONG, errors of `progress`, and a BooksDiffer if the file does
   * not add up to the ledger.
   */
  return async (db: Db, row: StatementRow, progress: MakerProgress): Promise<void> => {
    const { statementId } = row
    await inWritableSnapshot(db, async (dbTx) => {
      const content = await contentOf(dbTx, row)
      const writer = createFileWriter(dbTx, statementId)
      progress(0, content.entries)
      if (row.format === 'pdf') {
        const rows = await collect(content, progress)
        const address = await addressOf(dbTx, row)
        const { kind, locale, from, to } = row
        const madeAt = deps.now().toISOString()
        await writer.writeAll(
          await printStatement({
            statementId: `${statementId}`,
            kind,
            locale,
            from,
            to,
            madeAt,
            address,
            rows,
          }),
        )
      } else {
        await writer.write(BYTE_ORDER_MARK + csvOf([content.columns]))
        for await (const { rows, done } of content.rows) {
          await writer.write(csvOf(rows))
          progress(done, content.entries)
        }
      }
      const file = await writer.end()
      const { entries } = content
      await repository.insertFile(dbTx, { statementId, filename: filenameOf(row), entries, ...file })
    })
  }
}

function filenameOf({ kind, format, from, to, customerId }: StatementRow): string {
  const name = kind.replace('_', '-')
  const whose = customerId === null ? '' : `-${customerId}`
  const days = kind === 'tax' ? from.slice(0, 4) : kind === 'trial_balance' ? to : `${from}-${to}`
  return `${name}${whose}-${days}.${format}`
}
