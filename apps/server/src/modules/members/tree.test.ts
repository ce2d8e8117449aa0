import type { TreeNode } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'

let server: TestServer
let root: SignedIn
/** Six members are on the left leg below A; B is on the root's right. */
let a: SignedIn
let b: SignedIn
let leg: bigint[]

beforeAll(async () => {
  server = await startTestServer()
  root = await signIn(server, server.root.wallet)
  a = await signIn(server, newWallet())
  b = await signIn(server, newWallet())
  leg = []
  for (let count = 0; count < 6; count++) leg.push(await join(a, 'left'))
})
afterAll(() => server.close())

async function join(sponsor: SignedIn, side: 'left' | 'right'): Promise<bigint> {
  const { members } = server.services
  const address = newWallet().address
  const member = await inTx(server.database.db, (dbTx) =>
    members.join(dbTx, { address, sponsorId: sponsor.memberId, side }),
  )
  return member.memberId
}

const tree = (as: SignedIn, query = '') => call(server, `me/tree?${query}`, { as })
const idsOf = (node: TreeNode): string[] => [node.id, ...node.children.flatMap(idsOf)]
const texts = (ids: bigint[]) => ids.map(String)

describe('the tree', () => {
  test('begins with the member, and shows the places below', async () => {
    const node: TreeNode = (await tree(root, 'depth=1')).data
    expect(node).toMatchObject({
      id: `${root.memberId}`,
      pid: null,
      side: null,
      section: null,
      expand: true,
      isLeaf: false,
      left_team_size_all: 7,
      right_team_size_all: 1,
      invited_count_all: 2,
      children: [
        {
          id: `${a.memberId}`,
          pid: `${root.memberId}`,
          section: 'left',
          expand: false,
          isLeaf: false,
          children: [],
        },
        {
          id: `${b.memberId}`,
          section: 'right',
          isLeaf: true,
          inviter_address: root.address,
          label: b.address,
        },
      ],
    })
  })

  test('continues from the lowest node of a branch, and keeps the section', async () => {
    const first: TreeNode = (await tree(root, 'depth=3')).data
    expect(idsOf(first).sort()).toEqual(
      texts([root.memberId, a.memberId, b.memberId, leg[0]!, leg[1]!]).sort(),
    )
    const next: TreeNode = (await tree(root, `id=${leg[1]}&depth=6`)).data
    expect(next).toMatchObject({ pid: `${leg[0]}`, side: 'left', section: 'left', left_team_size_all: 4 })
    expect(idsOf(next)).toEqual(texts(leg.slice(1)))
  })

  test('shows nothing above or beside the own node', async () => {
    const own: TreeNode = (await tree(a)).data
    expect(own).toMatchObject({ id: `${a.memberId}`, pid: null, section: null })
    for (const id of [root.memberId, b.memberId, 999_999n]) {
      expect(await tree(a, `id=${id}`)).toMatchObject({ status: 404, data: { error: 'MEMBER_NOT_FOUND' } })
    }
    expect(await tree(b, `id=${leg[0]}`)).toMatchObject({ status: 404 })
  })

  test('is returned in pieces of a bounded size', async () => {
    expect(await tree(root, 'depth=7')).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
    expect(await tree(root, 'depth=0')).toMatchObject({ status: 400 })
  })
})

describe('the way to a member', () => {
  test('opens every node on it', async () => {
    const node: TreeNode = (await tree(root, `to=${leg[4]}`)).data
    expect(node).toMatchObject({ id: `${root.memberId}`, pid: null })
    expect(idsOf(node).sort()).toEqual(texts([root.memberId, a.memberId, b.memberId, ...leg]).sort())
    expect(idsOf((await tree(a, `to=${a.memberId}`)).data)).toEqual(texts([a.memberId, leg[0]!]))
  })

  test('is refused for a member outside', async () => {
    for (const id of [root.memberId, b.memberId, 999_999n]) {
      expect(await tree(a, `to=${id}`)).toMatchObject({ status: 404, data: { error: 'MEMBER_NOT_FOUND' } })
    }
  })
})

