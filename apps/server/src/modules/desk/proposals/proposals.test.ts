import { ADMIN_ROLES, type AdminRole, type Route, type RouteName, routes } from '@rif/api-schema'
import { parseMicros, roleAllows } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Db, inTx } from '../../../db/database.ts'
import {
  attempts,
  decide,
  newAdmin,
  prepare,
  sign,
  type TestAdmin,
  tryPrepare,
} from '../../../testing/admin-actions.ts'
import { takeRole } from '../../../testing/roles.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

let server: TestServer
let member: SignedIn
let aheadMs = 0
const staff = {} as Record<AdminRole | 'owner2', TestAdmin>
const db = () => server.database.db

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(Date.now() + aheadMs) })
  member = await signIn(server, newWallet())
  for (const role of ADMIN_ROLES) staff[role] = await newAdmin(server, role)
  staff.owner2 = await newAdmin(server, 'owner')
})
afterAll(() => server.close())

const isRole = (access: string): access is AdminRole => (ADMIN_ROLES as readonly string[]).includes(access)
const table = Object.entries(routes) as [RouteName, Route][]
const adminCalls = table.filter(([, { access }]) => isRole(access))

function send(route: Route, headers: Record<string, string>) {
  const path = route.path.replace(/:\w+/g, '999999')
  const body = route.method === 'POST' ? { payload: {} } : {}
  return call(server, path, { method: route.method, headers, ...body })
}
const bearer = (token: string, address: string) => ({
  authorization: `Bearer ${token}`,
  'x-wallet-address': address,
})

describe('every call of the operators’ side', () => {
  it('declares its role', () => {
    const named = table.filter(([, { path }]) => path.startsWith('admin/'))
    expect(named.map(([name]) => name)).toEqual(adminCalls.map(([name]) => name))
  })

  it.each(adminCalls)('%s is open only to its roles', async (_name, route) => {
    const needed = route.access as AdminRole
    const statusOf = async (headers: Record<string, string>) => (await send(route, headers)).status
    expect(await statusOf({})).toBe(401)
    expect(await statusOf(bearer('x'.repeat(43), staff.owner.address))).toBe(401)
    expect(await statusOf(bearer(staff.owner.token, member.address))).toBe(401)
    expect(await statusOf(bearer(staff.viewer.token, staff.owner.address))).toBe(401)
    expect(await statusOf(bearer(member.token, member.address))).toBe(403)
    for (const role of ADMIN_ROLES) {
      const status = await statusOf(bearer(staff[role].token, staff[role].address))
      // 409: the operator has not configured it.
      if (roleAllows(role, needed)) expect([200, 400, 404, 409]).toContain(status)
      else expect(status).toBe(403)
    }
  })

  it('is refused as soon as the role is revoked', async () => {
    const gone = await newAdmin(server, 'viewer')
    expect((await call(server, 'admin/me', { as: gone })).data).toMatchObject({
      role: 'viewer',
      member: false,
    })
    await takeRole(server.services, gone.address)
    expect((await call(server, 'admin/me', { as: gone })).status).toBe(403)
    // An admin who is not a member cannot use the members' calls.
    expect((await call(server, 'me', { as: staff.viewer })).status).toBe(403)
    expect((await call(server, 'auth/sessions', { as: staff.viewer })).status).toBe(200)
  })
})

const price = (value: string) => ({ asset: 'RIF', price: value })

