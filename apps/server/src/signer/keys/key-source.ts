import { StartError } from '../../lib/start-error.ts'
import type { Secrets } from './secrets.ts'
import type { SigningKey } from './signing-key.ts'

/** Opens the key that a setting names: `keystore:FILE`, or `pkcs11:token=LABEL;object=LABEL` (RFC 7512). Throws StartError. */
export async function openKey(
  setting: string,
  source: string,
  { secrets, pkcs11Module }: { secrets: Secrets; pkcs11Module: string | undefined },
): Promise<SigningKey> {
  if (source.startsWith('keystore:')) {
    const path = source.slice('keystore:'.length)
    const { keyOfKeystore } = await import('./keystore.ts')
    return keyOfKeystore(path, await secrets.next(`the passphrase of ${path}`))
  }
  const { token, object } = attributesOf(source)
  if (token === undefined || object === undefined)
    throw new StartError(`${setting} must name a token and an object: pkcs11:token=LABEL;object=LABEL`)
  if (pkcs11Module === undefined) throw new StartError(`${setting} needs PKCS11_MODULE`)
  const { keyOfToken } = await import('./pkcs11-key.ts')
  const pin = await secrets.next(`the PIN of the token "${token}"`)
  return keyOfToken({ modulePath: pkcs11Module, token, object, pin })
}

function attributesOf(source: string): { token?: string; object?: string } {
  const pairs = source.slice('pkcs11:'.length).split(';')
  try {
    return Object.fromEntries(pairs.map((pair) => pair.split('=', 2).map(decodeURIComponent)))
  } catch {
    return {}
  }
}
