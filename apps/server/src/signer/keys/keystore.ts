import { open, readFile } from 'node:fs/promises'
import * as Keystore from 'ox/Keystore'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { StartError } from '../../lib/start-error.ts'
import { keyInMemory, type SigningKey } from './signing-key.ts'

const hex = z.string().regex(/^[0-9a-fA-F]+$/)

/** The parts of a keystore file (JSON, version 3) that are read. */
const keystoreSchema = z.looseObject({
  version: z.literal(3),
  id: z.string(),
  address: z.string().optional(),
  crypto: z.looseObject({
    cipher: z.literal('aes-128-ctr'),
    ciphertext: hex.length(64),
    cipherparams: z.object({ iv: hex.length(32) }),
    mac: hex.length(64),
    kdf: z.enum(['scrypt', 'pbkdf2']),
    kdfparams: z.looseObject({ salt: hex, dklen: z.literal(32) }),
  }),
})

/** The cost of the passphrase: scrypt's N, about a second and 256 MB. */
const SCRYPT_N = 262_144

/** Opens an encrypted keystore file. Throws StartError, also for a wrong passphrase. */
export async function keyOfKeystore(path: string, passphrase: string): Promise<SigningKey> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`the keystore ${path} cannot be read: ${error.code}`)
  })
  const keystore = parse(text)
  if (keystore === undefined)
    throw new StartError(`${path} is no keystore file (JSON, version 3) that holds one key`)
  const privateKey = await decrypt(keystore, passphrase)
  if (privateKey === undefined) throw new StartError(`the passphrase does not open the keystore ${path}`)
  return keyInMemory(privateKey)
}

/** Writes a key, by default a new one, encrypted to a new file that only this user may read. Throws StartError. */
export async function writeKeystore(
  path: string,
  passphrase: string,
  { privateKey = generatePrivateKey(), scryptN = SCRYPT_N }: { privateKey?: Hex; scryptN?: number } = {},
): Promise<Address> {
  const address = privateKeyToAddress(privateKey)
  const [key, options] = await Keystore.scryptAsync({ password: passphrase, n: scryptN })
  const keystore = { ...Keystore.encrypt(privateKey, key, options), address: address.slice(2).toLowerCase() }
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(keystore, null, 2)}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(code === 'EEXIST' ? `${path} exists already` : `${path} cannot be written: ${code}`)
  }
  return address
}

function parse(text: string): z.output<typeof keystoreSchema> | undefined {
  try {
    return keystoreSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the key; undefined when the passphrase is not its own, or the file is damaged. */
async function decrypt(
  keystore: z.output<typeof keystoreSchema>,
  passphrase: string,
): Promise<Hex | undefined> {
  try {
    const file = keystore as unknown as Keystore.Keystore
    return Keystore.decrypt(file, await Keystore.toKeyAsync(file, { password: passphrase }))
  } catch {
    return undefined
  }
}
