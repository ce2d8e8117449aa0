import { MEMBER_ACCOUNTS } from '@rif/rules'
import type { JournalEntry, LedgerLine } from '../ledger.service.ts'

/** Creates an in-memory model of the ledger, the oracle of the property test. */
export interface Model {
  /** Returns `posted`, `known` (posted before) or the error code. */
  readonly post: (entry: JournalEntry) => string
  readonly balance: (memberId: bigint, asset: string, account: string) => bigint
  readonly pool: (account: string, asset: string) => bigint
}

const memberAccounts: ReadonlySet<string> = new Set(MEMBER_ACCOUNTS)

/** `poolsBefore` holds the initial balance of each pool (`account asset`); other accounts are not pools. */
export function createModel(poolsBefore: ReadonlyMap<string, bigint>): Model {
  let balances = new Map<string, bigint>()
  let pools = new Map(poolsBefore)
  const contents = new Map<string, string>()

  function post(entry: JournalEntry): string {
    const balancesAfter = new Map(balances)
    const poolsAfter = new Map(pools)
    const content = contentOf(entry)
    const members = [...new Set(entry.lines.map((line) => line.memberId))].sort((a, b) => (a < b ? -1 : 1))
    const storedContents = members.map((memberId) => contents.get(`${memberId} ${entry.key}`))
    if (storedContents[0] === content) return 'known'
    if (storedContents.some((item) => item !== undefined)) return 'IDEMPOTENCY_CONFLICT'
    for (const memberId of members) {
      for (const line of entry.lines.filter((line) => line.memberId === memberId)) {
        add(balancesAfter, `${memberId} ${line.asset} ${line.source}`, -line.amountMicros)
        const isMember = memberAccounts.has(line.source)
        if (isMember && balancesAfter.get(`${memberId} ${line.asset} ${line.source}`)! < 0n) {
          return 'INSUFFICIENT_BALANCE'
        }
        add(balancesAfter, `${memberId} ${line.asset} ${line.destination}`, line.amountMicros)
      }
    }
    for (const [account, asset, delta] of entry.lines.flatMap(sides)) {
      if (pools.has(`${account} ${asset}`)) add(poolsAfter, `${account} ${asset}`, delta)
    }
    if ([...poolsAfter.values()].some((amount) => amount < 0n)) return 'INSUFFICIENT_BALANCE'
    for (const memberId of members) contents.set(`${memberId} ${entry.key}`, content)
    balances = balancesAfter
    pools = poolsAfter
    return 'posted'
  }

  return {
    post,
    balance: (memberId, asset, account) => balances.get(`${memberId} ${asset} ${account}`) ?? 0n,
    pool: (account, asset) => pools.get(`${account} ${asset}`) ?? 0n,
  }
}

const contentOf = (entry: JournalEntry): string =>
  JSON.stringify([entry.kind, entry.cause, entry.lines], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )

const sides = (line: LedgerLine): [account: string, asset: string, delta: bigint][] => [
  [line.source, line.asset, -line.amountMicros],
  [line.destination, line.asset, line.amountMicros],
]

function add(sums: Map<string, bigint>, key: string, delta: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + delta)
}
