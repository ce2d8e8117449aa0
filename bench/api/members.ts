import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, inTx } from '../../apps/server/src/db/database.ts'
import type { Services } from '../../apps/server/src/services.ts'

/** The members that call the API in a benchmark. */
export interface Caller {
  readonly memberId: bigint
  readonly address: string
  readonly token: string
}

const PER_TRANSACTION = 250
const LEVELS = 5
const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

/**
 * Grows the tree to `count` members through the members' service. Each is sponsored by a random earlier member, on a
 * random side, and every second one has a package. Returns the ids of all members.
 */
export async function growTree(services: Services, ids: bigint[], count: number): Promise<void> {
  const { db, members } = services
  if (ids.length === 0) {
    const root = await inTx(db, (dbTx) => members.createRoot(dbTx, addressOf(0)))
    ids.push(root.memberId)
  }
  while (ids.length < count) {
    const batch: bigint[] = []
    await inTx(db, async (dbTx) => {
      for (let index = ids.length; index < Math.min(count, ids.length + PER_TRANSACTION); index++) {
        const sponsorId = ids[Math.floor(Math.random() * ids.length)]!
        const side = (['left', 'right', 'auto'] as const)[index % 3]!
        const member = await members.join(dbTx, { address: addressOf(index), sponsorId, side })
        batch.push(member.memberId)
        if (index % 2 === 0) {
          const packageLevel = 1 + (index % LEVELS)
          const purchase = {
            memberId: member.memberId,
            packageLevel,
            baseMicros: BigInt(packageLevel) * 100_000_000n,
          }
          await members.recordPurchases(dbTx, [purchase], services.now())
        }
      }
    })
    ids.push(...batch)
    process.stderr.write(`\r${ids.length} members`)
  }
  process.stderr.write('\n')
}

/**
 * Gives members the data of a busy member: balances, three paid packages, and a month of rewards of every
 * type.
 */
export async function giveHistory({ db }: Services, memberIds: readonly bigint[]): Promise<void> {
  const ids = sql`unnest(${memberIds}::bigint[]) as member (member_id)`
  await sql`
    insert into ledger_heads (member_id, seq, balances)
    select member_id, 0, array_agg(case when name = any (
      '{USDT available,USDT withdrawing,AMC available,AMC locked,RIF available,RIF locked}') then 123456789 else 0 end order by slot)
    from ${ids}, unnest(ledger_slots()) with ordinality as l (name, slot) group by member_id
    on conflict (member_id) do update set balances = excluded.balances`.execute(db)
  await sql`
    insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
      full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, paid_sequence,
      collected_at)
    select member_id, level, 'Launch', level, '0x00', '0x', 100000000, 500000, 70000000, 60000000, false, 'Paid',
      now(), now(), now(), member_id * 3 + level, now()
    from ${ids}, generate_series(1, 3) as level`.execute(db)
  const types = sql`unnest('{ReferralReward,TeamReward,PairingReward,ManagementReward,Interest}'::text[]) as type`
  await sql`
    insert into reward_totals (member_id, type, paid_micros, usdt_micros, amc_micros)
    select member_id, type, 1000000, 700000, 600000 from ${ids}, ${types} on conflict do nothing`.execute(db)
  await sql`
    insert into reward_days (member_id, day, type, paid_micros, usdt_micros, amc_micros)
    select member_id, current_date - days, type, 100000, 70000, 60000
    from ${ids}, ${types}, generate_series(0, 29) as days on conflict do nothing`.execute(db)
}

/** Opens sessions for random members. */
export async function openSessions(
  { db }: Services,
  ids: readonly bigint[],
  count: number,
): Promise<Caller[]> {
  const chosen = Array.from({ length: count }, () => Math.floor(Math.random() * ids.length))
  const callers = chosen.map((index) => ({
    memberId: ids[index]!,
    address: addressOf(index),
    token: randomBytes(32).toString('base64url'),
  }))
  const hashes = callers.map(({ token }) => createHash('sha256').update(token).digest())
  await sql`
    insert into sessions (token_hash, member_id, address, created_at, last_used_at, expires_at)
    select token_hash, member_id, address, now(), now(), now() + interval '1 day'
    from unnest(${hashes}::bytea[], ${callers.map((caller) => caller.memberId)}::bigint[],
      ${callers.map((caller) => caller.address)}::text[]) as opened (token_hash, member_id, address)`.execute(
    db,
  )
  return callers
}

/** Updates PostgreSQL's statistics after the tables were filled. */
export async function settleTables(database: Database): Promise<void> {
  await database.pool.query('vacuum analyze')
}
