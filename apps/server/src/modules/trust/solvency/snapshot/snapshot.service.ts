import { type Day, dayOf, nextDay, startOfDay } from '@rif/rules'
import { type Context, dayNumberOf, HASH_BYTES, type Report } from '@rif/solvency'
import { sql } from 'kysely'
import type { Chain } from '../../../../chain/client.ts'
import { payingBank } from '../../../../chain/hand-over.ts'
import { awaitDecided } from '../../../../db/citus/in-doubt.ts'
import { copyOut } from '../../../../db/copy.ts'
import { type Db, inSnapshot, inTx } from '../../../../db/database.ts'
import type { Now } from '../../../../lib/clock.ts'
import type { Logger } from '../../../../lib/logger.ts'
import { isUnopened } from '../../../access/gates/gates.service.ts'
import type { LedgerService, Owed } from '../../../books/ledger/ledger.service.ts'
import type { Fund } from '../../../fund/fund.service.ts'
import { MEMBERS } from '../../../members/members.relations.ts'
import type { AdminLogService } from '../../../operators/admin-log/admin-log.service.ts'
import type { SettlementService } from '../../../settlement/settlement.service.ts'
import * as repository from '../solvency.repository.ts'
import { collectMembers, type SnapshotMembers } from './members.ts'
import { saltsOf } from './salts.ts'
import { type NewReport, storeReport } from './store.ts'
import { type BuiltTree, buildTree } from './tree.ts'

export interface SnapshotDeps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly chain: Pick<Chain, 'chainId' | 'contracts'>
  readonly ledger: Pick<LedgerService, 'chain'>
  readonly adminLog: Pick<AdminLogService, 'headBefore'>
  readonly fund: Pick<Fund, 'overview'>
  readonly settlement: Pick<SettlementService, 'nextToSettle' | 'firstDay'>
  /** The operator's key of the salts; null if this process has none. */
  readonly saltKey: Uint8Array | null
}

/** The number of days for which proofs and lists of leaves are kept. */
const LEAVES_KEPT_DAYS = 35
const NOTHING = Buffer.alloc(HASH_BYTES)

type Read = { members: SnapshotMembers; owed: Record<'USDT' | 'AMC', Owed>; fundInvested: bigint } & {
  ledgerHead: Buffer
  operatorsHead: Buffer
}

/**
 * Creates the daily step after settlement: it adds each settled day to the ledger's hash chain, then builds
 * its report. Both depend only on the settled books, so a run after a crash has the same result. Rules,
 * section 13.
 */
