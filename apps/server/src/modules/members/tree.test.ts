import type { TreeNode } from '@rif/api-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
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
/** A's leg of six members goes down the left below A; B stands on the root's right. */
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
  const member = await inDbTx(server.database.db, (dbTx) =>
    members.join(dbTx, { address, sponsorId: sponsor.memberId, side }),
  )
  return member.memberId
}

const tree = (as: SignedIn, query = '') => call(server, `me/tree?${query}`, { as })
const idsOf = (node: TreeNode): string[] => [node.id, ...node.children.flatMap(idsOf)]
const texts = (ids: bigint[]) => ids.map(String)

describe('the tree', () => {
  test('begins with oneself, and tells the places below', async () => {
    const node: TreeNode = (await tree(root, 'depth=1')).data
    expect(node).toMatchObject({
      ...{ id: `${root.memberId}`, pid: null, side: null, section: null, expand: true, isLeaf: false },
      ...{ left_team_size_all: 7, right_team_size_all: 1, invited_count_all: 2 },
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

  test('goes on from the lowest node of a branch, and keeps the section', async () => {
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

  test('is handed out in pieces of a bounded size', async () => {
    expect(await tree(root, 'depth=7')).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
    expect(await tree(root, 'depth=0')).toMatchObject({ status: 400 })
  })
})

describe('the team in a list', () => {
  const list = async (as: SignedIn, query: string) => call(server, `me/relation?${query}`, { as })

  test('tells the counts of each member, also below a member of the own team', async () => {
    const { items } = (await list(root, `id=${a.memberId}&scope=left`)).data
    expect(items.map((item: { member_id: string }) => item.member_id)).toEqual(texts(leg))
    expect(items[0]).toMatchObject({ section: 'left', inviter_address: a.address, team_size_all: 5 })
    expect((await list(root, `id=${a.memberId}&scope=direct`)).data.items).toHaveLength(6)
    expect((await list(root, 'scope=direct')).data.items[1]).toMatchObject({
      ...{ member_id: `${a.memberId}`, invited_count_all: 6, team_size_all: 6, team_investment: '0.000000' },
    })
  })

  test('is not told of a member outside the own team', async () => {
    for (const scope of ['all', 'direct']) {
      expect(await list(a, `id=${b.memberId}&scope=${scope}`)).toMatchObject({
        ...{ status: 404, data: { error: 'MEMBER_NOT_FOUND' } },
      })
    }
  })
})
