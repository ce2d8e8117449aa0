import { EventEmitter, once } from 'node:events'
import { SIDE_CHOICES, type SideChoice } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { type Db, inTx } from '../../../db/database.ts'
import { closeDay } from '../../../lib/day-barrier.ts'
import { runs } from '../../../testing/level.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { ANALYTICS_CHECKS } from '../../desk/analytics/audit.ts'
import { createTestBooks } from '../../settlement/testing/test-books.ts'
import { createMembersService } from '../members.service.ts'
import { PLACEMENT_CHECKS } from './audit.ts'
import { createPlacementService } from './placement.service.ts'
import { createTree } from './testing/tree.ts'

const MICRO = 1_000_000n
/** The tree, and the counts of members by day and level. */
const CHECKS = [
  ...PLACEMENT_CHECKS,
  ...ANALYTICS_CHECKS.filter(({ name }) => name === 'member day' || name === 'member level'),
]
const CONNECTIONS = 20

let database: TestDatabase
const now = () => new Date('2026-01-15T12:00:00Z')
const placement = createPlacementService({ now })
const members = createMembersService({ now, placement })

beforeAll(async () => {
  database = await createTestDatabase({ max: CONNECTIONS })
})
afterAll(() => database.close())

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

async function joinRoot(): Promise<bigint> {
  return (await inTx(database.db, (dbTx) => members.createRoot(dbTx, address(0)))).memberId
}

