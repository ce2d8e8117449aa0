import {
  type Asset,
  addDays,
  type Day,
  formatMicros,
  MEMBER_ACCOUNTS,
  type Micros,
  startOfDay,
} from '@rif/rules'
import type { Db } from '../../../../db/database.ts'
import type { Balance, StatementEntryRow } from './books.repository.ts'
import * as books from './books.repository.ts'
import { BooksDiffer, type Content, type Row } from './content.ts'
import type { Others } from './others.ts'

export const ACCOUNT_COLUMNS = [
  ...(['row', 'at', 'accounting_day', 'entry', 'kind', 'counterparty', 'name', 'cause'] as const),
  ...(['account', 'asset', 'amount', 'balance'] as const),
] as const

const OWN: ReadonlySet<string> = new Set(MEMBER_ACCOUNTS)

/** Returns the time of some UTC days. */
export const spanOf = ({ from, to }: { from: Day; to: Day }) => ({
  from: new Date(startOfDay(from)),
  until: new Date(startOfDay(addDays(to, 1))),
})

/** Balances by account and asset, updated entry by entry. */
export class RunningBalances {
  private readonly sums = new Map<string, Micros>()

  constructor(opening: readonly Balance[] = []) {
    for (const { account, asset, micros } of opening) this.add(account, asset, micros)
  }

  add(account: string, asset: string, delta: Micros): Micros {
    const key = `${asset} ${account}`
    const sum = (this.sums.get(key) ?? 0n) + delta
    this.sums.set(key, sum)
    return sum
  }

  /** Returns all balances, ordered by asset and account. */
  all(): [asset: string, account: string, sum: Micros][] {
    return [...this.sums]
      .map(([key, sum]) => {
        const [asset = '', account = ''] = key.split(' ')
        return [asset, account, sum] as [string, string, Micros]
      })
      .sort(([asset, account], [otherAsset, otherAccount]) =>
        asset === otherAsset ? (account < otherAccount ? -1 : 1) : asset < otherAsset ? -1 : 1,
      )
  }

  /** Throws a BooksDiffer unless the balances equal the ledger's. */
  check(ledger: readonly Balance[]): void {
    const rest = new RunningBalances(ledger)
    for (const [asset, account, sum] of this.all()) rest.add(account, asset, -sum)
    const [asset, account, difference] = rest.all().find(([, , sum]) => sum !== 0n) ?? []
    if (asset !== undefined) throw new BooksDiffer(`${account} ${asset} by ${difference}`)
  }
}

/** Returns the ledger's balances at a time: the current ones less later changes. */
export async function ledgerBalances(dbTx: Db, memberId: bigint, at: Date): Promise<Balance[]> {
  const sums = new RunningBalances(await books.balancesAt(dbTx, memberId))
  for (const { account, asset, micros } of await books.changesOf(dbTx, memberId, { from: at, until: null }))
    sums.add(account, asset, -micros)
  return sums.all().map(([asset, account, micros]) => ({ asset, account, micros }) as Balance)
}

/**
 * Reads a member's account over some UTC days: opening balances, a row for each change of an own account with
 * the resulting balance, closing balances, and the ledger's own closing balances, which must be equal.
 * Opening balances are the sums of all earlier postings, so the closing ones are recomputed from every
 * posting of the member.
 */
export async function accountContent(
  deps: { readonly others: Others },
  dbTx: Db,
  memberId: bigint,
  days: { readonly from: Day; readonly to: Day },
): Promise<Content> {
  const span = spanOf(days)
  const opening = await books.changesOf(dbTx, memberId, { from: null, until: span.from })
  const closing = await ledgerBalances(dbTx, memberId, span.until)
  const entries = Number(await books.countEntryChanges(dbTx, memberId, span))

  async function* rows() {
    const balances = new RunningBalances(opening)
    yield { rows: balances.all().map((balance) => balanceRow('opening', days.from, balance)), done: 0 }
    let done = 0
    for await (const batch of books.entriesOf(dbTx, memberId, span)) {
      const other = await deps.others(dbTx, memberId, batch)
      const changes = batch.flatMap((entry) => changeRows(entry, balances, other(entry)))
      done += changes.length
      yield { rows: changes, done }
    }
    balances.check(closing)
    const runningBalances = new RunningBalances(closing)
    // The ledger omits zero balances.
    for (const [asset, account] of balances.all()) runningBalances.add(account, asset, 0n)
    yield {
      rows: [
        ...balances.all().map((balance) => balanceRow('closing', days.to, balance)),
        ...runningBalances.all().map((balance) => balanceRow('ledger', days.to, balance)),
      ],
      done,
    }
  }
  return { columns: ACCOUNT_COLUMNS, entries, rows: rows() }
}

function changeRows(
  entry: StatementEntryRow,
  balances: RunningBalances,
  other: { address: string; name: string },
): Row[] {
  const row = (account: string, counterpart: string, delta: Micros): Row => [
    'entry',
    entry.at.toISOString(),
    entry.day,
    `${entry.seq}.${entry.line}`,
    entry.kind,
    other.address || counterpart,
    other.name,
    `${entry.causeType}/${entry.causeId}`,
    account,
    entry.asset,
    formatMicros(delta),
    formatMicros(balances.add(account, entry.asset, delta)),
  ]
  const { source, destination, amount } = entry
  return [
    ...(OWN.has(source) ? [row(source, destination, -amount)] : []),
    ...(OWN.has(destination) ? [row(destination, source, amount)] : []),
  ]
}

function balanceRow(
  type: 'opening' | 'closing' | 'ledger',
  day: Day,
  [asset, account, sum]: readonly [asset: Asset | string, account: string, sum: Micros],
): Row {
  return [type, '', day, '', '', '', '', '', account, asset, '', formatMicros(sum)]
}
