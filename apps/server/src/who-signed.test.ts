import { type Hex, type LocalAccount, parseErc6492Signature, serializeErc6492Signature } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_SIGNATURE_IS_VALID, NO_SIGNATURE_IS_VALID } from './chain/testing/lies.ts'
import type { Tamper } from './chain/testing/rpc-proxy.ts'
import { newAdmin, prepare, sign, type TestAdmin, tryPrepare } from './testing/admin-actions.ts'
import { deployWalletFactory, type WalletFactory } from './testing/fixtures/contract-wallet.ts'
import {
  type Answer,
  call,
  messageOf,
  newWallet,
  type SignedIn,
  signedBy,
  signIn,
  startTestServer,
  type TestServer,
} from './testing/test-server.ts'

/** Judges signatures by three nodes, of which one lies or all are away. Rules, section 12. */

const GARBAGE: Hex = `0x${'5a'.repeat(65)}`
const ZEROS: Hex = `0x${'00'.repeat(64)}1b`

let server: TestServer
let factory: WalletFactory
let member: SignedIn
let friend: SignedIn
let owner: TestAdmin
let approver: TestAdmin

beforeAll(async () => {
  server = await startTestServer({ nodes: 3 })
  factory = await deployWalletFactory(server.chain.rpcUrl, server.chain.accounts[0]!)
  member = await signIn(server, newWallet())
  friend = await signIn(server, newWallet())
  owner = await newAdmin(server, 'owner')
  approver = await newAdmin(server, 'approver')
  const at = server.services.now()
  const line = { memberId: member.memberId, asset: 'USDT', amountMicros: 1_000_000_000n } as const
  await server.services.ledger.post(server.database.db, {
    key: 'grant/1',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    at,
    accountingDay: at.toISOString().slice(0, 10),
    lines: [{ ...line, source: 'external', destination: 'available' }],
  })
})
afterAll(() => server.close())
afterEach(() => {
  for (const proxy of server.proxies) {
    proxy.setTamper(undefined)
    proxy.setDown(false)
  }
})

const tamper = (lies: readonly (Tamper | undefined)[]) =>
  lies.forEach((lie, index) => {
    server.proxies[index]!.setTamper(lie)
  })

/** Signs in a wallet with any signature of its message. */
async function enter(address: Hex, signatureOf: (message: string) => Hex | Promise<Hex>): Promise<Answer> {
  const { data } = await call(server, `nonce?address=${address}`)
  const message = messageOf(data, address)
  const signature = await signatureOf(message)
  return call(server, 'auth', { payload: { message, signature, invite_code: server.root.inviteCode } })
}

/** Sends 1 USDT to a new receiver, which needs the signature of the member's wallet. */
async function send(signatureOf: (details: Answer['data']) => object | Promise<object>): Promise<Answer> {
  const payload = { address: friend.address, asset: 'USDT', amount: '1' }
  const { data } = await call(server, 'transfer', { as: member, payload })
  const signed = await signatureOf(data.details)
  return call(server, 'transfer', { as: member, payload: { ...payload, signed } })
}

/** Prepares a price, and decides with any signature. */
async function decideWith(signatureOf: (signature: string) => string): Promise<Answer> {
  const proposal = await prepare(server, owner, 'price', {
    asset: 'RIF',
    price: `${Math.random() + 1}`.slice(0, 8),
  })
  const { signed } = await sign(server, approver, proposal)
  const payload = { ...signed, signature: signatureOf(signed.signature) }
  const answer = await call(server, `admin/proposals/${proposal.proposal_id}/decide`, {
    as: approver,
    payload,
  })
  await call(server, `admin/proposals/${proposal.proposal_id}/withdraw`, { as: owner, method: 'POST' })
  return answer
}

const states = () => server.services.chain.nodes.report().map(({ state }) => state)

