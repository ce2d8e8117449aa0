import type { TypedStatement } from '@rif/rules'
import {
  concat,
  type Hex,
  hexToBigInt,
  numberToHex,
  pad,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  size,
  slice,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isStatementSignedByKey } from './signature.ts'

const statementOf = (text: string): TypedStatement => ({
  domain: { name: 'test', version: '1', chainId: 42161, verifyingContract: `0x${'a'.repeat(40)}` },
  types: { Statement: [{ name: 'text', type: 'string' }] },
  primaryType: 'Statement',
  message: { text },
})

async function sign(text: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const typedData = statementOf(text)
  return { address: account.address, typedData, signature: await account.signTypedData(typedData as never) }
}

test('a signature is valid for its own key and statement, in either encoding of its last byte', async () => {
  for (let round = 0; round < 50; round++) {
    const signed = await sign(`statement ${round}`)
    const other = await sign(`statement ${round}`)
    const bit = slice(signed.signature, 64) === '0x1b' ? '0x00' : '0x01'
    for (const signature of [signed.signature, concat([slice(signed.signature, 0, 64), bit])]) {
      expect(isStatementSignedByKey({ ...signed, signature })).toBe(true)
      expect(isStatementSignedByKey({ ...signed, signature, address: other.address })).toBe(false)
      expect(isStatementSignedByKey({ ...signed, signature, typedData: statementOf('another') })).toBe(false)
    }
    const lower = signed.address.toLowerCase() as Hex
    expect(isStatementSignedByKey({ ...signed, address: lower })).toBe(true)
  }
})

/** The order of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

test('a compact signature (EIP-2098) is valid for its own key and statement', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 50; round++) {
    const signed = await sign(`statement ${round}`)
    const signature = serializeCompactSignature(signatureToCompactSignature(parseSignature(signed.signature)))
    expect(size(signature)).toBe(64)
    seen.add(slice(signed.signature, 64))
    expect(isStatementSignedByKey({ ...signed, signature })).toBe(true)
    expect(isStatementSignedByKey({ ...signed, signature, typedData: statementOf('another') })).toBe(false)
    const flipped = concat([
      slice(signature, 0, 32),
      numberToHex(hexToBigInt(slice(signature, 32)) ^ (1n << 255n), { size: 32 }),
    ])
    expect(isStatementSignedByKey({ ...signed, signature: flipped })).toBe(false)
  }
  expect(seen.size).toBe(2)
})

test('a signature with a high s is valid as for the chain', async () => {
  const signed = await sign('statement')
  const high = numberToHex(ORDER - hexToBigInt(slice(signed.signature, 32, 64)), { size: 32 })
  const bit = slice(signed.signature, 64) === '0x1b' ? '0x1c' : '0x1b'
  const signature = concat([slice(signed.signature, 0, 32), high, bit])
  expect(isStatementSignedByKey({ ...signed, signature })).toBe(true)
})

test("a text that is not a key's signature is valid for nobody", async () => {
  const signed = await sign('statement')
  const [r, s] = [slice(signed.signature, 0, 32), slice(signed.signature, 32, 64)]
  const zero = pad('0x', { size: 32 })
  const tooLarge: Hex = `0x${'f'.repeat(64)}`
  const wrong: Hex[] = [
    ...(['0x', '0x00', slice(signed.signature, 0, 63), concat([signed.signature, '0x00'])] as Hex[]),
    ...(['0x02', '0x1d', '0xff'] as const).map((bit) => concat([r, s, bit])),
    concat([zero, s, '0x1b']),
    concat([r, zero, '0x1b']),
    concat([tooLarge, s, '0x1b']),
    concat([r, tooLarge, '0x1b']),
    'no hex' as Hex,
  ]
  for (const signature of wrong) expect(isStatementSignedByKey({ ...signed, signature })).toBe(false)
  for (const address of ['0x', '0x00', signed.address.slice(0, 41)] as Hex[])
    expect(isStatementSignedByKey({ ...signed, address })).toBe(false)
})
