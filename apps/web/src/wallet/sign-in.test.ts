import { createHash } from 'node:crypto'
import { defaultPlan, renderTerms, termsFigures, termsPath, termsUri, termsVersion } from '@rif/rules'
import { type Hex, recoverMessageAddress } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearSession, sessionStore } from '../lib/index.ts'
import { FAKE_CONFIG, fakeChain } from '../testing/fake-bank.ts'
import { FAKE_ACCOUNT } from '../testing/fake-wallet.ts'
import { recordedServer } from '../testing/recorded-server.ts'
import { connectWallet, disconnectWallet } from './connection.ts'
import { signIn, signInMessage } from './sign-in.ts'

const SHA256 = 'ab'.repeat(32)
const TERMS = { version: termsVersion(SHA256), sha256: SHA256 }
const site = { host: 'rifund.example', origin: 'https://rifund.example' }
const nonce = {
  nonce: 'a1b2c3d4e5f6',
  expires_at: '2026-01-01T00:05:00.000Z',
  domain: 'rifund.example',
  uri: 'https://rifund.example',
  chain_id: 42161,
  statement: 'Sign in to RIFund Portfolio.',
  leave_statement: 'I do not accept the terms.',
  terms_uri: termsUri('https://rifund.example', TERMS),
  terms_accepted: null,
  registered: true,
}
const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

describe('signInMessage', () => {
  it("contains the browser's location and the checksummed address", () => {
    const message = parseSiweMessage(signInMessage(address, nonce, 42161, site))
    expect(message).toMatchObject({
      domain: 'rifund.example',
      uri: 'https://rifund.example',
      chainId: 42161,
      nonce: nonce.nonce,
      address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      statement: nonce.statement,
      version: '1',
      resources: [nonce.terms_uri],
    })
  })

  it('contains no terms when the member declines them', () => {
    const message = parseSiweMessage(signInMessage(address, nonce, 42161, site, true))
    expect(message).toMatchObject({ statement: nonce.leave_statement, nonce: nonce.nonce })
    expect(message.resources).toBeUndefined()
  })

  it.each([
    ['domain', { domain: 'evil.example' }],
    ['uri', { uri: 'https://evil.example' }],
    ['chain', { chain_id: 1 }],
  ])('refuses another %s', (_, change) => {
    expect(() => signInMessage(address, { ...nonce, ...change }, 42161, site)).toThrow('sign-in is for')
  })

  it('names no terms of another site, and none without a hash', () => {
    const elsewhere = termsUri('https://evil.example', TERMS)
    const unbound = `${site.origin}/terms/${TERMS.version}.txt`
    for (const terms_uri of [elsewhere, unbound])
      expect(() => signInMessage(address, { ...nonce, terms_uri }, 42161, site)).toThrow('not those in force')
  })
})

describe('signIn', () => {
  const server = recordedServer()
  afterEach(() => {
    vi.unstubAllGlobals()
    disconnectWallet()
    clearSession()
  })

  /** Publishes terms and returns the nonce about them for this page. */
  function publish() {
    const figures = termsFigures(defaultPlan, {
      operator: { name: 'RIF Ltd', address: 'Street 1', law: 'Singapore', venue: 'Singapore' },
      contact: null,
      chainName: 'Arbitrum One',
      chainId: 42161,
      bank: '0xba',
      confirmations: 20,
      planVersion: 1n,
    })
    const text = renderTerms('Withdrawals cost {fee}.\n', figures)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const terms = { version: termsVersion(sha256), sha256 }
    const { host, origin } = window.location
    server.recorded = {
      [`GET ${termsPath(terms.version)}`]: text,
      'POST auth': { token: 'fresh', address: FAKE_ACCOUNT, member_id: '1' },
    }
    return { ...nonce, domain: host, uri: origin, terms_uri: termsUri(origin, terms) }
  }

  it.each(['https', 'plain http, where crypto has neither randomUUID nor subtle'])(
    'works on %s',
    async (scheme) => {
      if (scheme !== 'https')
        vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
      const provider = fakeChain().wallet
      await connectWallet({ id: 'test', name: 'Test', icon: null, provider }, FAKE_CONFIG)
      await signIn(FAKE_CONFIG, FAKE_ACCOUNT, publish(), { invite: null, declines: false })
      const body = server.arrived.at(-1)!.body as { message: string; signature: Hex; device_key: string }
      expect(body.device_key).toMatch(/^[0-9a-f]{32}$/)
      expect(await recoverMessageAddress(body)).toBe(FAKE_ACCOUNT)
      expect(sessionStore.getState()).toMatchObject({ token: 'fresh', tokenAddress: FAKE_ACCOUNT })
    },
  )

  it('signs nothing when the published text has another hash', async () => {
    const provider = fakeChain().wallet
    await connectWallet({ id: 'test', name: 'Test', icon: null, provider }, FAKE_CONFIG)
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    const about = publish()
    server.recorded[`GET ${termsPath(about.terms_uri.match(/terms\/(.*)\.txt/)![1]!)}`] = 'Another text.'
    const signing = signIn(FAKE_CONFIG, FAKE_ACCOUNT, about, { invite: null, declines: false })
    await expect(signing).rejects.toMatchObject({ name: 'WrongTerms' })
    expect(provider.count('personal_sign')).toBe(0)
  })
})
