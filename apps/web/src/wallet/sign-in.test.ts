import { termsUri, termsVersion } from '@rif/rules'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { signInMessage } from './sign-in.ts'

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
