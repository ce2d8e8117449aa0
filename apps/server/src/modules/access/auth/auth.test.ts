import { sql } from 'kysely'
import type { Hex, LocalAccount } from 'viem'
import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceOf } from '../../../lib/device.ts'
import { deployWalletFactory, type WalletFactory } from '../../../testing/fixtures/contract-wallet.ts'
import {
  call,
  messageOf,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'

const MINUTE_MS = 60_000

let server: TestServer
let factory: WalletFactory
let aheadMs = 0

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(Date.now() + aheadMs) })
  factory = await deployWalletFactory(server.chain.rpcUrl, server.chain.accounts[0]!)
})
afterAll(() => server.close())

const nonceFor = async (address: string) => (await call(server, `nonce?address=${address}`)).data

async function signed(wallet: LocalAccount, changes: Partial<SiweMessage> = {}) {
  const message = messageOf(await nonceFor(wallet.address), wallet.address, changes)
  return { message, signature: await wallet.signMessage({ message }) }
}

const post = (payload: object) => call(server, 'auth', { payload })

describe('signing in', () => {
  it('makes a member of a wallet with an invitation, and knows it afterwards', async () => {
    const wallet = newWallet()
    expect((await nonceFor(wallet.address)).registered).toBe(false)
    const first = await post({
      ...(await signed(wallet)),
      invite_code: server.root.inviteCode.toLowerCase(),
      side: 'right',
    })
    expect(first).toMatchObject({ code: 200, data: { address: wallet.address, new_member: true } })
    expect((await nonceFor(wallet.address)).registered).toBe(true)
    const again = await post(await signed(wallet))
    expect(again).toMatchObject({ code: 200, data: { member_id: first.data.member_id, new_member: false } })
    expect(again.data.token).not.toBe(first.data.token)
  })

  it('stores a hash, never the token', async () => {
    const { token } = await signIn(server, newWallet())
    const { rows } = await sql<{ text: string }>`select sessions::text as text from sessions`.execute(
      server.database.db,
    )
    expect(rows.some((row) => row.text.includes(token))).toBe(false)
    expect(rows.some((row) => row.text.includes(Buffer.from(token).toString('hex')))).toBe(false)
  })

  it('asks a new wallet for an invitation, and lets it try another code with the same signature', async () => {
    const request = await signed(newWallet())
    expect(await post(request)).toMatchObject({ code: 403, data: { error: 'INVITATION_REQUIRED' } })
    expect(await post({ ...request, invite_code: 'ZZZZ9999' })).toMatchObject({
      code: 404,
      data: { error: 'INVITATION_INVALID' },
    })
    expect(await post({ ...request, invite_code: server.root.inviteCode })).toMatchObject({ code: 200 })
  })

  it('accepts a nonce once, also when it is sent twenty times at once', async () => {
    const request = { ...(await signed(newWallet())), invite_code: server.root.inviteCode }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(request)))
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.data.error === 'NONCE_INVALID')).toHaveLength(19)
    expect(await post(request)).toMatchObject({ code: 400, data: { error: 'NONCE_INVALID' } })
  })

  it('makes one member of a wallet that signs in with many nonces at once', async () => {
    const wallet = newWallet()
    const requests = await Promise.all(Array.from({ length: 8 }, () => signed(wallet)))
    const answers = await Promise.all(
      requests.map((request) => post({ ...request, invite_code: server.root.inviteCode })),
    )
    expect(answers.map((answer) => answer.code)).toEqual(requests.map(() => 200))
    expect(new Set(answers.map((answer) => answer.data.member_id)).size).toBe(1)
    expect(answers.filter((answer) => answer.data.new_member)).toHaveLength(1)
  })
})

