import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { withConnection } from './db/connection.ts'
import { COMMITTING_LOCK } from './db/cut.ts'
import { type Db, inMemberTx, inTx } from './db/database.ts'
import { isAtHome } from './db/machines.ts'
import type { SentStatement } from './db/sender.ts'
import { auditLedger } from './modules/ledger/ledger.audit.ts'
import { createLedgerService, type JournalEntry } from './modules/ledger/ledger.service.ts'
import { line } from './modules/ledger/testing/entries.ts'
import { misplaced, movable, workersOf } from './testing/cluster-load.ts'
import { openProxiedMachines } from './testing/proxied-machines.ts'
import { createTestDatabase, isOnCluster, type TestDatabase } from './testing/test-database.ts'

const MEMBER = 11n
/** Some of these are in other shards. */
const OTHER = 12n
const OTHERS = [OTHER, 13n, 14n, 15n, 16n, 17n]
const GIFT_MICROS = 1_000n

/** Blocks the next step until it is opened. */
class Gate {
  open!: () => void
  readonly isOpen = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

describe.runIf(isOnCluster())('a transaction about one member', () => {
  const ledger = createLedgerService()
  const sent: SentStatement[] = []
  let database: TestDatabase
  let number = 0

  const now = (kind: JournalEntry['kind'], lines: JournalEntry['lines'], key = `key/${number++}`) => {
    const at = new Date()
    const cause = { type: 'test', id: '1' }
    return { key, kind, cause, accountingDay: dayOf(at.getTime()), at, lines }
  }
  const saving = (memberId: bigint, micros = 1n) =>
    now('savings_in', [line(memberId, 'available>savings', micros)])
  const saved = async (memberId: bigint) => (await ledger.balances(database.db, memberId)).USDT.savings
  /** Posts locally under the lock, like the product; returns whether each attempt was local. */
  const post = async (entry: JournalEntry, memberId = MEMBER) => {
    const attempts: boolean[] = []
    const { posted } = await inMemberTx(database.db, { memberId }, async (dbTx) => {
      attempts.push(isAtHome(dbTx))
      await ledger.lockHeads(dbTx, [memberId])
      return ledger.post(dbTx, entry)
    })
    return { posted, attempts }
  }
  /** Posts in a local transaction, and returns the function that commits it. */
  async function openAtHome(
    entry: JournalEntry,
    memberId = MEMBER,
  ): Promise<{ commit: () => Promise<void> }> {
    const [mayCommit, isPosted] = [new Gate(), new Gate()]
    const ended = inMemberTx(database.db, { memberId }, async (dbTx) => {
      expect(isAtHome(dbTx)).toBe(true)
      await ledger.post(dbTx, entry)
      isPosted.open()
      await mayCommit.isOpen
    })
    await Promise.race([isPosted.isOpen, ended])
    return {
      commit: () => {
        mayCommit.open()
        return ended
      },
    }
  }
  const AT_ONCE = { posted: true, attempts: [true] }
  const ONCE_MORE = { posted: true, attempts: [true, false] }

  beforeAll(async () => {
    const onMessage = (statements: readonly SentStatement[]) => sent.push(...statements)
    database = await movable(await createTestDatabase({ role: 'rif_app', onMessage }))
    for (const memberId of [MEMBER, ...OTHERS])
      await ledger.post(database.db, now('grant', [line(memberId, 'external>available', GIFT_MICROS)]))
    // The first transaction looks up the machines.
    await vi.waitFor(async () => expect(await post(saving(MEMBER))).toEqual(AT_ONCE))
  })
  beforeEach(() => {
    sent.length = 0
  })
  afterAll(async () => {
    expect(await auditLedger(database.db)).toEqual([])
    expect(await misplaced(database)).toEqual([])
    await database.close()
  })

  it("posts on the member's machine, without the coordinator", async () => {
    for (const memberId of OTHERS) {
      const before = await saved(memberId)
      sent.length = 0
      expect(await post(saving(memberId, 5n), memberId)).toEqual(AT_ONCE)
      expect(sent.map(({ text }) => text).join()).toMatch(/ledger_lock_here_\d+.*ledger_post_own_here_\d+/s)
      expect(await saved(memberId)).toBe(before + 5n)
    }
  })

  it('is rolled back as a whole if it throws', async () => {
    const before = await saved(MEMBER)
    const refused = inMemberTx(database.db, { memberId: MEMBER }, async (dbTx) => {
      await ledger.post(dbTx, saving(MEMBER))
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await saved(MEMBER)).toBe(before)
  })

  it('runs through the coordinator in cases that the coordinator decides', async () => {
    const known = saving(MEMBER)
    expect(await post(known)).toEqual(AT_ONCE)
    const before = await saved(MEMBER)
    expect(await post(known)).toEqual({ posted: false, attempts: [true, false] })
    await expect(post({ ...saving(MEMBER, 2n), key: known.key })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    await expect(post(saving(MEMBER, 2n * GIFT_MICROS))).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    expect(await saved(MEMBER)).toBe(before)
    expect(await post(now('grant', [line(MEMBER, 'external>available', 1n)]))).toEqual(ONCE_MORE)
    for (const memberId of OTHERS) {
      const [entry, had] = [saving(memberId, 2n), await saved(memberId)]
      expect((await post(entry, MEMBER)).posted).toBe(true)
      expect(await saved(memberId)).toBe(had + 2n)
    }
  })

  /** Returns the shard of a member and its machine. */
  async function placeOf(memberId: bigint): Promise<readonly [shard: string, machine: string]> {
    const { rows } = await sql<{ shard: string; machine: string }>`
      select shardid::text as shard, groupid::text as machine from pg_dist_placement
      where shardid = get_shard_id_for_distribution_column('ledger_heads', ${memberId}::bigint)`.execute(
      database.adminDb,
    )
    return [rows[0]!.shard, rows[0]!.machine]
  }
  const transferTo = (other: bigint, micros = 1n) =>
    now('transfer', [line(MEMBER, 'available>clearing', micros), line(other, 'clearing>available', micros)])

  it('posts in the books of several members, with writes of each in its shard', async () => {
    const [shard, machine] = await placeOf(MEMBER)
    const visit = (memberId: bigint) =>
      sql`insert into member_visits (member_id, seen_seq, seen_at) values (${memberId}, 1, ${new Date()})
        on conflict (member_id) do update set seen_at = excluded.seen_at`
    const kinds = new Set<string>()
    for (const other of OTHERS) {
      const [othersShard, othersMachine] = await placeOf(other)
      kinds.add(othersShard === shard ? 'shard' : othersMachine === machine ? 'machine' : 'apart')
      const had = (await ledger.balances(database.db, other)).USDT.available
      const entry = transferTo(other)
      const attempts: boolean[] = []
      const fn = async (dbTx: Db) => {
        attempts.push(isAtHome(dbTx))
        await ledger.lockHeads(dbTx, [other, MEMBER])
        const writes = [MEMBER, other].map((memberId) => ({ memberId, write: visit(memberId) }))
        await ledger.postWith(dbTx, entry, writes)
      }
      const findOthers = () => Promise.resolve([other])
      await inMemberTx(database.db, { memberId: MEMBER, findOthers }, fn)
      expect(attempts).toEqual([true])
      expect((await ledger.balances(database.db, other)).USDT.available).toBe(had + 1n)
    }
    expect(kinds).toEqual(new Set(['shard', 'machine', 'apart']))
  })

  it('of two machines is committed on both or on none, in two phases', async () => {
    const places = await Promise.all([MEMBER, ...OTHERS].map(placeOf))
    const other = OTHERS[places.slice(1).findIndex(([, machine]) => machine !== places[0]![1])]!
    const had = async () =>
      Promise.all([MEMBER, other].map(async (id) => (await ledger.balances(database.db, id)).USDT.available))
    /** Returns how many transactions the machines have had others prepare. */
    const prepared = async () => {
      const counts = workersOf(database).map((url) =>
        withConnection(url, async (client) => {
          const { rows } = await client.query<{ n: number }>(
            'select count(*)::integer as n from pg_dist_transaction',
          )
          return rows[0]!.n
        }),
      )
      return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0)
    }
    const attempts: boolean[] = []
    const send = (entry: JournalEntry, end: () => void = () => undefined) => {
      attempts.length = 0
      const findOthers = () => Promise.resolve([other])
      return inMemberTx(database.db, { memberId: MEMBER, findOthers }, async (dbTx) => {
        attempts.push(isAtHome(dbTx))
        await ledger.lockHeads(dbTx, [MEMBER, other])
        await ledger.postWith(dbTx, entry, [])
        await sql`select 1`.execute(dbTx)
        end()
      })
    }
    const [before, begun] = [await had(), await prepared()]
    const refuse = () => {
      throw new Error('no')
    }
    await expect(send(transferTo(other), refuse)).rejects.toThrow('no')
    await expect(send(transferTo(other, 2n * GIFT_MICROS))).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    })
    expect(attempts).toEqual([true, false])
    expect([await had(), await prepared()]).toEqual([before, begun])
    const entry = transferTo(other)
    await send(entry)
    expect(attempts).toEqual([true])
    const after = [before[0]! - 1n, before[1]! + 1n]
    expect([await had(), await prepared()]).toEqual([after, begun + 1])
    // The key is known.
    await send(entry)
    expect([attempts, await had()]).toEqual([[true, false], after])

    // The cluster has replaced the sender's machine, which does not know it yet.
    const rename = (port: string) =>
      Promise.all(
        workersOf(database).map((url) =>
          withConnection(url, (client) =>
            client.query(
              `update pg_dist_node set nodeport = nodeport ${port}
               where groupid = $1 and groupid <> (select groupid from pg_dist_local_group)`,
              [places[0]![1]],
            ),
          ),
        ),
      )
    await rename('+ 1000')
    await send(transferTo(other)).finally(() => rename('- 1000'))
    expect([attempts, await had()]).toEqual([
      [true, false],
      [after[0]! - 1n, after[1]! + 1n],
    ])
  })

  it('of two machines is on both sides of a restore point, or on none', async () => {
    const places = await Promise.all([MEMBER, ...OTHERS].map(placeOf))
    const other = OTHERS[places.slice(1).findIndex(([, machine]) => machine !== places[0]![1])]!
    const take = (db: Db) => sql`select create_restore_point('tested')`.execute(db)
    const taken = (then: () => Promise<void> = async () => undefined) =>
      database.adminDb.transaction().execute((dbTx) => take(dbTx).then(then))
    /** Sends a transfer, and calls `committing` when it has the lock that it keeps until both machines have committed. */
    const send = (committing: () => Promise<void>) =>
      inMemberTx(
        database.db,
        { memberId: MEMBER, findOthers: () => Promise.resolve([other]) },
        async (dbTx) => {
          expect(isAtHome(dbTx)).toBe(true)
          await ledger.lockHeads(dbTx, [MEMBER, other])
          await ledger.postWith(dbTx, transferTo(other), [])
          await sql`select pg_advisory_xact_lock_shared(${COMMITTING_LOCK}::bigint)`.execute(dbTx)
          await committing()
        },
      )
    const [mayCommit, isCommitting] = [new Gate(), new Gate()]
    const first = send(() => {
      isCommitting.open()
      return mayCommit.isOpen
    })
    await Promise.race([isCommitting.isOpen, first])
    await expect(taken()).rejects.toMatchObject({ code: '55P03' })
    mayCommit.open()
    await first

    let isSent = false
    let second: Promise<void> | undefined
    await taken(async () => {
      second = send(async () => undefined).then(() => {
        isSent = true
      })
      await sleep(500)
      expect(isSent).toBe(false)
    })
    await second
    await expect(take(database.adminDb)).rejects.toThrow('a machine did not keep the lock')
    expect(await post(saving(MEMBER))).toEqual(AT_ONCE)
  })

  it('reads tables of the coordinator there, and runs through it if a statement joins them', async () => {
    const count = (dbTx: Db) => sql<{ n: number }>`select count(*)::integer as n from members`.execute(dbTx)
    const attempts: boolean[] = []
    await inMemberTx(database.db, { memberId: MEMBER }, async (dbTx) => {
      attempts.push(isAtHome(dbTx))
      expect((await count(dbTx)).rows).toEqual([{ n: 0 }])
    })
    expect(attempts).toEqual([true, false])
  })

  it('keeps its shard in place, and posts after the shard has moved', async () => {
    const entry = saving(MEMBER)
    const before = await saved(MEMBER)
    const { commit } = await openAtHome(entry)
    let isMoved = false
    const moved = sql`
      select citus_move_shard_placement(own.shardid, own.nodename, own.nodeport, other.nodename, other.nodeport, 'block_writes')
      from citus_shards as own, pg_dist_node as other
      where own.shardid = get_shard_id_for_distribution_column('ledger_heads', ${MEMBER}::bigint)
        and other.shouldhaveshards and other.nodeport <> own.nodeport limit 1`
      .execute(database.adminDb)
      .then(() => {
        isMoved = true
      })
    // Without the lock it takes about a second.
    await sleep(3_000)
    expect(isMoved).toBe(false)
    await commit()
    await moved
    expect(await saved(MEMBER)).toBe(before + 1n)
    // Once more through the coordinator, unless the process has looked up the machines since.
    expect((await post(saving(MEMBER))).posted).toBe(true)
    expect(await saved(MEMBER)).toBe(before + 2n)
  })

  it('is waited for by the settlement of its day, and then finds the day closed', async () => {
    const entry = saving(OTHER)
    const { accountingDay: day } = entry
    await sql`insert into settlement_start (first_day) values (${day})`.execute(database.adminDb)
    // The machines are looked up again a while after the move.
    await vi.waitFor(async () => expect(await post(saving(OTHER), OTHER)).toEqual(AT_ONCE), 20_000)
    const { commit } = await openAtHome(entry, OTHER)
    let isBegun = false
    const begun = inTx(database.db, (dbTx) =>
      sql`insert into settlement_days (day, state, amc_price_micros, fixed_at) values (${day}, 'fixed', 1, now())`.execute(
        dbTx,
      ),
    ).then(() => {
      isBegun = true
    })
    await sleep(300)
    expect(isBegun).toBe(false)
    await commit()
    await begun
    await expect(post(saving(OTHER), OTHER)).rejects.toMatchObject({ code: 'RL005' })
    expect((await ledger.transactionOf(database.db, entry.key, [OTHER]))?.accountingDay).toBe(day)
  })
})

describe.runIf(isOnCluster())('a machine that closes its connections', () => {
  it('in the middle of a transaction makes it run through the coordinator, unless it may be committed', async () => {
    const database = await createTestDatabase()
    const { machines, setState, pass, close } = await openProxiedMachines(database)
    const write = (isDecided: boolean | undefined) =>
      machines.write(database.db, [MEMBER], {
        otherwise: () => Promise.resolve('coordinator'),
        async there(machine, _, decide) {
          if (isDecided) decide()
          if (isDecided !== undefined) setState('cut')
          await sql`select 1`.execute(machine)
          return 'machine'
        },
      })
    for (const isDecided of [false, true]) {
      pass(5_000)
      await vi.waitFor(async () => expect(await write(undefined)).toBe('machine'))
      if (isDecided) await expect(write(true)).rejects.toThrow()
      else expect(await write(false)).toBe('coordinator')
      setState('open')
      expect(await write(undefined)).toBe('coordinator')
    }
    await close()
    await database.close()
  })
})