describe.each([0, 2])('node %i of three accepts every signature, and', (liar) => {
  test.each(Object.entries({ GARBAGE, ZEROS }))(
    'nobody signs in, sends or decides by %s',
    async (_name, garbage) => {
      tamper(server.proxies.map((_, index) => (index === liar ? EVERY_SIGNATURE_IS_VALID : undefined)))
      for (const address of [member.address, owner.address, newWallet().address]) {
        const answer = await enter(address as Hex, () => garbage)
        expect(answer.data.error).toBe('SIGNATURE_INVALID')
      }
      const { nonce, deadline } = {
        nonce: `0x${'1'.repeat(64)}`,
        deadline: Math.floor(Date.now() / 1000) + 300,
      }
      const sent = await send(() => ({ nonce, deadline, signature: garbage }))
      expect(sent.data.error).toBe('SIGNATURE_INVALID')
      expect((await decideWith(() => garbage)).data.error).toBe('SIGNATURE_INVALID')
      const { USDT } = await server.services.ledger.balances(server.database.db, friend.memberId)
      expect(USDT.available).toBe(0n)
      expect(states()).toEqual(['healthy', 'healthy', 'healthy'])
    },
  )
})

test('a wrapper of EIP-6492 around a signature of somebody else is nobody, whatever it has deployed first', async () => {
  const thief = newWallet()
  const own = await factory.sign(thief, 'any')
  const wrapped = (signature: Hex): Hex[] => {
    const { address, data } = parseErc6492Signature(own)
    return [
      serializeErc6492Signature({ address: address!, data: data!, signature }),
      serializeErc6492Signature({ address: server.chain.contracts.usdt, data: '0x', signature }),
      serializeErc6492Signature({ address: thief.address, data: '0x', signature }),
    ]
  }
  for (const address of [member.address, owner.address] as Hex[])
    for (const index of [0, 1, 2])
      for (const by of [thief, undefined]) {
        const answer = await enter(
          address,
          async (message) => wrapped(by === undefined ? GARBAGE : await by.signMessage({ message }))[index]!,
        )
        expect([answer.status, answer.data.error]).toEqual([400, 'SIGNATURE_INVALID'])
      }
  for (const index of [0, 1, 2]) {
    const sent = await send(async (details) => {
      const signed = await signedBy(thief, details)
      return { ...signed, signature: wrapped(signed.signature as Hex)[index] }
    })
    expect(sent.data.error).toBe('SIGNATURE_INVALID')
    const decided = await decideWith(() => wrapped(GARBAGE)[index]!)
    expect(decided.data.error).toBe('SIGNATURE_INVALID')
  }
})

test('with every node stopped a key signs in, sends and decides, and any other signature is not refused', async () => {
  for (const proxy of server.proxies) proxy.setDown(true)
  const wallet = newWallet()
  expect(await enter(wallet.address, (message) => wallet.signMessage({ message }))).toMatchObject({
    status: 200,
  })
  expect(await send((details) => signedBy(member.wallet, details))).toMatchObject({ status: 200 })
  expect(await decideWith((signature) => signature)).toMatchObject({ status: 200 })
  for (const answer of [await enter(wallet.address, () => GARBAGE), await decideWith(() => GARBAGE)])
    expect(answer).toMatchObject({ status: 503, data: { error: 'CHAIN_UNAVAILABLE' } })
})