describe('sessions', () => {
  const sessions = async (as: SignedIn) => (await call(server, 'auth/sessions', { as })).data.items
  const end = (as: SignedIn, payload: object) => call(server, 'auth/sessions/end', { as, payload })
  const works = async (as: SignedIn) => (await call(server, 'me', { as })).status === 200

  it('tell the own sign-ins apart and end one, or all others', async () => {
    const wallet = newWallet()
    const phone = await signIn(server, wallet)
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
    const request = await signed(wallet)
    const { data } = await call(server, 'auth', { payload: request, headers: { 'user-agent': agent } })
    const desk = { ...phone, token: data.token }
    const third = await signIn(server, wallet)

    const listed = await sessions(desk)
    expect(listed).toHaveLength(3)
    expect(listed.find((item: { current: boolean }) => item.current)).toMatchObject({
      device: 'Chrome · Windows',
    })
    const [current] = (await sessions(third)).filter((session: { current: boolean }) => session.current)
    expect(await end(desk, { session_id: current.session_id })).toMatchObject({ data: { ended: 1 } })
    expect([await works(phone), await works(desk), await works(third)]).toEqual([true, true, false])
    expect(await end(desk, { session_id: current.session_id })).toMatchObject({ status: 404 })

    expect(await end(desk, { others: true })).toMatchObject({ data: { ended: 1 } })
    expect([await works(phone), await works(desk)]).toEqual([false, true])
    expect(await end(desk, { session_id: '1', others: true })).toMatchObject({ status: 400 })
  })

  it('note their use in steps of five minutes', async () => {
    const as = await signIn(server, newWallet())
    const [first] = await sessions(as)
    aheadMs += 4 * MINUTE_MS
    await call(server, 'me', { as })
    expect((await sessions(as))[0].last_used_at).toBe(first.last_used_at)
    aheadMs += 2 * MINUTE_MS
    await call(server, 'me', { as })
    const [used] = await sessions(as)
    expect(Date.parse(used.last_used_at) - Date.parse(first.last_used_at)).toBeGreaterThan(5 * MINUTE_MS)
    expect(used.created_at).toBe(first.created_at)
    aheadMs = 0
  })
})

describe('the device of a session', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari · iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36 MetaMaskMobile',
      'MetaMask · Android',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    ['curl/8.0', null],
    ['', null],
  ])('is told in plain words: %s', (agent, device) => {
    expect(deviceOf(agent)).toBe(device)
  })
})

describe('a sign-in message is refused', () => {
  const refusals: [string, string, Partial<SiweMessage>][] = [
    ['from another site', 'domain', { domain: 'evil.test' }],
    ['for another address', 'uri', { uri: 'http://evil.test:8080' }],
    ['for another chain', 'chain_id', { chainId: 1 }],
    ['with another statement', 'statement', { statement: 'Give me everything' }],
    ['without a statement', 'statement', { statement: undefined }],
    ['that is too old', 'issued_at', { issuedAt: new Date(Date.now() - 6 * MINUTE_MS) }],
    ['from the future', 'issued_at', { issuedAt: new Date(Date.now() + 5 * MINUTE_MS) }],
    ['that has expired', 'expiration_time', { expirationTime: new Date(Date.now() - 1_000) }],
    ['that is not valid yet', 'not_before', { notBefore: new Date(Date.now() + MINUTE_MS) }],
  ]
  it.each(refusals)('%s', async (_name, reason, changes) => {
    const answer = await post({
      ...(await signed(newWallet(), changes)),
      invite_code: server.root.inviteCode,
    })
    expect(answer).toMatchObject({ code: 400, data: { error: 'MESSAGE_INVALID', details: { reason } } })
  })

  it.each([
    ['that is no EIP-4361 message', () => 'let me in'],
    ['with words added', (text: string) => `${text}\nand more`],
    [
      'with an address without checksum',
      (text: string) => text.replace(/0x[0-9a-fA-F]{40}/, (match) => match.toLowerCase()),
    ],
  ])('%s', async (_name, change) => {
    const wallet = newWallet()
    const message = change(messageOf(await nonceFor(wallet.address), wallet.address))
    const answer = await post({ message, signature: await wallet.signMessage({ message }) })
    expect(answer).toMatchObject({
      code: 400,
      data: { error: 'MESSAGE_INVALID', details: { reason: 'format' } },
    })
  })

  it('with a nonce that was never issued, is over, or is another wallet’s', async () => {
    const wallet = newWallet()
    const made = messageOf({ ...(await nonceFor(wallet.address)), nonce: 'abcdefgh12345678' }, wallet.address)
    const stolen = messageOf(await nonceFor(newWallet().address), wallet.address)
    for (const message of [made, stolen]) {
      const answer = await post({ message, signature: await wallet.signMessage({ message }) })
      expect(answer).toMatchObject({ code: 400, data: { error: 'NONCE_INVALID' } })
    }
    const terms = await nonceFor(wallet.address)
    aheadMs = 5 * MINUTE_MS + 1_000
    try {
      const late = messageOf(terms, wallet.address, { issuedAt: new Date(Date.now() + aheadMs) })
      const answer = await post({ message: late, signature: await wallet.signMessage({ message: late }) })
      expect(answer).toMatchObject({ code: 400, data: { error: 'NONCE_INVALID' } })
    } finally {
      aheadMs = 0
    }
  })

  it('with somebody else’s signature, or one that is none', async () => {
    const wallet = newWallet()
    const { message } = await signed(wallet)
    for (const signature of [await newWallet().signMessage({ message }), '0x', `0x${'ff'.repeat(65)}`]) {
      expect(await post({ message, signature })).toMatchObject({
        code: 400,
        data: { error: 'SIGNATURE_INVALID' },
      })
    }
  })
})

