import { readFileSync } from 'node:fs'
import { getContractAddress, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'

// test/unit/RifBankSignatures.t.sol compares the same vectors with the contract. Together the two tests prove that the
// bank and viem agree on digests and signatures.
const vectors = JSON.parse(readFileSync(new URL('fixtures/eip712.json', import.meta.url), 'utf8'))

const quoteSigner = privateKeyToAccount(`0x${'a11ce1'.padStart(64, '0')}`)
const claimSigner = privateKeyToAccount(`0x${'a11ce2'.padStart(64, '0')}`)

const domain = { name: 'RIFund Bank', version: '1', chainId: 42161, verifyingContract: vectors.bank }

const types = {
  Order: [
    { name: 'orderId', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'package', type: 'uint256' },
    { name: 'limit', type: 'uint256' },
    { name: 'usdtAmount', type: 'uint256' },
    { name: 'amcAmount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  Claim: [
    { name: 'withdrawalId', type: 'uint256' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const order = { domain, types, primaryType: 'Order', message: vectors.order.message } as const
const claim = { domain, types, primaryType: 'Claim', message: vectors.claim.message } as const

describe('EIP-712 vectors of the bank', () => {
  it('use the address of the first contract that the deployer creates', () => {
    expect(getContractAddress({ from: vectors.deployer, nonce: 0n })).toBe(vectors.bank)
  })

  it('match the digests of viem', () => {
    expect(hashTypedData(order)).toBe(vectors.order.digest)
    expect(hashTypedData(claim)).toBe(vectors.claim.digest)
  })

  it('match the signatures of viem', async () => {
    expect(await quoteSigner.signTypedData(order)).toBe(vectors.order.signature)
    expect(await claimSigner.signTypedData(claim)).toBe(vectors.claim.signature)
  })
})
