import { createHash } from 'node:crypto'
import {
  changedTerms,
  dayOf,
  defaultPlan,
  figuresIn,
  serialisePlan,
  startOfDay,
  type TermsVersion,
  termsPath,
  termsUri,
} from '@rif/rules'
import { sql } from 'kysely'
import { getAddress, type LocalAccount } from 'viem'
import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../app.ts'
import { inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { createServices, type ServiceSettings } from '../../../services.ts'
import { newAdmin } from '../../../testing/admin-actions.ts'
import { deployWalletFactory } from '../../../testing/fixtures/contract-wallet.ts'
import {
  call,
  messageOf,
  newWallet,
  PUBLIC_URL,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

const DAY_MS = 86_400_000
const OPERATOR = { name: 'RIF Ltd', address: 'Street 1', law: 'Singapore', venue: 'Singapore' }

let server: TestServer
/** The same database with other settings: the operator is another one. */
let later: TestServer
let FIRST: TermsVersion
let SECOND: TermsVersion
const others: TestServer[] = []

/** Another process on the same database. */
async function process(
  settings: Partial<ServiceSettings>,
  now: Now = server.services.now,
): Promise<TestServer> {
  const services = createServices({
    ...server.services,
    now,
    settings: { ...server.services.settings, ...settings },
  })
  const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
  const app = await createApp(services, { rateLimits, log: server.services.log })
  const other = { ...server, services, app }
  others.push(other)
  return other
}

beforeAll(async () => {
  server = await startTestServer()
  later = await process({ operator: OPERATOR })
  FIRST = await server.services.termsTexts.inForce()
  SECOND = await later.services.termsTexts.keep()
})
afterAll(async () => {
  await Promise.all(others.map(({ app }) => app.close()))
  await server.close()
})

/** Returns the response to a request for a published text. */
const published = (at: TestServer, version: string) =>
  at.app.inject({ method: 'GET', url: termsPath(version) })

const nonceAt = async (at: TestServer, wallet: LocalAccount) =>
  (await call(at, `nonce?address=${wallet.address}`)).data

/** Signs a message that names a version as a browser of `at` shows it. */
async function signedAt(at: TestServer, wallet: LocalAccount, changes: Partial<SiweMessage> = {}) {
  const message = messageOf(await nonceAt(at, wallet), wallet.address, changes)
  return { message, signature: await wallet.signMessage({ message }) }
}

const acceptedBy = async (as: SignedIn, at = server) => (await call(at, 'auth/terms', { as })).data

describe('the version of terms and risks', () => {
  it('is named by the signed message, and kept with message, signature, hash and time', async () => {
    const wallet = newWallet()
    expect(await nonceAt(server, wallet)).toMatchObject({
      terms_uri: termsUri(PUBLIC_URL, FIRST),
      terms_accepted: null,
      statement: expect.stringContaining(`version ${FIRST.version}`),
    })
    const request = await signedAt(server, wallet)
    const before = Date.now()
    const { data } = await call(server, 'auth', {
      payload: { ...request, invite_code: server.root.inviteCode },
    })
    const as = { wallet, token: data.token, address: wallet.address, memberId: BigInt(data.member_id) }
    const { items, ...inForce } = await acceptedBy(as)
    expect(inForce).toEqual({ ...FIRST, leaves_only: false })
    expect(request.message).toContain(`\nResources:\n- ${termsUri(PUBLIC_URL, FIRST)}`)
    expect(items).toEqual([{ ...FIRST, ...request, accepted_at: expect.any(String) }])
    expect(Date.parse(items[0].accepted_at)).toBeGreaterThanOrEqual(before)
    expect((await nonceAt(server, wallet)).terms_accepted).toBe(FIRST.version)
    const { rows } = await sql<{ memberId: bigint; address: string }>`
      select member_id as "memberId", address from terms_acceptances where address = ${wallet.address.toLowerCase()}`.execute(
      server.database.db,
    )
    expect(rows).toEqual([{ memberId: as.memberId, address: wallet.address.toLowerCase() }])
  })

  it('is kept once: a later sign-in with the same version leaves the first evidence', async () => {
    const wallet = newWallet()
    const as = await signIn(server, wallet)
    const first = await acceptedBy(as)
    await signIn(server, wallet)
    expect(await acceptedBy(as)).toEqual(first)
  })

  it.each<[string, string, () => Partial<SiweMessage>]>([
    [
      'another hash',
      'resources',
      () => ({ resources: [termsUri(PUBLIC_URL, { ...FIRST, sha256: 'ab'.repeat(32) })] }),
    ],
    ['another site', 'resources', () => ({ resources: [termsUri('http://evil.test', FIRST)] })],
    [
      'a text that was never in force',
      'resources',
      () => ({
        resources: [termsUri(PUBLIC_URL, { version: '2026-11-29-cdcdcdcd', sha256: 'cd'.repeat(32) })],
      }),
    ],
    ['two resources', 'resources', () => ({ resources: Array(2).fill(termsUri(PUBLIC_URL, FIRST)) })],
    ['a statement of another version', 'statement', () => ({ statement: 'I accept nothing and sign in.' })],
  ])('is refused with %s', async (_, reason, changes) => {
    const wallet = newWallet()
    const payload = { ...(await signedAt(server, wallet, changes())), invite_code: server.root.inviteCode }
    expect(await call(server, 'auth', { payload })).toMatchObject({
      status: 400,
      data: { error: 'MESSAGE_INVALID', details: { reason } },
    })
  })

  it('cannot be changed or removed, by the application or its owner', async () => {
    await signIn(server, newWallet())
    for (const change of [
      sql`update terms_acceptances set version = '2000-01-01'`,
      sql`delete from terms_acceptances`,
      sql`update terms_texts set text = 'other words'`,
      sql`delete from terms_texts`,
    ])
      await expect(change.execute(server.database.db)).rejects.toThrow('permission denied')
    for (const table of ['terms_acceptances', 'terms_texts'])
      await expect(sql`delete from ${sql.table(table)}`.execute(server.database.adminDb)).rejects.toThrow(
        'never changed',
      )
  })
})

describe('the text that a signature binds', () => {
  it('is stored whole with the figures of the day, and served unchanged under the hash that was signed', async () => {
    const answer = await published(server, FIRST.version)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(FIRST.sha256)
    expect(answer.body).toContain('A withdrawal costs 1%, at least 1 USDT worth, free refunds')
    expect(answer.body).toContain(
      'Launch 100: 100 USDT, at most 200 sold. Referral 6%, organisation 2%, static 0.6% a day',
    )
    expect(answer.body).toContain(`bank contract ${getAddress(server.chain.contracts.bank)}`)
    expect(answer.body).not.toMatch(/[{}]/)
    expect(figuresIn(answer.body)).toMatchObject({ fee: '1%', planVersion: '1', savingsUsdt: '18%' })
    expect((await call(server, 'config')).data.terms).toEqual(FIRST)
    // Also by a process that has another text in force.
    expect((await published(later, FIRST.version)).body).toBe(answer.body)
  })

  it('names the operator and the law of the settings', async () => {
    const { body } = await published(server, SECOND.version)
    expect(body).toContain(
      'Operator: RIF Ltd. Address: Street 1. Questions and complaints: Street 1. Law: Singapore.',
    )
    expect(changedTerms((await published(server, FIRST.version)).body, body)).toEqual([
      'terms.operator',
      'figures.all',
    ])
  })

  it('is the one of before the figures were bound, where that was signed', async () => {
    const { body } = await published(server, '2026-11-23')
    expect(createHash('sha256').update(body).digest('hex')).toBe(
      '16eaddc709b8f10066a1e5040797218a68362642b49aea354b268fea73a19444',
    )
  })

  it.each(['2999-01-01-abababab', '2026-11-28', 'x', '..%2f2026-11-23'])(
    'does not exist as %s',
    async (name) => {
      expect((await published(server, name)).statusCode).toBe(404)
    },
  )

  it('has the same bytes in every process with the same settings', async () => {
    const twin = await process({ operator: { ...OPERATOR } })
    expect(await twin.services.termsTexts.keep()).toEqual(SECOND)
    const { rows } = await sql`select from terms_texts where version like '2026-11-29-%'`.execute(
      server.database.db,
    )
    expect(rows).toHaveLength(2)
  })

  it('cannot be stored with the hash of another text', async () => {
    const text = 'Withdrawals cost nothing.'
    const store = (sha256: Buffer) =>
      sql`insert into terms_texts (version, sha256, text, created_at)
        values ('2026-11-29-00000000', ${sha256}, ${text}, now())`.execute(server.database.adminDb)
    await expect(store(Buffer.from(FIRST.sha256, 'hex'))).rejects.toThrow('terms_texts_check')
  })
})

describe('after a figure of the plan has changed', () => {
  let tomorrow: number
  let clock: number
  let next: TestServer

  beforeAll(async () => {
    const { plans } = server.services
    const day = dayOf(Date.now() + DAY_MS)
    tomorrow = startOfDay(day)
    const withdrawal = { ...defaultPlan.withdrawal, feePpm: 20_000 }
    const draft = { plan: serialisePlan({ ...defaultPlan, withdrawal }), effectiveDay: day, actor: 'test' }
    await inTx(server.database.db, (dbTx) => plans.publish(dbTx, draft))
    next = await process({}, () => new Date(clock))
  })

  it('another text is in force from 00:00 UTC on, and members are asked again', async () => {
    const as = await signIn(server, newWallet())
    clock = tomorrow - 1
    expect(await next.services.termsTexts.inForce()).toEqual(FIRST)
    expect((await nonceAt(next, as.wallet)).terms_accepted).toBe(FIRST.version)
    clock = tomorrow
    const inForce = await next.services.termsTexts.inForce()
    expect(await nonceAt(next, as.wallet)).toMatchObject({
      terms_accepted: FIRST.version,
      terms_uri: termsUri(PUBLIC_URL, inForce),
    })
    const { body } = await published(next, inForce.version)
    expect(body).toContain('A withdrawal costs 2%')
    expect(changedTerms((await published(next, FIRST.version)).body, body)).toEqual([
      'terms.version',
      'terms.payouts',
      'figures.all',
    ])
    // A session of the day before goes on.
    expect((await call(next, 'me', { as })).status).toBe(200)
  })

  it('a message that was asked for before midnight is taken in its minutes, for the text that it names', async () => {
    const wallet = newWallet()
    const as = await signIn(server, wallet)
    clock = tomorrow - 30_000
    const request = await signedAt(next, wallet, { issuedAt: new Date(clock) })
    const second = await signedAt(next, wallet, { issuedAt: new Date(clock) })
    clock = tomorrow + 30_000
    expect((await call(next, 'auth', { payload: request })).status).toBe(200)
    const inForce = await next.services.termsTexts.inForce()
    expect(await acceptedBy(as, next)).toMatchObject({ version: inForce.version, items: [FIRST] })
    expect((await nonceAt(next, wallet)).terms_accepted).toBe(FIRST.version)

    // The new text is named only by a message that was asked for since.
    const forged = {
      ...second,
      message: second.message
        .replaceAll(FIRST.version, inForce.version)
        .replace(FIRST.sha256, inForce.sha256),
    }
    expect(await call(next, 'auth', { payload: forged })).toMatchObject({
      status: 409,
      data: { error: 'TERMS_OUTDATED', details: FIRST },
    })
    const issuedAt = new Date(clock)
    expect((await call(next, 'auth', { payload: await signedAt(next, wallet, { issuedAt }) })).status).toBe(
      200,
    )
    expect((await acceptedBy(as, next)).items).toMatchObject([inForce, FIRST])
  })

  it('a figure that is changed back brings back the text, which is not asked for again', async () => {
    const wallet = newWallet()
    await signIn(server, wallet)
    await signIn(later, wallet)
    expect((await nonceAt(later, wallet)).terms_accepted).toBe(SECOND.version)
    expect((await nonceAt(server, wallet)).terms_accepted).toBe(FIRST.version)
  })
})

describe('after a new text', () => {
  it('a message without a version or with the earlier one is refused with the new version', async () => {
    const wallet = newWallet()
    const old = await signIn(server, wallet)
    for (const changes of [{ resources: [termsUri(PUBLIC_URL, FIRST)] }, { resources: undefined }])
      expect(await call(later, 'auth', { payload: await signedAt(later, wallet, changes) })).toMatchObject({
        status: 409,
        data: { error: 'TERMS_OUTDATED', details: SECOND },
      })
    expect((await acceptedBy(old, later)).items).toHaveLength(1)
  })

  it('a sign-in accepts it, and both versions stay', async () => {
    const wallet = newWallet()
    await signIn(server, wallet)
    expect((await nonceAt(later, wallet)).terms_accepted).toBe(FIRST.version)
    const as = await signIn(later, wallet)
    const { version, items } = await acceptedBy(as, later)
    expect(version).toBe(SECOND.version)
    expect(items.map((item: { version: string }) => item.version)).toEqual([SECOND.version, FIRST.version])
  })

  it('an open session goes on, and accepts it once by a signature without a new session', async () => {
    const as = await signIn(server, newWallet())
    expect((await call(later, 'me', { as })).status).toBe(200)
    const request = await signedAt(later, as.wallet)
    const accept = (payload: object) => call(later, 'auth/terms', { as, payload })
    expect(await accept(request)).toMatchObject({
      status: 200,
      data: { items: [{ ...SECOND, ...request }, { version: FIRST.version }] },
    })
    expect((await call(later, 'auth/sessions', { as })).data.items).toHaveLength(1)
    expect(await accept(request)).toMatchObject({ data: { error: 'NONCE_INVALID' } })
  })

  it('who declines it signs in only to take out, until the wallet accepts', async () => {
    const as = await signIn(server, newWallet())
    const { leave_statement: statement } = await nonceAt(later, as.wallet)
    expect(statement).toContain(`version ${SECOND.version}`)
    const declined = { statement, resources: undefined }
    const signedIn = await call(later, 'auth', { payload: await signedAt(later, as.wallet, declined) })
    expect(signedIn.status).toBe(200)
    const leaving = { ...as, token: signedIn.data.token }
    expect(await acceptedBy(leaving, later)).toMatchObject({
      version: SECOND.version,
      leaves_only: true,
      items: [{ version: FIRST.version }],
    })
    const save = (session: SignedIn) =>
      call(later, 'savings/in', { as: session, payload: { asset: 'USDT', amount: '1' } })
    expect(await save(leaving)).toMatchObject({ status: 403, data: { error: 'TERMS_NOT_ACCEPTED' } })
    // What is refused here is refused for the amount, not for the terms.
    const withdrawal = { asset: 'USDT', amount: '1', to: as.address }
    expect((await call(later, 'withdraw/check', { as: leaving, payload: withdrawal })).data.error).not.toBe(
      'TERMS_NOT_ACCEPTED',
    )
    expect((await call(later, 'me', { as: leaving })).status).toBe(200)

    const again = await signedAt(later, as.wallet, {
      ...declined,
      nonce: (await nonceAt(later, as.wallet)).nonce,
    })
    expect(await call(later, 'auth/terms', { as: leaving, payload: again })).toMatchObject({
      status: 403,
      data: { error: 'TERMS_NOT_ACCEPTED' },
    })
    const { data } = await call(later, 'auth/terms', {
      as: leaving,
      payload: await signedAt(later, as.wallet),
    })
    expect(data).toMatchObject({ leaves_only: false, items: [{ version: SECOND.version }, {}] })
    expect((await save(leaving)).data.error).not.toBe('TERMS_NOT_ACCEPTED')
  })

  it('nobody joins or operates without accepting it', async () => {
    const wallet = newWallet()
    const { leave_statement: statement } = await nonceAt(later, wallet)
    const payload = {
      ...(await signedAt(later, wallet, { statement, resources: undefined })),
      invite_code: server.root.inviteCode,
    }
    expect(await call(later, 'auth', { payload })).toMatchObject({ data: { error: 'TERMS_NOT_ACCEPTED' } })
    expect((await nonceAt(later, wallet)).registered).toBe(false)

    const decline = async (as: LocalAccount) => {
      const { leave_statement: words } = await nonceAt(later, as)
      const signed = await signedAt(later, as, { statement: words, resources: undefined })
      return (await call(later, 'auth', { payload: signed })).data
    }
    const operator = await newAdmin(server, 'operator')
    expect(await decline(operator.wallet)).toMatchObject({ error: 'TERMS_NOT_ACCEPTED' })
    const member = await signIn(server, newWallet())
    await newAdmin(server, 'operator', 'a member too', member.wallet)
    const as = { ...member, token: (await decline(member.wallet)).token }
    expect(await call(later, 'admin/members', { as })).toMatchObject({
      status: 403,
      data: { error: 'TERMS_NOT_ACCEPTED' },
    })
  })

  it('nobody accepts for another wallet', async () => {
    const [as, other] = [await signIn(server, newWallet()), await signIn(server, newWallet())]
    const payload = await signedAt(later, other.wallet)
    expect(await call(later, 'auth/terms', { as, payload })).toMatchObject({
      status: 400,
      data: { error: 'MESSAGE_INVALID', details: { reason: 'address' } },
    })
    const { message } = await signedAt(later, as.wallet)
    const forged = { message, signature: payload.signature }
    expect(await call(later, 'auth/terms', { as, payload: forged })).toMatchObject({
      data: { error: 'SIGNATURE_INVALID' },
    })
    expect((await acceptedBy(as)).items).toHaveLength(1)
    expect((await acceptedBy(other)).items).toHaveLength(1)
  })
})

it('the evidence of a contract wallet is what its contract took (EIP-1271)', async () => {
  const factory = await deployWalletFactory(server.chain.rpcUrl, server.chain.accounts[0]!)
  const owner = newWallet()
  await factory.deploy(owner.address)
  const address = await factory.addressOf(owner.address)
  const message = messageOf((await call(server, `nonce?address=${address}`)).data, address)
  const signature = await owner.signMessage({ message })
  const { data } = await call(server, 'auth', {
    payload: { message, signature, invite_code: server.root.inviteCode },
  })
  const as = { wallet: owner, token: data.token, address, memberId: BigInt(data.member_id) }
  expect((await acceptedBy(as)).items).toMatchObject([{ message, signature, sha256: FIRST.sha256 }])
})
