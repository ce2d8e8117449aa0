import { pbkdf2Sync } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'

/** The recovery phrase of the accounts of every Anvil. It is public. */
const PHRASE = 'test test test test test test test test test test test junk'

/** Derives the first `count` accounts of the public development phrase (BIP-39 without a password, BIP-44). */
export function developmentAccounts(count: number): { address: Hex; key: Hex }[] {
  const seed = pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512')
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")
  return Array.from({ length: count }, (_, index) => {
    const key = toHex(parent.deriveChild(index).privateKey!)
    return { address: privateKeyToAddress(key), key }
  })
}
