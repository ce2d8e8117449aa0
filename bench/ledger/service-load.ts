import { type Db, inTx } from '../../apps/server/src/db/database.ts'
import {
  createLedgerService,
  type JournalEntry,
} from '../../apps/server/src/modules/books/ledger/ledger.service.ts'

const ledger = createLedgerService()

/** Creates the n-th transaction of a load. */
export type Load = (key: string) => JournalEntry

let measurements = 0

/**
 * Measures the transactions per second that the ledger service posts for several clients, each of which waits
 * for its response. They post as the operations of API calls do: under the locks of their members' heads.
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
  await Promise.all(Array.from({ length: clients }, (_, name) => client(name)))
  return (posted * 1000) / (performance.now() - start)
}

function post(db: Db, entry: JournalEntry): Promise<unknown> {
  const memberIds = [...new Set(entry.lines.map(({ memberId }) => memberId))]
  return inTx(db, async (dbTx) => {
    await ledger.lock(dbTx, { memberIds })
    await ledger.post(dbTx, entry)
  })
}

const entry = (key: string, kind: JournalEntry['kind'], lines: JournalEntry['lines']): JournalEntry => {
  const at = new Date()
  const accountingDay = at.toISOString().slice(0, 10)
  return { key, kind, lines, at, accountingDay, cause: { type: 'bench', id: '1' } }
}

const random = (below: number) => Math.floor(Math.random() * below)

/** Moves one micro-unit from one random member to another. */
export const transfers =
  (members: number): Load =>
  (key) => {
    const from = BigInt(1 + random(members))
    const to = 1n + ((from + BigInt(random(members - 1))) % BigInt(members))
    const moved = { asset: 'USDT', amountMicros: 1n } as const
    return entry(key, 'transfer', [
      { ...moved, memberId: from, source: 'available', destination: 'clearing' },
      { ...moved, memberId: to, source: 'clearing', destination: 'available' },
    ])
  }

/**
 * Pays into a pool. Such payments are appended to it; only a transaction that spends from it locks its row.
 */
export const poolPayments =
  (members: number): Load =>
  (key) => {
    const paid = { memberId: BigInt(1 + random(members)), asset: 'USDT', amountMicros: 1n } as const
    return entry(key, 'order_payment', [
      { ...paid, source: 'external', destination: 'commission_pool' },
      { ...paid, source: 'external', destination: 'revenue' },
    ])
  }