describe('two people', () => {
  it('prepare and approve: applied once, as shown', async () => {
    const proposal = await prepare(server, staff.operator, 'price', price('0.25'))
    expect(proposal).toMatchObject({ state: 'Open', may_decide: false, hindrance: 'role' })
    const [before, after] = [null, '0.25']
    expect(JSON.parse(proposal.content).difference).toEqual([{ item: null, field: 'price', before, after }])
    expect((await tryPrepare(server, staff.operator, 'price', price('0.3'))).data.error).toBe('PROPOSAL_OPEN')
    const done = await decide(server, staff.approver, proposal, { reason: 'as published' })
    expect(done).toMatchObject({ status: 200, data: { state: 'Applied' } })
    expect((await call(server, 'token/price2')).data.price).toBe('0.250000')
    expect((await decide(server, staff.approver, proposal)).data.error).toBe('PROPOSAL_FINAL')
  })

  it('refuse, withdraw, and let expire', async () => {
    const refused = await prepare(server, staff.operator, 'price', price('0.26'))
    expect(
      await decide(server, staff.approver, refused, { approve: false, reason: 'too early' }),
    ).toMatchObject({
      data: { state: 'Refused', decision_reason: 'too early' },
    })
    const mine = await prepare(server, staff.operator, 'price', price('0.27'))
    const path = `admin/proposals/${mine.proposal_id}/withdraw`
    expect((await call(server, path, { as: staff.owner, payload: {} })).status).toBe(403)
    expect((await call(server, path, { as: staff.operator, payload: {} })).data.state).toBe('Withdrawn')
    const old = await prepare(server, staff.operator, 'price', price('0.28'))
    aheadMs = 73 * 3_600_000
    expect((await decide(server, staff.approver, old)).data.error).toBe('PROPOSAL_FINAL')
    await server.services.proposals.runDue()
    aheadMs = 0
    const { data } = await call(server, `admin/proposals/${old.proposal_id}`, { as: staff.viewer })
    expect(data.state).toBe('Expired')
  })

  it('approve for later: a worker applies it once, with any number of workers', async () => {
    const proposal = await prepare(server, staff.operator, 'price', price('0.5'), { delay_minutes: 60 })
    expect((await decide(server, staff.approver, proposal)).data.state).toBe('Approved')
    await server.services.proposals.runDue()
    expect((await call(server, 'token/price2')).data.price).toBe('0.250000')
    aheadMs = 61 * 60_000
    await Promise.all(Array.from({ length: 4 }, () => server.services.proposals.runDue()))
    expect((await call(server, 'token/price2')).data.price).toBe('0.500000')
    aheadMs = 0
    const { rows } = await sql`select from prices where price_micros = 500000 and asset = 'RIF'`.execute(db())
    expect(rows).toHaveLength(1)
  })

  it('refuse a proposal approved for later, until it takes effect', async () => {
    const proposal = await prepare(server, staff.operator, 'price', price('0.6'), { delay_minutes: 60 })
    expect((await decide(server, staff.approver, proposal)).data.state).toBe('Approved')
    expect((await decide(server, staff.owner, proposal)).data.error).toBe('PROPOSAL_FINAL')
    const refused = await decide(server, staff.owner, proposal, {
      approve: false,
      reason: 'on second thoughts',
    })
    expect(refused.data).toMatchObject({ state: 'Refused', may_decide: false, hindrance: 'final' })
    aheadMs = 61 * 60_000
    await server.services.proposals.runDue()
    aheadMs = 0
    const { rows } = await sql`select from prices where price_micros = 600000`.execute(db())
    expect(rows).toEqual([])
    const actions = await sql<{ action: string }>`
      select action from admin_actions where after ->> 'proposal' = ${proposal.proposal_id} order by action_id`.execute(
      db(),
    )
    expect(actions.rows.map(({ action }) => action)).toEqual([
      'proposal.prepare',
      'proposal.approve',
      'proposal.refuse',
    ])
  })

  it('cannot apply a proposal whose difference has changed', async () => {
    const draft = { asset: 'DIV', rate: '2', day_cap: null }
    const first = await prepare(server, staff.operator, 'exchange_terms', draft)
    await inTx(db(), async (dbTx) => {
      const { exchangeTerms } = server.services
      const other = { asset: 'DIV', rateMicros: parseMicros('3'), dayCapMicros: null, actor: 'a' } as const
      const { termsId } = await exchangeTerms.prepare(dbTx, other)
      await exchangeTerms.review(dbTx, { termsId, approve: true, actor: 'b' })
    })
    expect((await decide(server, staff.approver, first)).data.error).toBe('PROPOSAL_CHANGED')
  })

  it('change the plan from a day on: an owner decides, old days keep their plan, an unfunded plan is refused', async () => {
    const { data } = await call(server, 'admin/plan', { as: staff.viewer })
    const [inForce] = data.versions
    const withReferral = (referralPpm: number) => ({
      ...inForce.figures,
      packages: inForce.figures.packages.map((terms: object) => ({ ...terms, referralPpm })),
    })
    const draft = (referralPpm: number, effective_day = '2200-01-01') => ({
      effective_day,
      figures: withReferral(referralPpm),
    })
    const unfunded = await tryPrepare(server, staff.operator, 'plan', draft(260_000))
    expect(unfunded.data).toMatchObject({
      error: 'VALIDATION_FAILED',
      details: { problem: expect.stringContaining('by 10000 ppm') },
    })
    expect((await tryPrepare(server, staff.operator, 'plan', draft(50_000, data.today))).status).toBe(400)
    const proposal = await prepare(server, staff.operator, 'plan', draft(50_000))
    expect(JSON.parse(proposal.content).difference).toContainEqual({
      item: null,
      field: 'packages[4].referralPpm',
      before: '100000',
      after: '50000',
    })
    expect((await decide(server, staff.approver, proposal)).status).toBe(403)
    expect((await decide(server, staff.owner, proposal)).data.state).toBe('Applied')
    const after = await call(server, 'admin/plan', { as: staff.viewer })
    expect(after.data).toMatchObject({
      in_force: data.in_force,
      versions: [{ effective_day: '2200-01-01', created_by: staff.owner.address.toLowerCase() }, inForce],
    })
    const { plans } = server.services
    expect((await plans.planAt(db(), '2199-12-31')).packages[4]!.referralPpm).toBe(100_000)
    expect((await plans.planAt(db(), '2200-01-01')).packages[4]!.referralPpm).toBe(50_000)
  })

  it('are informed at once of a proposal that could never be applied', async () => {
    const deposit = { deposit_id: '77', document_hash: `0x${'1'.repeat(64)}`, source: 'elsewhere' }
    const attestation = { pool: 'yield_pool', asset: 'USDT', amount: '5', ...deposit }
    const answer = await tryPrepare(server, staff.operator, 'attestation', attestation)
    expect(answer.data).toMatchObject({ error: 'VALIDATION_FAILED', details: { field: 'depositId' } })
  })
})

