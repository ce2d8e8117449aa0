import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { encodeCursor } from '../../apps/server/src/lib/cursor.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { MembersService, TeamQuery } from '../../apps/server/src/modules/members/members.service.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { median } from '../kit/rounds.ts'
import { servicesOn } from '../kit/services.ts'
import { POSTGRES } from '../kit/settings.ts'
import { growForest } from '../settlement/forest.ts'
import { fillTree } from '../tree/fill.ts'

const MAX_PAGE_MS = 100
const PAGE = 50
const ROUNDS = 7
const members = Number(process.env.BENCH_MEMBERS ?? 1_000_000)
/** The measured teams are those closest to these sizes. */
const TEAM_SIZES = [1_000, 4_500, 7_000, 20_000, 100_000]

/**
 * Half of the members have a package, and one of ten thousand has the highest. Wallets and codes do not
 * depend on the order of joining.
 */
const MIXED = [
  // A trigger refuses another wallet of a member.
  'alter table members disable trigger user',
  `update members set address = '0x' || md5(member_id::text) || left(md5(member_id::text || 'x'), 8),
     invite_code = substr('JKMNPQRS', 1 + member_id::integer % 8, 1) ||
       reverse(upper(translate(lpad(to_hex(member_id), 7, '0'), '01', 'gh'))),
     level = case when member_id % 10000 = 0 then 5 else member_id % 2 end,
     valid_at = case when member_id % 2 = 1 or member_id % 10000 = 0 then joined_at end`,
  'alter table members enable trigger user',
  'vacuum full members',
  'vacuum analyze',
]

type Question = readonly [name: string, query: Omit<TeamQuery, 'limit'>]

// `npm run bench -- team-list`: a page of 50 of `GET me/relation`, with each filter, in a tree of a million
// members.
await runBenchmark('Team list', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  try {
    await migrateSimulation(server.adminUrl)
    const database = createDatabase({ url: server.adminUrl, max: 2, applicationName: 'rif-bench' })
    try {
      await fillTree(database, members, 'random')
      for (const statement of MIXED) await database.pool.query(statement)
      process.stderr.write('the tree has grown\n')
      return await measure(database, servicesOn(database).members)
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

async function measure(database: Database, service: MembersService): Promise<Floor[]> {
  const rows: (readonly [string, number, number, number])[] = []
  for (const [name, query] of await questions(database)) {
    const times: number[] = []
    let rowCount = 0
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      rowCount = (await service.team(database.db, { ...query, limit: PAGE })).items.length
      times.push(performance.now() - start)
    }
    rows.push([name, rowCount, median(times), Math.max(...times)])
    process.stderr.write(`${name}: ${Math.round(median(times))} ms\n`)
  }
  console.log(markdownTable(['a page of 50', 'found', 'median ms', 'slowest ms'], rows))
  return rows.map(([name, , ms]) => ({
    name: `${name}: time left, share`,
    value: 1 - ms / MAX_PAGE_MS,
    atLeast: 0,
  }))
}

async function questions(database: Database): Promise<Question[]> {
  const { rows } = await database.pool.query<{ address: string; invite_code: string }>(
    'select address, invite_code from members where member_id = $1',
    [members >> 1],
  )
  const { address, invite_code: code } = rows[0]!
  const sizes = teamSizes()
  const all = { memberId: 1n, scope: 'all' } as const
  const search = (text: string) => ({ ...all, search: { text, memberIds: [] } })
  return [
    ['everybody, newest first', all],
    ['everybody, oldest first', { ...all, sort: 'oldest' }],
    ['from the middle on', { ...all, cursor: encodeCursor(members >> 1) }],
    ['left side', { ...all, scope: 'left' }],
    ['right side', { ...all, scope: 'right' }],
    ['left side, oldest first', { ...all, scope: 'left', sort: 'oldest' }],
    ['invited by the member', { ...all, scope: 'direct' }],
    ['valid', { ...all, valid: true }],
    ['not valid, left side', { ...all, valid: false, scope: 'left' }],
    ['rare level', { ...all, level: 5 }],
    ['rare level, left side', { ...all, level: 5, scope: 'left' }],
    ['level that nobody has', { ...all, level: 4 }],
    ['a whole wallet', search(address)],
    ['a short form of a wallet', search(`${address.slice(0, 6)}…${address.slice(-4)}`)],
    ...[0, 1, 2, 3].map(
      (digits): Question => [`wallets by ${digits} digits`, search(address.slice(0, 2 + digits))],
    ),
    ['wallets by 1 digit, rare level', { ...search(address.slice(0, 3)), level: 5 }],
    ...[1, 2, 3, 8].map(
      (digits): Question => [`codes by ${digits} characters`, search(code.slice(0, digits))],
    ),
    ...TEAM_SIZES.flatMap((size): Question[] => {
      const team = { memberId: BigInt(nearest(sizes, size)), scope: 'all' } as const
      const label = `team of ${sizes[Number(team.memberId)]!.toLocaleString('en')}`
      return [
        [label, team],
        [`${label}, rare level`, { ...team, level: 5 }],
        [`${label}, wallets by 1 digit`, { ...team, search: { text: address.slice(0, 3), memberIds: [] } }],
      ]
    }),
  ]
}

function nearest(sizes: Int32Array, wanted: number): number {
  let best = 1
  for (let member = 1; member < sizes.length; member++) {
    if (Math.abs(sizes[member]! - wanted) < Math.abs(sizes[best]! - wanted)) best = member
  }
  return best
}

/**
 * Computes the number of members below each member. These joined later, so a team is complete before it is
 * added to the one above.
 */
function teamSizes(): Int32Array {
  const { parent } = growForest(members, 'random')
  const sizes = new Int32Array(members + 1)
  for (let member = members; member > 1; member--) sizes[parent[member]!]! += sizes[member]! + 1
  return sizes
}