export function createSnapshots(deps: SnapshotDeps) {
  const { db, now, log, ledger, settlement, saltKey } = deps

  /** Returns the first settled day without a report, or null. */
  async function nextDue(): Promise<Day | null> {
    const last = await repository.lastDay(db)
    if (await isUnopened(db)) return last === null ? firstComplete() : null
    const open = await settlement.nextToSettle()
    const first = await settlement.firstDay()
    // The report from before the opening is of a day that is never settled.
    const due = last === null || (first !== null && last < first) ? first : nextDay(last)
    return open === null || due === null || due >= open ? null : due
  }

  /**
   * Returns yesterday, if the root had joined by then: before the opening the report of one empty day is
   * published, which shows that the bank accepts reports.
   */
  async function firstComplete(): Promise<Day | null> {
    const yesterday = dayOf(now().getTime() - 86_400_000)
    const { rows } = await sql<{ joined: boolean }>`
      select exists (select from ${MEMBERS} as m
        where joined_at < ${new Date(startOfDay(nextDay(yesterday)))}) as joined`.execute(db)
    return rows[0]!.joined ? yesterday : null
  }

  /** Reads all inputs of a report, in one snapshot. The day is closed, so nothing is added to it. */
  async function read(day: Day): Promise<Read> {
    await awaitDecided(db)
    return inSnapshot(db, async (snapshot) => {
      const last = await ledger.chain.last(snapshot)
      // Before the opening there is no posting, and the chain is empty.
      if (last?.day !== day && (last !== undefined || !(await isUnopened(snapshot))))
        throw new Error(`the ledger's chain ends with ${last?.day}, not with ${day}`)
      const end = new Date(startOfDay(nextDay(day)))
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${MEMBERS} as m where joined_at < ${end}`.execute(snapshot)
      const collected = collectMembers(rows[0]!.count)
      await copyOut(
        snapshot,
        sql`select member_id, decode(substr(address, 3), 'hex') from ${MEMBERS} as m
          where joined_at < ${sql.lit(end.toISOString())}::timestamptz order by member_id`,
        collected.addMember,
      )
      await ledger.chain.eachHeldAtEndOf(snapshot, day, collected.addHeld)
      await deps.fund.overview.eachWorthAtEndOf(snapshot, day, collected.addWorth)
      return {
        members: collected.members,
        owed: await ledger.chain.owed(snapshot, day),
        fundInvested: await deps.fund.overview.investedAtEndOf(snapshot, day),
        ledgerHead: last?.head ?? NOTHING,
        operatorsHead: (await deps.adminLog.headBefore(snapshot, end)) ?? NOTHING,
      }
    })
  }

  async function build(day: Day, key: Uint8Array): Promise<void> {
    const times: Record<string, number> = {}
    async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
      const begun = performance.now()
      const result = await work()
      times[`${part}Ms`] = Math.round(performance.now() - begun)
      return result
    }
    if (!(await isUnopened(db))) await timed('chain', () => inTx(db, (dbTx) => ledger.chain.close(dbTx, day)))
    const booksRead = await timed('read', () => read(day))
    const bank = (await payingBank(db, deps.chain.contracts)).address.toLowerCase()
    const context: Context = { chainId: deps.chain.chainId, bank, dayNumber: dayNumberOf(day) }
    const salts = saltsOf(key, day)
    const tree = await timed('tree', () => buildTree(context, booksRead.members, salts))
    const report = reportOf(booksRead, tree)
    const { USDT, AMC } = booksRead.owed
    const row: NewReport = {
      day,
      context,
      report,
      saltKeyId: salts.keyId,
      builtAt: now(),
      holdings: { usdt: USDT.takenInMicros, amc: AMC.takenInMicros },
    }
    await timed('store', () => inTx(db, (dbTx) => storeReport(dbTx, row, booksRead.members, tree)))
    log.info({ day, leaves: tree.leaves, ...times }, 'solvency report built')
  }

  return {
    /**
     * Builds the reports of all settled days that have none, in order. Returns the days. Does nothing without
     * the key of the salts.
     */
    async catchUp(): Promise<Day[]> {
      const built: Day[] = []
      if (saltKey === null) return built
      for (let day = await nextDue(); day !== null; day = await nextDue()) {
        await build(day, saltKey)
        built.push(day)
      }
      if (built.length > 0) {
        const before = new Date(startOfDay(built.at(-1)!) - LEAVES_KEPT_DAYS * 86_400_000)
        await inTx(db, (dbTx) => repository.removeLeaves(dbTx, before.toISOString().slice(0, 10)))
      }
      return built
    },
  }
}

/** Throws Error if the leaves do not add up to the members' accounts in the sums of the postings. */
function reportOf(booksRead: Read, tree: BuiltTree): Report {
  const { USDT, AMC } = booksRead.owed
  if (tree.sums.usdt !== USDT.membersMicros || tree.sums.amc !== AMC.membersMicros)
    throw new Error(
      `the leaves come to ${tree.sums.usdt} USDT and ${tree.sums.amc} AMC, the books to ${USDT.membersMicros} and ${AMC.membersMicros}`,
    )
  return {
    tree: tree.tree,
    leaves: tree.leaves,
    members: tree.sums,
    other: { usdt: USDT.otherMicros, amc: AMC.otherMicros },
    fundCash: USDT.fundCashMicros,
    fundInvested: booksRead.fundInvested,
    ledgerHead: `0x${booksRead.ledgerHead.toString('hex')}`,
    operatorsHead: `0x${booksRead.operatorsHead.toString('hex')}`,
  }
}
