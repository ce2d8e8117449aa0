import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { type Address, type Hex, isAddressEqual, toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { StartError } from '../../lib/start-error.ts'
import { loadPkcs11, type Pkcs11Module, TokenError, ulong } from './pkcs11-module.ts'
import type { SigningKey } from './signing-key.ts'

/** A key in a token: the token's label, and the label that the key's private and public object share. */
export interface TokenKey {
  readonly modulePath: string
  readonly token: string
  readonly object: string
  readonly pin: string
}

const CKA_CLASS = 0x000
const CKA_LABEL = 0x003
const CKA_EC_PARAMS = 0x180
const CKA_EC_POINT = 0x181
const CKO_PUBLIC_KEY = 2n
const CKO_PRIVATE_KEY = 3n

const CKR_PIN_INCORRECT = 0xa0
const CKR_PIN_INVALID = 0xa1
const CKR_PIN_LEN_RANGE = 0xa2
const CKR_PIN_LOCKED = 0xa4
const WRONG_PIN = new Set([CKR_PIN_INCORRECT, CKR_PIN_INVALID, CKR_PIN_LEN_RANGE])

/** The DER form of the object identifier 1.3.132.0.10. */
const SECP256K1 = Buffer.from('06052b8104000a', 'hex')
const POINT_LENGTH = 65
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Opens a key of the curve secp256k1 in a PKCS#11 token, which it never leaves. Throws StartError. */
export async function keyOfToken(place: TokenKey): Promise<SigningKey> {
  const library = await loadPkcs11(place.modulePath)
  let open = await openKey(library, place)
  const address = await addressOf(library, place, open)

  async function signOnce(digest: Hex): Promise<Hex> {
    const bytes = Buffer.from(digest.slice(2), 'hex')
    return recoverable(await library.sign(open.session, open.key, bytes), digest, address)
  }

  return {
    address,
    async sign(digest) {
      try {
        return await signOnce(digest)
      } catch (error) {
        if (!(error instanceof TokenError)) throw error
        // The session ended, for example because the token was disconnected.
        await library.closeSession(open.session).catch(() => undefined)
        open = await openKey(library, place).catch(async (failure: unknown) => {
          // Another attempt with a wrong PIN would lock the token.
          if (failure instanceof PinRefused) throw failure
          // Many libraries find a token that was away only after a new start.
          await library.restart()
          return openKey(library, place)
        })
        return signOnce(digest)
      }
    },
    close: () => library.closeSession(open.session).catch(() => undefined),
  }
}

class PinRefused extends StartError {}

interface OpenKey {
  readonly session: bigint
  readonly key: bigint
}

async function openKey(library: Pkcs11Module, place: TokenKey): Promise<OpenKey> {
  const { token, pin } = place
  const slot = await library.findToken(token)
  if (slot === undefined) throw new StartError(`there is no token "${token}" (PKCS11_MODULE)`)
  const session = await library.openSession(slot, pin).catch((error: unknown) => {
    if (!(error instanceof TokenError)) throw error
    if (WRONG_PIN.has(error.code)) throw new PinRefused(`the token "${token}" refuses the PIN`)
    if (error.code === CKR_PIN_LOCKED) throw new PinRefused(`the PIN of the token "${token}" is locked`)
    throw new StartError(`the token "${token}" cannot be used: ${error.message}`)
  })
  return { session, key: await findKey(library, session, place, CKO_PRIVATE_KEY) }
}

async function findKey(
  library: Pkcs11Module,
  session: bigint,
  { token, object }: TokenKey,
  kind: bigint,
): Promise<bigint> {
  const handles = await library.findObjects(session, [
    [CKA_CLASS, ulong(kind)],
    [CKA_LABEL, Buffer.from(object)],
  ])
  const [key] = handles
  const what = `${kind === CKO_PUBLIC_KEY ? 'public' : 'private'} key "${object}"`
  if (key === undefined) throw new StartError(`the token "${token}" has no ${what}`)
  if (handles.length > 1) throw new StartError(`the token "${token}" has more than one ${what}`)
  return key
}

/** Returns the address of a key by its public part. Throws StartError for a key of another curve. */
async function addressOf(library: Pkcs11Module, place: TokenKey, { session }: OpenKey): Promise<Address> {
  const key = await findKey(library, session, place, CKO_PUBLIC_KEY)
  const wrongCurve = () => new StartError(`the key "${place.object}" is not of the curve secp256k1`)
  const read = (type: number) =>
    library.attribute(session, key, type).catch(() => {
      throw wrongCurve()
    })
  if (!(await read(CKA_EC_PARAMS)).equals(SECP256K1)) throw wrongCurve()
  // Some tokens wrap the point in an octet string, as the standard requires, and some do not.
  const point = (await read(CKA_EC_POINT)).subarray(-POINT_LENGTH)
  if (point.length !== POINT_LENGTH || point[0] !== 4) throw wrongCurve()
  return publicKeyToAddress(toHex(point))
}

/**
 * Converts r and s of a token to the form of Ethereum: the lower s, and the recovery id, which is found by
 * trying both.
 */
function recoverable(rs: Buffer, digest: Hex, address: Address): Hex {
  if (rs.length !== 64) throw new Error(`the token gave a signature of ${rs.length} bytes`)
  const r = BigInt(toHex(rs.subarray(0, 32)))
  const rawS = BigInt(toHex(rs.subarray(32)))
  const s = rawS > ORDER / 2n ? ORDER - rawS : rawS
  for (const yParity of [0, 1] as const) {
    const signature = { r, s, yParity }
    if (isAddressEqual(Secp256k1.recoverAddress({ payload: digest, signature }), address))
      return Signature.toHex(signature)
  }
  throw new Error('the token signed with another key than its public one')
}
