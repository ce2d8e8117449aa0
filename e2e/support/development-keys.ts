import { pbkdf2Sync } from 'node:crypto'
import { type Hex, isAddressEqual, toHex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'

/** What every development node makes its accounts of. */
const PHRASE = 'test test test test test test test test test test test junk'
const ACCOUNTS = 60

let keys: readonly { address: Hex; key: Hex }[] | null = null

/** The key of one of the local chain's accounts. All are derived once a worker: it takes a moment. */
export function developmentKey(address: Hex): Hex {
  keys ??= deriveKeys()
  return keys.find((one) => isAddressEqual(one.address, address))!.key
}

function deriveKeys() {
  // BIP-39: the seed of a phrase without a password.
  const seed = pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512')
  const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")
  return Array.from({ length: ACCOUNTS }, (_, index) => {
    const key = toHex(parent.deriveChild(index).privateKey!)
    return { address: privateKeyToAddress(key), key }
  })
}
