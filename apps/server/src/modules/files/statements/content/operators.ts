import { type Day, formatMicros, MEMBER_ACCOUNTS } from '@rif/rules'
import type { Db } from '../../../../db/database.ts'
import { isPoolAccount, type LedgerAccount } from '../../../books/ledger/accounts.ts'
import * as books from './books.repository.ts'
import { BooksDiffer, type Content, type Row } from './content.ts'

export const TRIAL_BALANCE_COLUMNS = ['row', 'day', 'asset', 'account', 'debit', 'credit', 'balance'] as const
export const JOURNAL_COLUMNS = [
  ...(['row', 'accounting_day', 'at', 'member', 'entry', 'key', 'kind', 'cause'] as const),
  ...(['source', 'destination', 'asset', 'amount', 'postings'] as const),
] as const

/**
 * Reports whether the ledger stores the balances of an account; those of other accounts are only sums of
 * postings.
 */
const isHeld = (account: string) =>
  (MEMBER_ACCOUNTS as readonly string[]).includes(account) || isPoolAccount(account as LedgerAccount)

/**
 * Reads a trial balance: the amounts that entered (debit) and left (credit) every account up to the end of an
 * accounting day, over all members, and the sums of each asset, whose balances are zero. If nothing was
 * posted for a later day, the balances of members' accounts and of pools are compared with the ledger's.
 */
export async function trialBalanceContent(dbTx: Db, day: Day): Promise<Content> {
  const accounts = await books.turnoverTo(dbTx, day)
  const balances = (await books.hasLater(dbTx, day)) ? null : await books.allBalances(dbTx)

  async function* rows() {
    const sums = new Map<string, { debit: bigint; credit: bigint }>()
    const shown: Row[] = []
    const seen = new Set<string>()
    for (const { account, asset, inMicros, outMicros } of accounts) {
      const sum = sums.get(asset) ?? { debit: 0n, credit: 0n }
      sums.set(asset, { debit: sum.debit + inMicros, credit: sum.credit + outMicros })
      const balance = inMicros - outMicros
      const key = `${asset} ${account}`
      if (balances !== null && isHeld(account) && (balances.get(key) ?? 0n) !== balance)
        throw new BooksDiffer(key)
      seen.add(key)
      shown.push(['account', day, asset, account, ...[inMicros, outMicros, balance].map(formatMicros)])
    }
    for (const key of balances?.keys() ?? []) if (!seen.has(key)) throw new BooksDiffer(key)
    for (const [asset, { debit, credit }] of sums) {
      if (debit !== credit) throw new BooksDiffer(`the accounts of ${asset}`)
      shown.push(['sum', day, asset, '', ...[debit, credit, debit - credit].map(formatMicros)])
    }
    if (balances !== null) shown.push(['ledger', day, '', 'balances of the ledger agree', '', '', ''])
    yield { rows: shown, done: accounts.length }
  }
  return { columns: TRIAL_BALANCE_COLUMNS, entries: accounts.length, rows: rows() }
}

/**
 * Reads the postings of all members of some accounting days, and finally the sum of each flow, which must
 * equal the ledger's daily sums.
 */
export async function journalContent(
  dbTx: Db,
  days: { readonly from: Day; readonly to: Day },
): Promise<Content> {
  const expected = await books.flowsOf(dbTx, days)
  const entries = Number(expected.reduce((sum, { postings }) => sum + postings, 0n))

  async function* rows() {
    const sums = new Map<string, { micros: bigint; postings: bigint }>()
    let done = 0
    for await (const batch of books.entriesOfDays(dbTx, days)) {
      for (const { kind, asset, source, destination, amount } of batch) {
        const key = `${kind} ${asset} ${source} ${destination}`
        const sum = sums.get(key) ?? { micros: 0n, postings: 0n }
        sums.set(key, { micros: sum.micros + amount, postings: sum.postings + 1n })
      }
      done += batch.length
      yield { rows: batch.map(journalRow), done }
    }
    for (const { kind, asset, source, destination, micros, postings } of expected) {
      const key = `${kind} ${asset} ${source} ${destination}`
      const sum = sums.get(key)
      if (sum?.micros !== micros || sum.postings !== postings) throw new BooksDiffer(key)
      sums.delete(key)
    }
    for (const key of sums.keys()) throw new BooksDiffer(key)
    yield { rows: expected.map((flow) => sumRow(days.to, flow)), done }
  }
  return { columns: JOURNAL_COLUMNS, entries, rows: rows() }
}

function journalRow(entry: books.StatementEntryRow): Row {
  return [
    'entry',
    entry.day,
    entry.at.toISOString(),
    `${entry.memberId}`,
    `${entry.seq}.${entry.line}`,
    entry.key,
    entry.kind,
    `${entry.causeType}/${entry.causeId}`,
    entry.source,
    entry.destination,
    entry.asset,
    formatMicros(entry.amount),
    '',
  ]
}

function sumRow(day: Day, { kind, asset, source, destination, micros, postings }: books.FlowSum): Row {
  return [
    'sum',
    day,
    '',
    '',
    '',
    '',
    kind,
    '',
    source,
    destination,
    asset,
    formatMicros(micros),
    `${postings}`,
  ]
}
