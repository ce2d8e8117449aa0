import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AdminActionEntry } from '@rif/api-schema'
import { defaultPlan } from '@rif/rules'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { median } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { POSTGRES } from '../kit/settings.ts'
import { fillBooks } from './books.ts'
import { measureComparison } from './comparison.ts'
import { plansOf, statementsOf } from './plans.ts'

const MAX_MS = 1_000
const PAGE = 50
const DAY_MS = 86_400_000
/** The largest number of grants in one file. */
const GRANT_LINES = 400
const members = Number(process.env.BENCH_MEMBERS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 20)

type Question = readonly [name: string, ask: () => Promise<unknown>]

// `npm run bench -- admin`: the queries of the operators' pages, with a million members and ten million
// postings. Of twenty runs, the second slowest must take less than a second, and no large table may be
// scanned from end to end.
await runBenchmark('Operator’s pages', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  try {
    await migrateSimulation(server.adminUrl)
    const database = createDatabase({ url: server.adminUrl, max: 10, applicationName: 'rif-bench' })
    try {
      await servicesOn(database).plans.ensureDefault(database.db)
      await fillBooks(database, members)
      return await measure(database, server.adminUrl)
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function measure(database: Database, url: string): Promise<Floor[]> {
  const services = servicesOn(database)
  const { rows: counted } = await database.pool.query('select count(*) from ledger_postings')
  console.log(
    `${members.toLocaleString('en')} members, ${counted[0].count.toLocaleString('en')} ledger entries\n`,
  )
  const table: Row[] = []
  const floors: Floor[] = []
  for (const [name, ask] of await questions(database, services)) {
    const plan = await plansOf(database, await statementsOf(ask))
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      await ask()
      times.push(performance.now() - begun)
    }
    const sorted = times.toSorted((time, other) => time - other)
    const high = sorted[Math.floor(rounds * 0.95) - (rounds < 20 ? 0 : 1)]!
    table.push([name, median(times).toFixed(1), high.toFixed(1), plan.nodes.join(', ')])
    floors.push({ name: `${name}: time allowed to time`, value: MAX_MS / high, atLeast: 1 })
    if (plan.wholeTables.length > 0) {
      const what = `${name}: READS WHOLE TABLES: ${plan.wholeTables.join(', ')}`
      floors.push({ name: what, value: 0, atLeast: 1 })
    }
    process.stderr.write(`${name}: ${Math.round(median(times))} ms\n`)
  }
  console.log(`${markdownTable(['page or call', 'median, ms', '95% within, ms', 'plan nodes'], table)}\n`)
  await measureDryRun(services)
  console.log(await measureComparison(url, services, members))
  return floors
}

/** A dry run reads and computes everything. No caller waits for it, so it has no floor. */
async function measureDryRun({ db, settlementDays }: Services): Promise<void> {
  const begun = performance.now()
  const requested = await settlementDays.requestRun('bench')
  await settlementDays.dryRuns.run(BigInt(requested.run!.run_id))
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  const { run } = await settlementDays.lastRun(db)
  if (run?.result == null) throw new Error(`the dry run failed: ${run?.failure}`)
  const rewards = run.result.batches.reduce((sum, batch) => sum + batch.count, 0)
  console.log(`A dry run of the day, a job: ${seconds} s, ${rewards.toLocaleString('en')} rewards\n`)
}

async function questions(database: Database, services: Services): Promise<Question[]> {
  const { db } = database
  const { analytics, search, settlementDays, ledger, shop, rewards, withdrawals, fund } = services
  const {
    orderAudit,
    proposals,
    operations,
    departures,
    adminLog,
    revenueDeposits,
    fundProducts,
    admins,
    plans,
  } = services
  const { planComparisons, settlementReplays, settlementRerun } = services
  const admin = {
    ...({ address: '0x', role: 'owner', person: 'Two', personId: 2n } as const),
    grantedAt: services.now(),
  } as const
  const today = services.now().toISOString().slice(0, 10)
  const back = (days: number) => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
  const [month, year] = [
    { from: back(29), to: today },
    { from: back(365), to: today },
  ]
  const { rows } = await database.pool.query<{
    address: string
    code: string
    order: string
    withdrawn: string
  }>(
    `select address, invite_code as code, o.tx_hash as "order", w.to_address as withdrawn
     from members join orders as o using (member_id) join withdrawals as w using (member_id) where member_id = $1`,
    [(members >> 1) + 1],
  )
  const member = rows[0]!
  const memberId = BigInt((members >> 1) + 1)
  const auditFilter = { state: 'held', order: 'oldest' } as const
  const endedFilter = { state: 'done', order: 'newest' } as const
  const endedToday = { state: 'ended', order: 'ended', ended_from: today } as const
  const { next: middle } = await departures.auditQueue({ ...auditFilter, limit: 100 })
  const [logged] = (await adminLog.list(db, { limit: 1 })).items as [AdminActionEntry]
  const { rows: lines } = await database.pool.query<{ address: string; amount: string; reason: string }>(
    `select address, '1' as amount, 'bench' as reason from members where member_id <= $1`,
    [GRANT_LINES],
  )
  const grants = {
    kind: 'hash_power' as const,
    payload: { batch: 'bench', lines },
    reason: 'bench',
    delayMs: 0,
  }
  const sections = [
    'members',
    'sales',
    'funnel',
    'rewards',
    'pools',
    'liabilities',
    'withdrawals',
    'fund',
  ] as const
  const all = (range: typeof month) => [
    ...sections.map((section) => analytics[section](db, range)),
    analytics.holdings(db),
    analytics.pending(db),
  ]
  return [
    ['analytics, whole page, 30 days', () => Promise.all(all(month))],
    ['analytics, whole page, 366 days', () => Promise.all(all(year))],
    ...sections.map(
      (section): Question => [`analytics: ${section}, 366 days`, () => analytics[section](db, year)],
    ),
    ['analytics: holdings', () => analytics.holdings(db)],
    ['what waits', () => analytics.pending(db)],
    ['orders, redemptions and payments that wait', () => orderAudit.queues()],
    ...(['open', 'mine', 'own', 'decided', 'ended', 'all'] as const).map(
      (show): Question => [`proposals: ${show}`, () => proposals.list(admin, { show, limit: PAGE })],
    ),
    ['proposals of a kind', () => proposals.list(admin, { show: 'all', kind: 'suspense', limit: PAGE })],
    [
      'proposals of a kind, waiting',
      () => proposals.list(admin, { show: 'open', kind: 'role', limit: PAGE }),
    ],
    ['withdrawals under audit', () => departures.auditQueue({ ...auditFilter, limit: PAGE })],
    [
      'withdrawals under audit, from the middle',
      () => departures.auditQueue({ ...auditFilter, limit: PAGE, cursor: middle ?? undefined }),
    ],
    ['withdrawals that ended', () => departures.auditQueue({ ...endedFilter, limit: PAGE })],
    ['withdrawals that ended today', () => departures.auditQueue({ ...endedToday, limit: PAGE })],
    [
      'withdrawals that ended, largest',
      () => departures.auditQueue({ ...endedFilter, order: 'largest', limit: PAGE }),
    ],
    [
      'withdrawals of an address',
      () => departures.auditQueue({ ...endedFilter, q: member.address, limit: PAGE }),
    ],
    [
      'withdrawals by a number',
      () => departures.auditQueue({ ...endedFilter, q: `${memberId}`, limit: PAGE }),
    ],
    ['all members', () => search.list.page(db, { limit: PAGE })],
    ['members of a level', () => search.list.page(db, { limit: PAGE, level: '3' })],
    ['members who are frozen', () => search.list.page(db, { limit: PAGE, state: 'frozen' })],
    [
      'members who joined on a day',
      () => search.list.page(db, { limit: PAGE, from: back(40), to: back(40) }),
    ],
    ['members who hold AMC', () => search.list.page(db, { limit: PAGE, holds: 'AMC' })],
    ['members who hold fund units', () => search.list.page(db, { limit: PAGE, holds: 'fund' })],
    ['a member’s holds', () => operations.hold(memberId)],
    ['stopped areas', () => operations.stopped()],
    ['log', () => adminLog.list(db, { limit: PAGE })],
    ['log: old days', () => adminLog.list(db, { limit: PAGE, from: back(80), to: back(80) })],
    ['log: an admin', () => adminLog.list(db, { limit: PAGE, actor: logged.actor })],
    ['log: an action', () => adminLog.list(db, { limit: PAGE, action: 'proposal.approve' })],
    ['log: a subject', () => adminLog.list(db, { limit: PAGE, q: 'bench/1' })],
    ['log: a text of nowhere', () => adminLog.list(db, { limit: PAGE, q: 'nowhere' })],
    ['log: a part of the chain checked', () => adminLog.check(db)],
    ['log: a page of the file', () => adminLog.list(db, { limit: 1_000 })],
    [
      'grants of hash power, all',
      () => proposals.list(admin, { show: 'all', kind: 'hash_power', limit: PAGE }),
    ],
    [`grants of hash power: ${GRANT_LINES} lines checked`, () => proposals.preview(admin, grants)],
    ['deposits of revenue', () => revenueDeposits.list({ limit: PAGE })],
    ['fund products', () => fundProducts.list()],
    ['roles', () => admins.list(db)],
    ['plan: versions, settled days', () => Promise.all([plans.history(db), settlementReplays.range(db)])],
    ['plan: the last comparison', () => planComparisons.last()],
    ['plan: a plan’s comparison', () => planComparisons.ofPlan(db, defaultPlan)],
    [
      'settlement: last dry run, last rerun',
      () => Promise.all([settlementDays.lastRun(db), settlementRerun.last()]),
    ],
    ['search: wallet', () => search.search(db, member.address)],
    [
      'search: short form of a wallet',
      () => search.search(db, `${member.address.slice(0, 8)}…${member.address.slice(-4)}`),
    ],
    ['search: address of a withdrawal', () => search.search(db, member.withdrawn)],
    ['search: code', () => search.search(db, member.code)],
    ['search: beginning of a code', () => search.search(db, member.code.slice(0, 4))],
    ['search: number', () => search.search(db, `${memberId}`)],
    ['search: transaction', () => search.search(db, member.order)],
    ['search: transaction of nobody', () => search.search(db, `0x${'0'.repeat(64)}`)],
    ['member, whole', () => search.member(db, memberId)],
    ['member: ledger', () => search.ledger(db, memberId, { limit: PAGE })],
    [
      'member: ledger, filtered',
      () => search.ledger(db, memberId, { limit: PAGE, asset: 'USDT', group: 'withdrawals' }),
    ],
    ['member: orders', () => shop.list(db, memberId, { limit: PAGE })],
    ['member: fund orders', () => fund.orders.list(db, memberId, { limit: PAGE })],
    ['member: rewards', () => rewards.list(db, memberId, { limit: PAGE })],
    ['member: withdrawals', () => withdrawals.list(db, memberId, { limit: PAGE })],
    ['member: sessions', () => search.sessions(db, memberId, { limit: PAGE })],
    ['member: notes', () => search.notes(db, memberId, { limit: PAGE })],
    ['settlement: days', () => settlementDays.list(db, { limit: PAGE })],
    ['settlement: a day', () => settlementDays.day(db, back(1))],
    ['fold of the flows', () => ledger.flows.fold(db)],
  ]
}
