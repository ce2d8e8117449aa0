import { type Db, inMemberTx } from '../../apps/server/src/db/database.ts'
import { forAll } from '../../apps/server/src/db/lanes.ts'
import {
  createLedgerService,
  type JournalEntry,
} from '../../apps/server/src/modules/ledger/ledger.service.ts'

const ledger = createLedgerService()

/** Makes the n-th transaction of a load. */
export type Load = (key: string) => JournalEntry

let measurements = 0

/**
 * Transactions per second that the ledger service posts for some clients, each waiting for its answer, as the operations of calls do: under
 * the lock of their members' heads, in transactions that operations of the same moment share.
 */
export async function measureService(db: Db, load: Load, clients: number, seconds: number): Promise<number> {
  const run = `bench/${process.pid}/${++measurements}`
  const start = performance.now()
  const end = start + seconds * 1000
  let posted = 0
  const client = async (name: number) => {
    for (let n = 0; performance.now() < end; n++) {
      await post(db, load(`${run}/${name}/${n}`))
      posted++
    }
  }
  await forAll('writes', () => Promise.all(Array.from({ length: clients }, (_, name) => client(name))))
  return (posted * 1000) / (performance.now() - start)
}

function post(db: Db, entry: JournalEntry): Promise<void> {
  const memberIds = [...new Set(entry.lines.map(({ memberId }) => memberId))]
  const [memberId, ...others] = memberIds as [bigint]
  return inMemberTx(db, { memberId, findOthers: async () => others }, async (dbTx) => {
    await ledger.lockHeads(dbTx, memberIds)
    await ledger.postWith(dbTx, entry, [])
  })
}

const entry = (key: string, kind: JournalEntry['kind'], lines: JournalEntry['lines']): JournalEntry => {
  const at = new Date()
  return {
    ...{ key, kind, lines, at },
    ...{ cause: { type: 'bench', id: '1' }, accountingDay: at.toISOString().slice(0, 10) },
  }
}

const random = (below: number) => Math.floor(Math.random() * below)

/** One micro-unit from a random member to another. */
export const transfers =
  (members: number): Load =>
  (key) => {
    const from = 1 + random(members)
    const to = 1 + ((from + random(members - 1)) % members)
    return entry(key, 'transfer', [
      {
        ...{ memberId: BigInt(from), asset: 'USDT', amountMicros: 1n },
        ...{ source: 'available', destination: 'clearing' },
      },
      {
        ...{ memberId: BigInt(to), asset: 'USDT', amountMicros: 1n },
        ...{ source: 'clearing', destination: 'available' },
      },
    ])
  }

/** A random member's withdrawal is paid: two lines too, one of them into the operator's one account `fees`. */
export const feePayments =
  (members: number): Load =>
  (key) => {
    const memberId = BigInt(1 + random(members))
    return entry(key, 'withdrawal_paid', [
      { memberId, asset: 'USDT', amountMicros: 1n, source: 'withdrawing', destination: 'external' },
      { memberId, asset: 'USDT', amountMicros: 1n, source: 'withdrawing', destination: 'fees' },
    ])
  }

/** Payments into a pool, which are appended to it: only who spends locks its row. */
export const poolPayments =
  (members: number): Load =>
  (key) => {
    const memberId = BigInt(1 + random(members))
    return entry(key, 'order_payment', [
      { memberId, asset: 'USDT', amountMicros: 1n, source: 'external', destination: 'commission_pool' },
      { memberId, asset: 'USDT', amountMicros: 1n, source: 'external', destination: 'revenue' },
    ])
  }
