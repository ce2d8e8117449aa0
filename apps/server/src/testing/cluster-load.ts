import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { inDbTx } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { createServices } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { addressOf, simulatedChain } from '../simulate/simulated-chain.ts'
import { urlOf } from './cluster.ts'
import type { TestDatabase } from './test-database.ts'

const MEMBERS = 16
const CLIENTS = 8
const USDT = 1_000_000n
const GIFT_MICROS = 100_000n * USDT
/** The sum of all members, in micro-units of USDT: transfers cost nothing. */
export const LOAD_MICROS = BigInt(MEMBERS) * GIFT_MICROS

/** The addresses of a test database on the machines with members' rows. */
export const workersOf = ({ adminUrl }: TestDatabase) =>
  inject('databaseServers')
    .slice(1)
    .map((url) => urlOf(url, { pathname: new URL(adminUrl).pathname }))

/** Transfers between members that go on until they are stopped. */
export interface Transfers {
  /** Returns how many were acknowledged so far. */
  count(): number
  stop(): Promise<{ acknowledged: number; refused: number }>
  /** Returns the acknowledged ones that the database does not have. */
  lost(): Promise<readonly string[]>
}

/** Makes members with money, and has clients transfer it among all of them, or each between two of its own. */
export async function startTransfers(
  { db }: TestDatabase,
  { isApart = false, now = () => new Date() } = {},
): Promise<Transfers> {
  const services = createServices({
    ...{ db, now, chain: simulatedChain(), log: createLogger({ level: 'silent' }) },
    settings: {
      ...{ version: 'test', publicUrl: 'http://localhost', browserRpcUrl: '', explorerUrl: null },
      ...{
        confirmations: 1,
        demoWallets: null,
        signer: NO_SIGNER,
        membersSign: false,
        transfersLimited: false,
      },
    },
  })
  await services.plans.ensureDefault(db)
  const root = await inDbTx(db, (dbTx) => services.members.createRoot(dbTx, addressOf('root')))
  const members: { memberId: bigint; address: string }[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const address = addressOf(`member ${n}`)
    const { memberId } = await inDbTx(db, (dbTx) =>
      services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
    )
    const at = services.now()
    const gift = { asset: 'USDT', source: 'external', destination: 'available' } as const
    await services.ledger.post(db, {
      ...{ key: `gift/${n}`, kind: 'grant', cause: { type: 'test', id: '1' }, at },
      accountingDay: at.toISOString().slice(0, 10),
      lines: [{ memberId, ...gift, amountMicros: GIFT_MICROS }],
    })
    members.push({ memberId, address })
  }
  const acknowledged: string[] = []
  let isOver = false
  let refused = 0
  const client = async (n: number) => {
    for (let step = 0; !isOver; step++) {
      const [from, to] = isApart
        ? [members[(n + step * CLIENTS) % MEMBERS]!, members[(n + (step + 1) * CLIENTS) % MEMBERS]!]
        : [members[(n + step) % MEMBERS]!, members[(n * 3 + step * 5 + 1) % MEMBERS]!]
      if (from === to) continue
      const order = { asset: 'USDT', amountMicros: USDT, address: to.address } as const
      try {
        const { transfer_id } = await inDbTx(db, (dbTx) =>
          services.transfers.transfer(dbTx, from.memberId, order),
        )
        acknowledged.push(`${from.memberId}/${transfer_id}`)
      } catch {
        refused++
        await sleep(50)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
  return {
    count: () => acknowledged.length,
    async stop() {
      isOver = true
      await Promise.all(clients)
      return { acknowledged: acknowledged.length, refused }
    },
    async lost() {
      const { rows } = await sql<{ name: string }>`
        select member_id || '/' || transfer_id as name from transfers where direction = 'out'`.execute(db)
      const stored = new Set(rows.map(({ name }) => name))
      return acknowledged.filter((name) => !stored.has(name))
    },
  }
}

const ENTRIES = [
  ...['rewards', 'reward_days', 'reward_totals', 'member_standings', 'savings_interest', 'dividends'],
  ...['ledger_postings', 'ledger_balances', 'ledger_chain_days', 'settlement_days'],
]

/** Returns what settlement has written, without times, and numbers of which a broken attempt takes some. */
export async function entriesOf({ db }: TestDatabase): Promise<unknown[]> {
  const found: unknown[] = []
  for (const table of ENTRIES) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    const texts = rows.map((row) =>
      JSON.stringify(row, (name, value) =>
        /_at$|^reward_id$/.test(name) ? undefined : typeof value === 'bigint' ? `${value}` : value,
      ),
    )
    found.push(table, texts.sort())
  }
  return found
}