describe('nobody', () => {
  it('approves the own proposal: not in a second session, not by a second wallet of the person', async () => {
    const both = await newAdmin(server, 'owner', 'Mallory')
    const second = await newAdmin(server, 'approver', 'Mallory')
    const proposal = await prepare(server, both, 'price', price('9'))
    const again = await newAdmin(server, 'owner', 'Mallory', both.wallet)
    for (const own of [both, again, second]) {
      expect(await decide(server, own, proposal)).toMatchObject({
        status: 403,
        data: { error: 'OWN_PROPOSAL' },
      })
    }
    expect(await attempts(server, 'decisionStatement', 'OWN_PROPOSAL')).toBe(3)
    // A wallet cannot become that of another person.
    await expect(newAdmin(server, 'approver', 'Trent', second.wallet)).rejects.toThrow('WALLET_OF_ANOTHER')
    expect((await decide(server, staff.approver, proposal)).status).toBe(200)
  })

  it('approves with another’s signature, for another proposal, or twice', async () => {
    const proposal = await prepare(server, staff.operator, 'price', { asset: 'AMC', price: '1' })
    const other = await prepare(server, staff.operator, 'exchange_terms', {
      asset: 'VC',
      rate: '2',
      day_cap: '5',
    })
    const path = (id: string) => `admin/proposals/${id}/decide`
    const { signed } = await sign(server, staff.approver, proposal)
    const wrong = await sign(server, staff.approver, { ...proposal, content: other.content })
    const attemptsMade = [
      [path(proposal.proposal_id), staff.owner, signed, 'NONCE_INVALID'],
      [path(other.proposal_id), staff.approver, signed, 'NONCE_INVALID'],
      [path(proposal.proposal_id), staff.approver, wrong.signed, 'SIGNATURE_INVALID'],
      [
        path(proposal.proposal_id),
        staff.approver,
        { ...signed, nonce: `0x${'a'.repeat(64)}` },
        'NONCE_INVALID',
      ],
    ] as const
    for (const [to, as, payload, error] of attemptsMade) {
      expect((await call(server, to, { as, payload })).data).toMatchObject({ error })
    }
    const twice = await Promise.all(
      [1, 2].map(() => call(server, path(proposal.proposal_id), { as: staff.approver, payload: signed })),
    )
    expect(twice.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    const replay = await call(server, path(proposal.proposal_id), { as: staff.approver, payload: signed })
    expect(replay.data.error).toBe('NONCE_INVALID')
    expect(await attempts(server, 'decideProposal', 'NONCE_INVALID')).toBeGreaterThanOrEqual(4)
    expect(await attempts(server, 'decideProposal', 'SIGNATURE_INVALID')).toBe(1)
    const late = await sign(server, staff.approver, other)
    aheadMs = 11 * 60_000
    const answer = await call(server, path(other.proposal_id), { as: staff.approver, payload: late.signed })
    aheadMs = 0
    expect(answer.data.error).toBe('NONCE_INVALID')
  })

  it('prepares or decides above the own role', async () => {
    const role = { address: newWallet().address, role: 'owner', person: { new_name: 'Eve' } }
    expect((await tryPrepare(server, staff.operator, 'role', role)).status).toBe(403)
    const proposal = await prepare(server, staff.owner, 'role', role)
    expect((await decide(server, staff.approver, proposal)).status).toBe(403)
    expect((await decide(server, staff.owner, proposal)).data.error).toBe('OWN_PROPOSAL')
    expect((await decide(server, staff.owner2, proposal)).data.state).toBe('Applied')
    const { data } = await call(server, 'admin/roles', { as: staff.viewer })
    expect(data.items).toContainEqual(expect.objectContaining({ person: 'Eve', role: 'owner' }))
  })

  it('decides about the own role, or that of another own wallet', async () => {
    const concerned = await newAdmin(server, 'owner', 'Oda')
    const { address } = concerned
    const { data: me } = await call(server, 'admin/me', { as: concerned })
    const person = { number: me.person_number }
    const out = await prepare(server, staff.owner, 'role', { address, person, role: null })
    expect((await decide(server, concerned, out, { approve: false })).data.error).toBe('OWN_PROPOSAL')
    const second = { address: newWallet().address, person, role: 'approver' }
    const more = await prepare(server, staff.owner, 'role', second)
    expect((await decide(server, concerned, more)).data.error).toBe('OWN_PROPOSAL')
    for (const proposal of [more, out])
      expect((await decide(server, staff.owner2, proposal)).data.state).toBe('Applied')
    expect((await call(server, 'admin/me', { as: concerned })).status).toBe(403)
  })

  it('decides about an own account, or leaves fewer than two owners', async () => {
    const inside = await newAdmin(server, 'approver', 'Ines', newWallet())
    const joined = await signIn(server, inside.wallet)
    const cap = { member_id: `${joined.memberId}`, cap: '50' }
    const proposal = await prepare(server, staff.operator, 'day_cap', cap)
    expect((await decide(server, { ...inside, ...joined }, proposal)).data.error).toBe('OWN_PROPOSAL')
    const owners = (await call(server, 'admin/roles', { as: staff.owner })).data.items.filter(
      (item: { role: string; address: string }) =>
        item.role === 'owner' && ![staff.owner.address, staff.owner2.address].includes(item.address as never),
    )
    for (const { address, person_number: number } of owners) {
      const out = await prepare(server, staff.owner, 'role', { address, person: { number }, role: null })
      expect((await decide(server, staff.owner2, out)).status).toBe(200)
    }
    const { data: me } = await call(server, 'admin/me', { as: staff.owner2 })
    const person = { number: me.person_number }
    const last = { address: staff.owner2.address, person, role: 'viewer' }
    expect((await tryPrepare(server, staff.owner, 'role', last)).data.error).toBe('LAST_OWNER')
  })
})

describe('the log', () => {
  it('contains attempts, and can be searched and downloaded', async () => {
    expect(await attempts(server, 'adminMe', 'UNAUTHORIZED')).toBeGreaterThan(0)
    expect(await attempts(server, 'adminMe', 'FORBIDDEN')).toBeGreaterThan(0)
    const page = await call(server, 'admin/log?q=price&action=proposal.&limit=5', { as: staff.viewer })
    expect(page.data.items.length).toBeGreaterThan(1)
    expect(page.data.next).not.toBeNull()
    const file = async (kind: string) =>
      (
        await server.app.inject({
          url: `/api/v1/admin/log/${kind}?action=proposal.`,
          headers: bearer(staff.viewer.token, staff.viewer.address),
        })
      ).body
        .trim()
        .split('\n')
    const lines = (await file('jsonl')).map((line) => JSON.parse(line))
    expect(lines.every(({ action }) => action.startsWith('proposal.'))).toBe(true)
    expect(await file('csv')).toHaveLength(lines.length + 1)
  })

  it('is one chain, which a changed, missing or forged entry breaks', async () => {
    const check = async () => (await call(server, 'admin/log/check', { as: staff.viewer })).data
    const { entries, broken } = await check()
    expect(entries).toBeGreaterThan(30)
    expect(broken).toBeNull()
    const { adminDb } = server.database
    await expect(sql`update admin_actions set reason = 'x'`.execute(adminDb)).rejects.toThrow('never changed')
    await expect(sql`delete from admin_seals`.execute(adminDb)).rejects.toThrow('never changed')
    const tampered = async (work: string) => {
      const rollback = new Error('rollback')
      let firstProblem: unknown
      await adminDb
        .transaction()
        .execute(async (dbTx) => {
          await sql`set local session_replication_role = replica`.execute(dbTx)
          await sql.raw(work).execute(dbTx)
          firstProblem = await firstBreak(dbTx)
          throw rollback
        })
        .catch((error: unknown) => expect(error).toBe(rollback))
      return firstProblem as { seq: string; problem: string }
    }
    expect(await tampered(`update admin_actions set after = '{}' where action_id = 7`)).toMatchObject({
      seq: `${await seqOf(7)}`,
    })
    expect((await tampered('delete from admin_seals where seq = 9')).seq).toBe('10')
    expect((await tampered('delete from admin_seals where seq = 8')).seq).toBe('9')
    const last = 'delete from admin_seals where seq = (select max(seq) from admin_seals)'
    expect((await tampered(last)).problem).toContain('expected a seal')
    expect(await firstBreak(db())).toBeNull()
    expect((await tampered('delete from admin_actions where action_id = 12')).problem).toContain('no action')
    const rehashed = `update admin_seals as s set hash = admin_action_hash(
        previous, seq, a.action_id, a.actor, a.action, a.subject, a.reason, a.before, a.after, a.acted_at)
      from admin_actions as a where a.action_id = s.action_id and seq = 5`
    const change = `update admin_actions set actor = 'x' where action_id = ${await actionOf(5)}`
    expect((await tampered(`${change}; ${rehashed}`)).seq).toBe('6')
    expect(await check()).toMatchObject({ broken: null })
  })
})

/**
 * Returns the first break of the chain, checked as a whole and in small parts: both must find one, or none.
 */
async function firstBreak(dbTx: Db): Promise<unknown> {
  const { adminLog } = server.services
  const whole = await adminLog.check(dbTx)
  let part = await adminLog.check(dbTx, { atATime: 4n })
  while (part.next !== null) part = await adminLog.check(dbTx, { atATime: 4n, cursor: part.next })
  expect(part.broken === null).toBe(whole.broken === null)
  return whole.broken
}

async function seqOf(actionId: number): Promise<bigint> {
  const { rows } = await sql<{
    seq: bigint
  }>`select seq from admin_seals where action_id = ${actionId}`.execute(db())
  return rows[0]!.seq
}

async function actionOf(seq: number): Promise<bigint> {
  const { rows } = await sql<{
    id: bigint
  }>`select action_id as id from admin_seals where seq = ${seq}`.execute(db())
  return rows[0]!.id
}