describe('several branches at once', () => {
  const branches = (as: SignedIn, query: string) => call(server, `me/tree/branches?${query}`, { as })

  test('are returned generation by generation, up to a limit', async () => {
    const { items } = (await branches(root, `ids=${b.memberId},${a.memberId}&limit=3`)).data
    expect(items).toMatchObject([
      { id: `${leg[0]}`, pid: `${a.memberId}`, section: 'left', side: 'left', expand: true },
      { id: `${leg[1]}`, left_team_size_all: 4 },
      { id: `${leg[2]}`, expand: false },
    ])
    const own = (await branches(a, `ids=${a.memberId}`)).data.items
    expect(own.map((item: { id: string }) => item.id)).toEqual(texts(leg))
  })

  test('are refused if one is outside the own tree', async () => {
    for (const id of [root.memberId, b.memberId, 999_999n]) {
      const answer = await branches(a, `ids=${leg[0]},${id}`)
      expect(answer).toMatchObject({ status: 404, data: { error: 'MEMBER_NOT_FOUND' } })
    }
    expect(await branches(a, 'ids=1;drop')).toMatchObject({ status: 400 })
  })
})

test('an invitation shows the place that its member would get', async () => {
  expect((await call(server, 'me/invite', { as: a })).data).toMatchObject({
    places: {
      left: { parent_id: `${leg[5]}`, generation: 7 },
      right: { parent_id: `${a.memberId}`, parent_address: a.address, generation: 1 },
    },
    auto: 'right',
  })
  const { places } = (await call(server, 'me/invite', { as: root })).data
  expect(places).toMatchObject({ left: { parent_id: `${leg[5]}`, generation: 8 } })
  expect(places).toMatchObject({ right: { parent_id: `${b.memberId}`, generation: 2 } })
})

describe('labels', () => {
  const set = (as: SignedIn, member_id: bigint, label: string, pinned = false) =>
    call(server, 'me/labels', { as, payload: { member_id: `${member_id}`, label, pinned } })
  const remove = (as: SignedIn, member_id: bigint) =>
    call(server, 'me/labels/delete', { as, payload: { member_id: `${member_id}` } })
  const labels = async (as: SignedIn) => (await call(server, 'me/labels', { as })).data.items

  test('are private, and can be set, changed and deleted', async () => {
    expect(await set(root, leg[1]!, '  田中 👩‍👧 ', true)).toMatchObject({
      data: { member_id: `${leg[1]}`, label: '田中 👩‍👧', pinned: true },
    })
    await set(root, leg[1]!, 'Tanaka')
    await set(root, b.memberId, 'Bee', true)
    expect(await labels(root)).toEqual([
      { member_id: `${b.memberId}`, address: b.address, label: 'Bee', pinned: true },
      expect.objectContaining({ member_id: `${leg[1]}`, label: 'Tanaka', pinned: false }),
    ])
    expect(await labels(a)).toEqual([])
    expect(await remove(a, leg[1]!)).toMatchObject({ status: 200 })
    expect(await labels(root)).toHaveLength(2)
    await remove(root, leg[1]!)
    await set(root, b.memberId, '')
    expect(await labels(root)).toEqual([])
  })

  test('are for the own team only, and the root stays', async () => {
    for (const id of [root.memberId, b.memberId, 999_999n]) {
      expect(await set(a, id, 'x')).toMatchObject({ status: 404, data: { error: 'MEMBER_NOT_FOUND' } })
    }
    expect(await set(a, a.memberId, 'Me')).toMatchObject({ status: 200 })
    expect(await remove(a, a.memberId)).toMatchObject({ status: 403, data: { error: 'FORBIDDEN' } })
  })

  test('are checked for length and characters', async () => {
    for (const label of ['x'.repeat(41), 'a\nb', 'a\u202eb', 'a\u0000']) {
      expect(await set(root, b.memberId, label)).toMatchObject({
        status: 400,
        data: { error: 'VALIDATION_FAILED' },
      })
    }
  })

  test('have a limit', async () => {
    await sql`insert into member_labels select ${a.memberId}, n, 'x', false, now()
      from generate_series(1000000, 1000498) as n`.execute(server.database.db)
    expect(await set(a, leg[0]!, 'x')).toMatchObject({ status: 409, data: { error: 'TOO_MANY_LABELS' } })
    expect(await set(a, a.memberId, 'still changed')).toMatchObject({ status: 200 })
    await sql`delete from member_labels where member_id = ${a.memberId}`.execute(server.database.db)
  })
})

