import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { packOnChainId } from '../../apps/server/src/chain/onchain-id.ts'
import type { Db } from '../../apps/server/src/db/database.ts'

const CHAIN_ID = 42161
const BUYERS = 500
const PER_BLOCK = 20
/** The number of events per transaction of the floor: as many as the product applies in 100 milliseconds. */
const PER_BATCH = 100
const PAYER = `0x${'2'.repeat(40)}`

/** A source tree that is measured. */
export async function partsOf(root: string) {
  const load = (path: string) => import(join(root, path))
  const [{ applyEvents }, { servicesOn }, { createDatabase, inTx }, { migrateSimulation }] =
    await Promise.all([
      load('apps/server/src/chain/indexer/apply.ts') as Promise<
        typeof import('../../apps/server/src/chain/indexer/apply.ts')
      >,
      load('bench/kit/services.ts') as Promise<typeof import('../kit/services.ts')>,
      load('apps/server/src/db/database.ts') as Promise<
        typeof import('../../apps/server/src/db/database.ts')
      >,
      load('apps/server/src/db/simulation.ts') as Promise<
        typeof import('../../apps/server/src/db/simulation.ts')
      >,
    ])
  return { applyEvents, servicesOn, createDatabase, inTx, migrateSimulation }
}

type Parts = Awaited<ReturnType<typeof partsOf>>

/** The rates of a run, in payments per second. */
export interface PaymentRates {
  readonly product: number
  /**
   * The same rows written by bare inserts and updates. Not measured for another version, whose tables may
   * differ.
   */
  readonly floor?: number
}

/**
 * Measures the rate at which the final payments of `count` orders are applied. The orders belong to random
 * members and are paid exactly. The sponsors of the members have levels, so that commissions are due.
 */
export async function timePayments(
  { applyEvents, servicesOn, createDatabase, inTx, migrateSimulation }: Parts,
  serverUrl: string,
  count: number,
  { hasFloor }: { hasFloor: boolean },
): Promise<PaymentRates> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query('create database payments')
  const url = Object.assign(new URL(serverUrl), { pathname: '/payments' }).href
  await migrateSimulation(url)
  const database = createDatabase({ url, max: 4, applicationName: 'bench' })
  const { db } = database
  try {
    const services = servicesOn(database)
    await services.plans.ensureDefault(db)
    const ids: bigint[] = []
    await inTx(db, async (dbTx) => {
      for (let index = 0; index < BUYERS; index++) {
        const address = `0x${index.toString(16).padStart(40, '0')}`
        const sponsorId = ids[Math.floor(Math.random() * ids.length)]
        const { memberId } =
          sponsorId === undefined
            ? await services.members.createRoot(dbTx, address)
            : await services.members.join(dbTx, { address, sponsorId, side: 'auto' })
        ids.push(memberId)
      }
    })
    await sql`update members set level = member_id % 6, valid_at = case when member_id % 6 > 0 then now() end`.execute(
      db,
    )
    await sql`
      update member_levels as l set members = (select count(*) from members as m where m.level = l.level)`.execute(
      db,
    )
    await makeOrders(db, ids, count)
    const startedAt = performance.now()
    await applyEvents({
      ...{ db, chainId: CHAIN_ID, handlers: services.eventHandlers, now: services.now },
      ...{ signal: new AbortController().signal },
      onSplit: (_events: number, cause: unknown) => {
        throw cause
      },
    })
    const product = (count * 1_000) / (performance.now() - startedAt)
    const { rows } = await sql<{ paid: bigint }>`
      select count(*) as paid from orders where status = 'Paid'`.execute(db)
    if (rows[0]!.paid !== BigInt(count)) throw new Error(`${rows[0]!.paid} of ${count} orders are paid`)
    return hasFloor ? { product, floor: await timeFloor(db, count) } : { product }
  } finally {
    await database.close()
    await admin.query('drop database payments with (force)')
    await admin.end()
  }
}