describe('a contract wallet', () => {
  async function claim(owner: LocalAccount, sign: (message: string) => Promise<Hex>) {
    const address = await factory.addressOf(owner.address)
    const message = messageOf(await nonceFor(address), address)
    return post({ message, signature: await sign(message), invite_code: server.root.inviteCode })
  }

  it('signs in once it is deployed (EIP-1271)', async () => {
    const owner = newWallet()
    await factory.deploy(owner.address)
    const address = await factory.addressOf(owner.address)
    expect(await claim(owner, (message) => owner.signMessage({ message }))).toMatchObject({
      code: 200,
      data: { address, new_member: true },
    })
    const stranger = newWallet()
    expect(await claim(owner, (message) => stranger.signMessage({ message }))).toMatchObject({
      data: { error: 'SIGNATURE_INVALID' },
    })
  })

  it('signs in before it is deployed (EIP-6492)', async () => {
    const owner = newWallet()
    const address = await factory.addressOf(owner.address)
    expect(await claim(owner, (message) => owner.signMessage({ message }))).toMatchObject({
      data: { error: 'SIGNATURE_INVALID' },
    })
    expect(await claim(owner, (message) => factory.sign(owner, message))).toMatchObject({
      code: 200,
      data: { address },
    })
    const stranger = newWallet()
    expect(await claim(owner, (message) => factory.sign(stranger, message))).toMatchObject({
      data: { error: 'SIGNATURE_INVALID' },
    })
  })
})

describe('a token', () => {
  it('is over after sign-out, and after its time', async () => {
    const member = await signIn(server, newWallet())
    expect(await call(server, 'me/invite', { as: member })).toMatchObject({ code: 200 })
    expect(await call(server, 'auth/sign-out', { as: member, method: 'POST' })).toMatchObject({
      code: 200,
      data: {},
    })
    expect(await call(server, 'me/invite', { as: member })).toMatchObject({ code: 401 })
    const other = await signIn(server, newWallet())
    aheadMs = 7 * 24 * 60 * MINUTE_MS
    expect(await call(server, 'me/invite', { as: other })).toMatchObject({ code: 401 })
    aheadMs = 0
    expect(await call(server, 'me/invite', { as: other })).toMatchObject({ code: 200 })
  })
})