describe('the team in a list', () => {
  const idsOf = (items: { member_id: string }[]) => items.map((item) => item.member_id)
  const list = async (as: SignedIn, query: string) => call(server, `me/relation?${query}`, { as })

  test('shows the counts of each member, also below a team member', async () => {
    const { items } = (await list(root, `id=${a.memberId}&scope=left`)).data
    expect(idsOf(items)).toEqual(texts(leg).reverse())
    expect(items[5]).toMatchObject({ section: 'left', inviter_address: a.address, team_size_all: 5 })
    expect((await list(root, `id=${a.memberId}&scope=direct`)).data.items).toHaveLength(6)
    expect((await list(root, 'scope=direct')).data.items[1]).toMatchObject({
      member_id: `${a.memberId}`,
      invited_count_all: 6,
      team_size_all: 6,
      team_investment: '0.000000',
    })
  })

  test('is filtered by level, valid and section, and found by wallet, code and label', async () => {
    await inTx(server.database.db, async (dbTx) => {
      await server.services.placement.lockVolumes(dbTx)
      const purchase = { memberId: leg[2]!, packageLevel: 3, baseMicros: 1n }
      await server.services.members.recordPurchases(dbTx, [purchase], new Date())
    })
    const { address, inviteCode } = await server.services.members.get(server.database.db, leg[4]!)
    await call(server, 'me/labels', {
      as: root,
      payload: { member_id: `${leg[3]}`, label: 'Old Friend', pinned: false },
    })
    const expected: [string, bigint[]][] = [
      ['level=3', [leg[2]!]],
      ['valid=true', [leg[2]!]],
      ['valid=true&scope=right', []],
      ['valid=false&scope=right', [b.memberId]],
      [`q=${address.toUpperCase().replace('0X', '0x')}`, [leg[4]!]],
      [`q=${address.slice(0, 12)}…${address.slice(-8)}`, [leg[4]!]],
      [`q=${inviteCode.slice(0, 7).toLowerCase()}`, [leg[4]!]],
      ['q=old%20fri', [leg[3]!]],
      ['q=%25', []],
      ['q=0x&scope=direct&sort=oldest', [a.memberId, b.memberId]],
    ]
    for (const [query, ids] of expected) {
      expect([query, idsOf((await list(root, query)).data.items)]).toEqual([query, texts(ids)])
    }
    expect((await list(b, `q=${address}`)).data.items).toEqual([])
    expect((await list(a, 'q=friend')).data.items).toEqual([])
  })

  test('is the same in pages of any size, whether a team is read whole or by walking', async () => {
    for (const query of [
      'sort=oldest',
      'sort=newest',
      'scope=left&sort=oldest',
      'scope=right',
      'valid=false',
    ]) {
      const whole = idsOf((await list(root, query)).data.items)
      for (const limit of [1, 2]) {
        const pages: string[] = []
        let cursor = ''
        do {
          const { items, next } = (await list(root, `${query}&limit=${limit}${cursor}`)).data
          pages.push(...idsOf(items))
          cursor = next === null ? '' : `&cursor=${next}`
        } while (cursor !== '')
        expect([query, pages]).toEqual([query, whole])
      }
    }
  })

  test('is refused for a member outside the own team', async () => {
    for (const scope of ['all', 'direct']) {
      expect(await list(a, `id=${b.memberId}&scope=${scope}`)).toMatchObject({
        status: 404,
        data: { error: 'MEMBER_NOT_FOUND' },
      })
    }
  })
})