describe('a contract wallet', () => {
  const WAYS = {
    'that is deployed (EIP-1271)': async (key: LocalAccount) => {
      await factory.deploy(key.address)
      return (message: string, by: LocalAccount) => by.signMessage({ message })
    },
    'that is not deployed yet (EIP-6492)': async () => (message: string, by: LocalAccount) =>
      factory.sign(by, message),
  }

  test.each(Object.entries(WAYS))('%s signs in by a quorum, whatever one node says', async (_name, begin) => {
    const key = newWallet()
    const signed = await begin(key)
    const address = await factory.addressOf(key.address)
    const by = (signer: LocalAccount) => enter(address, (message) => signed(message, signer))
    for (const lies of [
      [NO_SIGNATURE_IS_VALID, undefined, undefined],
      [undefined, undefined, NO_SIGNATURE_IS_VALID],
      [EVERY_SIGNATURE_IS_VALID, undefined, undefined],
    ]) {
      tamper(lies)
      expect(await by(key)).toMatchObject({ status: 200, data: { address } })
      expect((await by(newWallet())).data.error).toBe('SIGNATURE_INVALID')
    }
    tamper([undefined, undefined, undefined])
    server.proxies[0]!.setDown(true)
    expect(await by(key)).toMatchObject({ status: 200 })
    server.proxies[1]!.setDown(true)
    for (const signer of [key, newWallet()])
      expect(await by(signer)).toMatchObject({ status: 503, data: { error: 'CHAIN_UNAVAILABLE' } })
    server.proxies[1]!.setDown(false)
    tamper([undefined, NO_SIGNATURE_IS_VALID, undefined])
    expect(await by(key)).toMatchObject({ status: 503, data: { error: 'CHAIN_UNAVAILABLE' } })
  })

  test('signs in at once after its deployment, whatever head one node reports', async () => {
    const far: Tamper = ({ method }, answer) =>
      method === 'eth_blockNumber' ? { id: answer.id, result: '0xffffffffff' } : answer
    const old: Tamper = ({ method }, answer) =>
      method === 'eth_blockNumber' ? { id: answer.id, result: '0x1' } : answer
    for (const lie of [far, old]) {
      tamper([lie, undefined, undefined])
      const key = newWallet()
      await factory.deploy(key.address)
      const address = await factory.addressOf(key.address)
      expect(await enter(address, (message) => key.signMessage({ message }))).toMatchObject({ status: 200 })
      await factory.revoke(key.address)
      expect((await enter(address, (message) => key.signMessage({ message }))).data.error).toBe(
        'SIGNATURE_INVALID',
      )
    }
  })
})

test('the key of a wallet with an EIP-7702 delegation decides, with every node lying', async () => {
  const wallet = newWallet()
  const code = `0xef0100${server.chain.contracts.bank.slice(2)}`
  await server.chain.rpc('anvil_setCode', [wallet.address, code])
  for (const lie of [NO_SIGNATURE_IS_VALID, EVERY_SIGNATURE_IS_VALID]) {
    tamper([lie, lie, lie])
    expect(await enter(wallet.address, (message) => wallet.signMessage({ message }))).toMatchObject({
      status: 200,
    })
  }
  tamper([undefined, undefined, undefined])
  expect((await enter(wallet.address, () => GARBAGE)).data.error).toBe('SIGNATURE_INVALID')
})

describe('an address that is nobody’s wallet', () => {
  const precompiles = [0, 1, 4, 0x64, 0xffff].map((item): Hex => `0x${item.toString(16).padStart(40, '0')}`)
  const contracts = () => {
    const { bank, transfer, usdt, amc } = server.chain.contracts
    return [bank, transfer, usdt, amc].flatMap((item) => [item, item.toLowerCase()])
  }
  const role = (address: string) =>
    tryPrepare(server, owner, 'role', { address, role: 'viewer', person: { new_name: 'Nobody' } })

  test('signs nothing, with every node lying', async () => {
    tamper(server.proxies.map(() => EVERY_SIGNATURE_IS_VALID))
    for (const address of precompiles)
      for (const signature of [ZEROS, GARBAGE])
        expect(await server.services.signatures.isSigned({ address, message: 'hello', signature })).toBe(
          false,
        )
  })

  test('gets no nonce, no role, no transfer, no withdrawal and no place in the address book', async () => {
    for (const address of [...precompiles, ...contracts()]) {
      const refused = 'INVALID_ADDRESS'
      expect([address, (await call(server, `nonce?address=${address}`)).data.error]).toEqual([
        address,
        refused,
      ])
      expect([address, (await role(address)).data.error]).toEqual([address, refused])
      const payload = { address, asset: 'USDT', amount: '20' }
      const withdrawn = await call(server, 'withdraw/check', { as: member, payload })
      expect([address, withdrawn.data.error]).toEqual([address, refused])
      expect((await call(server, 'transfer/check', { as: member, payload })).status).toBeGreaterThanOrEqual(
        400,
      )
    }
    for (const address of precompiles) {
      const saved = await call(server, 'transfer/contacts', { as: member, payload: { address, label: 'me' } })
      expect(saved.data.error).toBe('INVALID_ADDRESS')
    }
  })
})