/** Stores orders of random members, and the final events of their payments. */
async function makeOrders(db: Db, ids: readonly bigint[], count: number): Promise<void> {
  const buyers = Array.from({ length: count }, () => ids[Math.floor(Math.random() * ids.length)]!)
  const { rows } = await sql<{ member_id: bigint; order_id: bigint }>`
    insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
      full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at)
    select member_id, 1, 'Launch', 1, ${PAYER}, '0x', 100000000, 500000, 70000000, 60000000, false, 'UnPaid', now(),
      now() + interval '1 hour'
    from unnest(${buyers}::bigint[]) as buyer (member_id) returning member_id, order_id`.execute(db)
  await sql`
    insert into chain_cursors (chain_id, contracts, finalised_number, finalised_hash, finalised_block_at,
      applied_number, applied_block_at, head_number, polled_at)
    values (${CHAIN_ID}, '0x', 1, '0x', now(), 0, now(), 1, now())`.execute(db)
  const chainIds = rows.map((row) => `${packOnChainId(row.member_id, row.order_id)}`)
  await sql`
    insert into chain_events (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args, state)
    select ${CHAIN_ID}, 'block ' || place / ${PER_BLOCK}::integer, place % ${PER_BLOCK}::integer,
      place / ${PER_BLOCK}::integer, now(), 'tx ' || place, '0x', 'OrderPaid',
      jsonb_build_object('orderId', order_id, 'payer', ${PAYER}::text, 'usdtAmount', '70000000',
        'amcAmount', '60000000000000000000'), 'final'
    from unnest(${chainIds}::text[]) with ordinality as o (order_id, place)`.execute(db)
  await sql`analyze`.execute(db)
}

/**
 * Writes the rows that the product wrote again, into tables with the same columns and indexes but without
 * constraints. It uses set-based statements and as many rows per transaction as the product, and neither
 * reads nor computes anything.
 */
async function timeFloor(db: Db, count: number): Promise<number> {
  await sql`create schema floor`.execute(db)
  const added = ['ledger_entries', 'reward_batches', 'rewards']
  const changed = ['orders', 'chain_events', 'ledger_heads', 'members']
  for (const table of [...added, ...changed])
    await sql
      .raw(`create table floor.${table} (like ${table} including indexes including defaults)`)
      .execute(db)
  for (const table of changed) await sql.raw(`insert into floor.${table} select * from ${table}`).execute(db)
  const order = `select order_id, member_id, row_number() over (order by paid_sequence) as place, tx_hash from orders`
  await sql.raw(`create table floor.paid as ${order}`).execute(db)
  const sources = {
    ledger_entries: `select p.place, l.* from ledger_entries l join ledger_transactions t using (member_id, seq)
      join floor.paid p on t.cause_type = 'order' and t.cause_id = p.order_id::text`,
    reward_batches: `select p.place, b.* from reward_batches b
      join floor.paid p on b.batch = 'order/' || p.order_id || '/commissions'`,
    rewards: `select p.place, r.* from rewards r join floor.paid p using (order_id)`,
  }
  const inserts: string[] = []
  for (const [table, source] of Object.entries(sources)) {
    await sql.raw(`create table floor.of_${table} as ${source}`).execute(db)
    await sql.raw(`create index on floor.of_${table} (place)`).execute(db)
    const { rows } = await sql<{ columns: string }>`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(db)
    const { columns } = rows[0]!
    inserts.push(
      `insert into floor.${table} (${columns}) select ${columns} from floor.of_${table} where place between $1 and $2`,
    )
  }
  await sql`create index on floor.paid (place)`.execute(db)
  await sql`analyze`.execute(db)
  const between = 'from floor.paid as p where p.place between $1 and $2'
  const lines = 'from floor.of_ledger_entries as p where p.place between $1 and $2'
  const updates = [
    `update floor.orders as o set status = 'Paid', seen_block = 2 ${between} and o.member_id = p.member_id
      and o.order_id = p.order_id`,
    `update floor.chain_events as e set told = 'final', told_at = now() ${between} and e.tx_hash = p.tx_hash
      and e.chain_id = ${CHAIN_ID}`,
    `update floor.members as m set invested_micros = invested_micros + 1 ${between} and m.member_id = p.member_id`,
    `update floor.ledger_heads as h set seq = seq + 1, balances[1] = balances[1] + d.amount
      from (select member_id, sum(amount) as amount ${lines} group by 1) as d where h.member_id = d.member_id`,
  ]
  const startedAt = performance.now()
  for (let from = 1; from <= count; from += PER_BATCH) {
    await db.transaction().execute(async (dbTx) => {
      for (const text of [...inserts, ...updates]) await runWith(dbTx, text, [from, from + PER_BATCH - 1])
    })
  }
  return (count * 1_000) / (performance.now() - startedAt)
}

async function runWith(dbTx: Db, text: string, range: readonly [number, number]): Promise<void> {
  const [before, middle, after] = text.split(/\$[12]/) as [string, string, string]
  await sql`${sql.raw(before)}${range[0]}${sql.raw(middle)}${range[1]}${sql.raw(after)}`.execute(dbTx)
}
