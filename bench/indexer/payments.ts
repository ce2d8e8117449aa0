import { sql } from 'kysely'
import pg from 'pg'
import { applyEvents } from '../../apps/server/src/chain/indexer/apply.ts'
import { packOnChainId } from '../../apps/server/src/chain/onchain-id.ts'
import { createDatabase, type Db, inTx } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { servicesOn } from '../kit/services.ts'

const CHAIN_ID = 42161
const BUYERS = 500
const PER_BLOCK = 20
const PAYER = `0x${'2'.repeat(40)}`

/**
 * Measures the rate at which the final payments of `count` orders are applied, in payments per second. The orders belong to random
 * members and are paid exactly. The sponsors of the members have levels, so that commissions are due.
 */
export async function timePayments(serverUrl: string, count: number): Promise<number> {
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
      db,
      chainId: CHAIN_ID,
      handlers: services.eventHandlers,
      now: services.now,
      signal: new AbortController().signal,
      onSplit: (_events: number, cause: unknown) => {
        throw cause
      },
    })
    const rate = (count * 1_000) / (performance.now() - startedAt)
    const { rows } = await sql<{ paid: bigint }>`
      select count(*) as paid from orders where status = 'Paid'`.execute(db)
    if (rows[0]!.paid !== BigInt(count)) throw new Error(`${rows[0]!.paid} of ${count} orders are paid`)
    return rate
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
