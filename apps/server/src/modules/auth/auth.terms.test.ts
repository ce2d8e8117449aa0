import { currentTerms, termsUri } from '@rif/rules'
import { sql } from 'kysely'
import type { LocalAccount } from 'viem'
import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { createServices } from '../../services.ts'
import { newAdmin } from '../../testing/admin-actions.ts'
import { deployWalletFactory } from '../../testing/fixtures/contract-wallet.ts'
import {
  call,
  messageOf,
  newWallet,
  PUBLIC_URL,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'

const FIRST = currentTerms()
const SECOND = { version: '2999-01-01', sha256: 'cd'.repeat(32) }

let server: TestServer
/** The same database after a release with a new version. */
let later: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const settings = { ...server.services.settings, termsVersions: [FIRST, SECOND] }
  const services = createServices({ ...server.services, settings })
  const rateLimits = { perIp: 1e9, perMember: 1e9, signInPerIp: 1e9 }
  later = { ...server, services, app: await createApp(services, { rateLimits, log: server.services.log }) }
})
afterAll(async () => {
  await later.app.close()
  await server.close()
})

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
      ...{ terms_uri: termsUri(PUBLIC_URL, FIRST), terms_accepted: null },
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

  it.each([
    [
      'another hash',
      'resources',
      { resources: [termsUri(PUBLIC_URL, { ...FIRST, sha256: 'ab'.repeat(32) })] },
    ],
    ['another site', 'resources', { resources: [termsUri('http://evil.test', FIRST)] }],
    ['a version never published', 'resources', { resources: [termsUri(PUBLIC_URL, SECOND)] }],
    ['two resources', 'resources', { resources: Array(2).fill(termsUri(PUBLIC_URL, FIRST)) }],
    ['a statement of another version', 'statement', { statement: 'I accept nothing and sign in.' }],
  ])('is refused with %s', async (_, reason, changes) => {
    const wallet = newWallet()
    const payload = { ...(await signedAt(server, wallet, changes)), invite_code: server.root.inviteCode }
    expect(await call(server, 'auth', { payload })).toMatchObject({
      ...{ status: 400, data: { error: 'MESSAGE_INVALID', details: { reason } } },
    })
  })

  it('cannot be changed or removed, by the application or its owner', async () => {
    await signIn(server, newWallet())
    for (const change of [
      sql`update terms_acceptances set version = '2000-01-01'`,
      sql`delete from terms_acceptances`,
    ])
      await expect(change.execute(server.database.db)).rejects.toThrow('permission denied')
    await expect(sql`delete from terms_acceptances`.execute(server.database.adminDb)).rejects.toThrow(
      'never changed',
    )
  })
})

describe('after a new version', () => {
  it('a message without a version or with the earlier one is refused with the new version', async () => {
    const wallet = newWallet()
    const old = await signIn(server, wallet)
    for (const changes of [{ resources: [termsUri(PUBLIC_URL, FIRST)] }, { resources: undefined }])
      expect(await call(later, 'auth', { payload: await signedAt(later, wallet, changes) })).toMatchObject({
        ...{ status: 409, data: { error: 'TERMS_OUTDATED', details: SECOND } },
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
    expect(items.map((one: { version: string }) => one.version)).toEqual([SECOND.version, FIRST.version])
  })

  it('an open session goes on, and accepts it once by a signature without a new session', async () => {
    const as = await signIn(server, newWallet())
    expect((await call(later, 'me', { as })).status).toBe(200)
    const request = await signedAt(later, as.wallet)
    const accept = (payload: object) => call(later, 'auth/terms', { as, payload })
    expect(await accept(request)).toMatchObject({
      ...{ status: 200, data: { items: [{ ...SECOND, ...request }, { version: FIRST.version }] } },
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
      ...{ version: SECOND.version, leaves_only: true, items: [{ version: FIRST.version }] },
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
      ...{ status: 403, data: { error: 'TERMS_NOT_ACCEPTED' } },
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
      ...{ status: 403, data: { error: 'TERMS_NOT_ACCEPTED' } },
    })
  })

  it('nobody accepts for another wallet', async () => {
    const [as, other] = [await signIn(server, newWallet()), await signIn(server, newWallet())]
    const payload = await signedAt(later, other.wallet)
    expect(await call(later, 'auth/terms', { as, payload })).toMatchObject({
      ...{ status: 400, data: { error: 'MESSAGE_INVALID', details: { reason: 'address' } } },
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