/** Runs `work` in a transaction that stays open while `meanwhile` runs, which may commit it. */
async function heldOpen(
  work: (dbTx: Db) => Promise<unknown>,
  meanwhile: (commit: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const gate = new EventEmitter()
  const committing = once(gate, 'commit')
  const worked = once(gate, 'worked')
  const done = inTx(database.db, async (dbTx) => {
    await work(dbTx)
    gate.emit('worked')
    await committing
  })
  const commit = () => {
    gate.emit('commit')
    return done
  }
  await Promise.race([worked, done])
  await meanwhile(commit).finally(commit)
}

/** Waits until this many connections to the database wait for a lock of the product, or for a table. */
const untilWaiting = (count: number, lock: 'advisory' | 'relation' = 'advisory') =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
          select count(*)::integer as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and wait_event = ${lock} and datname = current_database()`.execute(
        database.adminDb,
      )
      return rows[0]!.waiting
    })
    .toBe(count)

describe('sign-ups of eight connections at once', () => {
  beforeEach(async () => {
    await sql`truncate members, placements, leg_sums, member_days, sessions restart identity cascade`.execute(
      database.db,
    )
    await sql`update member_levels set members = 0`.execute(database.db)
  })

  const CLIENTS = 8
  const EACH = runs({ usual: 10, full: 100 })

  /**
   * Signs up members over eight connections below random members, with some packages in between; some connections
   * are killed.
   */
  async function grow(root: bigint, kill: boolean): Promise<void> {
    const memberIds = [root]
    let next = 0
    const client = async (seed: number) => {
      for (let step = 0; step < EACH; step++) {
        const sponsorId = memberIds[(seed * 7_919 + step * 104_729) % memberIds.length]!
        const order = { address: address(++next), sponsorId, side: SIDE_CHOICES[(seed + step) % 3]! }
        const attempt = inTx(database.db, async (dbTx) => {
          const { memberId } = await members.join(dbTx, order)
          if (kill && step % 5 === 4) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
          return memberId
        })
        const memberId = await attempt.catch(() => undefined)
        if (memberId === undefined) continue
        memberIds.push(memberId)
        if (step % 4 === 0) await buy(memberId)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, seed) => client(seed)))
  }

  const buy = (memberId: bigint) =>
    inTx(database.db, async (dbTx) => {
      await placement.lockVolumes(dbTx)
      await members.recordPurchases(dbTx, [{ memberId, packageLevel: 2, baseMicros: 5n * MICRO }], now())
    })

  /** Expects the tree that the same sign-ups would give one by one, in order of their numbers. */
  async function expectSerial(): Promise<number> {
    const { rows } = await sql<{
      id: bigint
      sponsor: bigint
      section: 'left' | 'right'
      parent: bigint
      side: string
    }>`
      select member_id as id, sponsor_id as sponsor, section, parent_id as parent, side
      from members join placements using (member_id) where sponsor_id is not null order by member_id`.execute(
      database.db,
    )
    const root = await members.root(database.db)
    const tree = createTree()
    const ids = [root!.memberId]
    for (const { id, sponsor, section, parent, side } of rows) {
      const place = tree.join(ids.indexOf(sponsor), section)
      expect({ parent, side }).toEqual({ parent: ids[place.parent!.index], side: place.side })
      ids.push(id)
    }
    return rows.length
  }

  const audit = () => auditLedger(database.adminDb, { checks: CHECKS })

  it.each([false, true])('give the tree of a serial run, with connections killed: %s', async (kill) => {
    const root = await joinRoot()
    await grow(root, kill)
    const placed = await expectSerial()
    expect(placed).toBe(CLIENTS * EACH - (kill ? CLIENTS * Math.floor(EACH / 5) : 0))
    expect(await audit()).toEqual([])
    const { left, right } = await placement.team(database.db, root)
    expect(left.membersAll + right.membersAll).toBe(placed)
  })

  it('alternate between sides under one sponsor with auto', async () => {
    const root = await joinRoot()
    const joins = Array.from({ length: 32 }, (_, index) =>
      members.join(database.db, { address: address(index + 1), sponsorId: root, side: 'auto' }),
    )
    await Promise.all(joins)
    const { left, right } = await placement.team(database.db, root)
    expect([left.membersAll, right.membersAll]).toEqual([16, 16])
  })

  it('wait for each other and for purchases, wherever they are', async () => {
    const root = await joinRoot()
    const join = (index: number, sponsorId: bigint, side: SideChoice, db = database.db) =>
      members.join(db, { address: address(index), sponsorId, side })
    const left = await join(1, root, 'left')
    const right = await join(2, root, 'right')
    let finished = 0
    await heldOpen(
      (dbTx) => join(3, left.memberId, 'left', dbTx),
      async (commit) => {
        const all = [
          join(4, right.memberId, 'right'),
          join(5, root, 'left'),
          join(6, root, 'auto'),
          buy(right.memberId),
        ]
        const waiting = all.map(async (item) => {
          await item
          finished++
        })
        await untilWaiting(4)
        expect(finished).toBe(0)
        await commit()
        await Promise.all(waiting)
      },
    )
    expect(await expectSerial()).toBe(6)
    expect(await audit()).toEqual([])
  })

  it('leave nothing when they are killed in the middle, nor do purchases, and the next one goes on', async () => {
    const root = await joinRoot()
    const join = (index: number) =>
      members.join(database.db, { address: address(index), sponsorId: root, side: 'auto' })
    const { memberId } = await join(1)
    const state = async () => {
      const { rows } = await sql`
        select (select json_agg(m order by member_id) from members as m) as members,
          (select json_agg(p order by member_id) from placements as p) as places,
          (select json_agg(s order by leg_id, period, node) from leg_sums as s) as sums,
          (select json_agg(d order by day) from member_days as d) as days,
          (select json_agg(l order by level) from member_levels as l) as levels`.execute(database.db)
      return rows
    }
    const before = await state()
    // A sign-up has written its member and place by then, and a purchase its member.
    for (const begin of [() => join(2), () => buy(memberId)])
      await database.adminDb.transaction().execute(async (tx) => {
        await sql`lock table leg_sums, member_levels in exclusive mode`.execute(tx)
        const killed = expect(begin()).rejects.toThrow()
        await untilWaiting(1, 'relation')
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(tx)
        await killed
      })
    expect(await state()).toEqual(before)
    await join(2)
    await buy(memberId)
    expect(await expectSerial()).toBe(2)
    expect(await audit()).toEqual([])
  })

  it('are covered by the audit: it finds a wrong sum, leg or number of invited members', async () => {
    const root = await joinRoot()
    const join = (index: number, sponsorId: bigint, side: SideChoice) =>
      members.join(database.db, { address: address(index), sponsorId, side })
    for (let index = 1; index < 6; index++) {
      const { memberId } = await join(index, root, 'left')
      if (index === 2) await join(6, memberId, 'right')
    }
    const wrong: [string, ReturnType<typeof sql>][] = [
      ['team', sql`update leg_sums set members_all = members_all + 1 where node = 2`],
      ['team', sql`update leg_sums set members_valid = 1 where node = 2`],
      ['leg', sql`update placements set path = '{6}' where position = 5`],
      [
        'leg',
        sql`update placements set parent_id = (select max(member_id) from placements) where position = 3`,
      ],
      [
        'place',
        sql`
          insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
          values (${address(99)}, '22222222', ${root}, 'left', 6, now())`,
      ],
      ['invited', sql`update members set invited_no = invited_no + 1`],
    ]
    expect(await audit()).toEqual([])
    for (const [check, change] of wrong) {
      const findings = await inTrial(change)
      expect([check, findings.length > 0, new Set(findings.map((finding) => finding.check))]).toEqual([
        check,
        true,
        new Set([check]),
      ])
    }
  })

  async function inTrial(change: ReturnType<typeof sql>) {
    let findings: Awaited<ReturnType<typeof audit>> = []
    const undone = database.adminDb.transaction().execute(async (tx) => {
      await change.execute(tx)
      for (const { name, run } of PLACEMENT_CHECKS) {
        findings = [...findings, ...(await run(tx)).map((difference) => ({ check: name, ...difference }))]
      }
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    return findings
  }
})

test('a sign-up and a payment that commit after midnight count once, on their day, before it is settled', async () => {
  const day = '2026-02-10'
  const next = '2026-02-11'
  const late = 24 * 3_600_000 - 1
  const own = await createTestDatabase()
  const outer = database
  database = own
  try {
    const books = createTestBooks(own, day)
    await books.begin()
    await books.price('AMC', '0.37')
    books.goTo(day, 1)
    const root = await books.join(null, 'auto')
    const seller = await books.join(root, 'left')
    await books.buy(root, 3)
    await books.attest('USDT', 50n * MICRO)
    const days = async () => {
      const { rows } = await sql<{ day: string; joined: bigint }>`
        select day::text, joined from member_days order by day`.execute(own.db)
      return rows
    }
    // Both begin in the last moment of the day: the payment stays open until after midnight, and the sign-up waits for it.
    books.goTo(day, late)
    let settled = false
    await heldOpen(
      (dbTx) => books.buy(seller, 2, dbTx),
      async (commitPayment) => {
        const signUp = heldOpen(
          (dbTx) => books.members.join(dbTx, { address: address(99), sponsorId: seller, side: 'right' }),
          async (commitSignUp) => {
            await untilWaiting(1)
            expect(settled).toBe(false)
            await commitSignUp()
          },
        )
        await untilWaiting(1)
        books.goTo(next, 5 * 60_000)
        const settlement = books.settlement.settle(day).then(() => {
          settled = true
        })
        await untilWaiting(2)
        await commitPayment()
        await signUp
        await settlement
      },
    )
    const carried = async () => {
      const { rows } = await sql`
        select carry_left_micros::text as left from member_standings where member_id = ${root}`.execute(
        own.db,
      )
      return rows
    }
    expect(await carried()).toEqual([{ left: '500000000' }])
    expect(await days()).toEqual([{ day, joined: 3n }])
    // A slow clock: the day is over, so the sign-up is retried until the clock reaches the next one.
    books.goTo(day, late)
    const refused = books.members.join(own.db, { address: address(98), sponsorId: seller, side: 'left' })
    await expect(refused).rejects.toMatchObject({ code: 'RL005' })
    books.goTo(next, 6 * 60_000)
    await books.join(seller, 'left')
    expect(await days()).toEqual([
      { day, joined: 3n },
      { day: next, joined: 1n },
    ])
    books.goTo('2026-02-12', 5 * 60_000)
    await books.settlement.settle(next)
    expect(await carried()).toEqual([{ left: '500000000' }])
    expect(await books.audit()).toEqual([])
    expect(await auditLedger(own.adminDb, { checks: PLACEMENT_CHECKS })).toEqual([])
  } finally {
    database = outer
    await own.close()
  }
})

test('while a day is fixed, sign-ups of it wait and are refused, and those of the next day go on', async () => {
  const [day, next] = ['2026-02-10', '2026-02-11']
  const own = await createTestDatabase()
  const outer = database
  database = own
  try {
    const books = createTestBooks(own, day)
    await books.begin()
    const root = await books.join(null, 'auto')
    books.goTo(next, 5 * 60_000)
    const slow = createMembersService({ now: () => new Date(`${day}T23:59:59Z`), placement })
    const late = () => slow.join(own.db, { address: address(99), sponsorId: root, side: 'auto' })
    await heldOpen(
      async (dbTx) => {
        await closeDay(dbTx, day)
        await sql`insert into settlement_days (day, state, fixed_at) values (${day}, 'fixed', ${books.now()})`.execute(
          dbTx,
        )
      },
      async (commit) => {
        const refused = expect(late()).rejects.toMatchObject({ code: 'RL005' })
        await untilWaiting(1)
        await books.join(root, 'auto')
        await commit()
        await refused
      },
    )
    await expect(late()).rejects.toMatchObject({ code: 'RL005' })
    const { rows } = await sql`select day::text, joined from member_days order by day`.execute(own.db)
    expect(rows).toEqual([
      { day, joined: 1n },
      { day: next, joined: 1n },
    ])
    expect(await auditLedger(own.adminDb, { checks: CHECKS })).toEqual([])
  } finally {
    database = outer
    await own.close()
  }
})
