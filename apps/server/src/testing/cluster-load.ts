import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { inTx } from '../db/database.ts'
import { OWNER_ROLE } from '../db/roles.ts'
import { createLogger } from '../lib/logger.ts'
import { createServices } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { addressOf, simulatedChain } from '../simulate/simulated-chain.ts'
import { TABLE_CLASSES } from '../tables.ts'
import { onServers, urlOf } from './cluster.ts'
import type { TestDatabase } from './test-database.ts'

const MEMBERS = 16
const CLIENTS = 8
/** Each client makes every third operation a transfer into savings. */
const SAVINGS_EVERY = 3
const USDT = 1_000_000n
const GIFT_MICROS = 100_000n * USDT

/** The addresses of a test database on the machines with members' rows. */
export const workersOf = ({ adminUrl }: TestDatabase) =>
  inject('databaseServers')
    .slice(1)
    .map((url) => urlOf(url, { pathname: new URL(adminUrl).pathname }))

/**
 * Creates a database as in production, where the owner of the tables may also create those of a moved shard.
 */
export async function movable(database: TestDatabase): Promise<TestDatabase> {
  const name = new URL(database.adminUrl).pathname.slice(1)
  await onServers(inject('databaseServers'), `alter database ${name} owner to ${OWNER_ROLE}`)
  return database
}

/** Transfers between members and into their savings that continue until they are stopped. */
export interface Load {
  /** Returns the number of acknowledged operations so far. */
  count(): number
  stop(): Promise<{ acknowledged: number; refused: number }>
  /** Returns the acknowledged operations that are missing in the database. */
  lost(): Promise<readonly string[]>
}

/**
 * Creates members with money, and starts clients that transfer it among all of them, or each between two of
 * its own, and into savings.
 */
export async function startLoad(
  { db }: TestDatabase,
  { isApart = false, now = () => new Date() } = {},
): Promise<Load> {
  const services = createServices({
    db,
    now,
    chain: simulatedChain(),
    log: createLogger({ level: 'silent' }),
    settings: {
      version: 'test',
      publicUrl: 'http://localhost',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
      membersSign: false,
      transfersLimited: false,
    },
  })
  await services.plans.ensureDefault(db)
  const root = await inTx(db, (dbTx) => services.members.createRoot(dbTx, addressOf('root')))
  const members: { memberId: bigint; address: string }[] = []
  for (let n = 0; n < MEMBERS; n++) {
    const address = addressOf(`member ${n}`)
    const { memberId } = await inTx(db, (dbTx) =>
      services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
    )
    const at = services.now()
    const gift = { asset: 'USDT', source: 'external', destination: 'available' } as const
    await services.ledger.post(db, {
      key: `gift/${n}`,
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      at,
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
      const { memberId } = from
      try {
        if (step % SAVINGS_EVERY === 0) {
          const saved = await inTx(db, (dbTx) => services.savings.transferIn(dbTx, memberId, order))
          acknowledged.push(`savings ${memberId}/${saved.transfer_id}`)
        } else {
          const sent = await services.transfers.send(db, memberId, order)
          acknowledged.push(`${memberId}/${sent.transfer_id}`)
        }
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
        select member_id || '/' || transfer_id as name from transfers where direction = 'out'
        union all select 'savings ' || member_id || '/' || transfer_id from savings_transfers`.execute(db)
      const stored = new Set(rows.map(({ name }) => name))
      return acknowledged.filter((name) => !stored.has(name))
    },
  }
}

/** Returns the shards that contain rows of members of another shard. */
export async function misplaced({ adminDb }: TestDatabase): Promise<readonly string[]> {
  const shards: string[] = []
  for (const table of Object.keys(TABLE_CLASSES)) {
    if (TABLE_CLASSES[table] !== 'distributed') continue
    const hashes = `select concat_ws(' ', min(hashint8(member_id)), max(hashint8(member_id))) from %s`
    const { rows } = await sql<{ id: string; from: string; to: string; result: string }>`
      select shardid::text as id, shardminvalue as "from", shardmaxvalue as "to", result
      from run_command_on_shards(${table}, ${hashes}) join pg_dist_shard using (shardid)`.execute(adminDb)
    expect(rows.length).toBeGreaterThan(0)
    for (const { id, from, to, result } of rows) {
      const [min, max] = result.split(' ').map(Number)
      if (max !== undefined && (min! < Number(from) || max > Number(to))) shards.push(`${table}_${id}`)
    }
  }
  return shards
}

const ENTRIES = [
  'rewards',
  'reward_days',
  'reward_totals',
  'member_standings',
  'savings_interest',
  'dividends',
  'ledger_postings',
  'ledger_balances',
  'ledger_chain_days',
  'settlement_days',
]

/**
 * Returns the rows that settlement has written, without times and without numbers of which an interrupted
 * attempt uses some.
 */
export async function entriesOf({ db }: TestDatabase): Promise<unknown[]> {
  const entries: unknown[] = []
  for (const table of ENTRIES) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    const texts = rows.map((row) =>
      JSON.stringify(row, (name, value) =>
        /_at$|^reward_id$/.test(name) ? undefined : typeof value === 'bigint' ? `${value}` : value,
      ),
    )
    entries.push(table, texts.sort())
  }
  return entries
}
