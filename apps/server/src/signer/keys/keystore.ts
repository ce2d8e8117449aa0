import { type BinaryLike, pbkdf2, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as Keystore from 'ox/Keystore'
import { type Address, type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { StartError } from '../../lib/start-error.ts'
import { keyInMemory, type SigningKey } from './signing-key.ts'

const hex = z.string().regex(/^[0-9a-fA-F]+$/)
const count = z.number().int().positive()
const common = { salt: hex, dklen: z.literal(32) }

/** The parts of a keystore file (JSON, version 3) that are read. */
const keystoreSchema = z.looseObject({
  version: z.literal(3),
  id: z.string(),
  address: z.string().optional(),
  crypto: z
    .looseObject({
      cipher: z.literal('aes-128-ctr'),
      ciphertext: hex.length(64),
      cipherparams: z.object({ iv: hex.length(32) }),
      mac: hex.length(64),
    })
    .and(
      z.discriminatedUnion('kdf', [
        z.looseObject({
          kdf: z.literal('scrypt'),
          kdfparams: z.object({ ...common, n: count, r: count, p: count }),
        }),
        z.looseObject({
          kdf: z.literal('pbkdf2'),
          kdfparams: z.object({ ...common, c: count, prf: z.literal('hmac-sha256') }),
        }),
      ]),
    ),
})

type KeystoreFile = z.output<typeof keystoreSchema>

/** The cost of the passphrase: scrypt's N, about a second and 256 MB. */
const SCRYPT_N = 262_144
const MAX_SCRYPT_BYTES = 1_200_000_000

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
  const salt = randomBytes(32).toString('hex')
  const kdf = 'scrypt' as const
  const options = {
    kdf,
    iv: randomBytes(16),
    kdfparams: { dklen: 32 as const, n: scryptN, r: 8, p: 1, salt },
  }
  const key = await derive(options, passphrase)
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

const scryptInThread = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)
const pbkdf2InThread = promisify(pbkdf2)

/** Derives the key of a keystore file from its passphrase. */
async function derive(
  { kdf, kdfparams }: Pick<KeystoreFile['crypto'], 'kdf' | 'kdfparams'>,
  passphrase: string,
): Promise<Hex> {
  const salt = Buffer.from(kdfparams.salt, 'hex')
  if (kdf === 'pbkdf2') {
    const { c } = kdfparams as { c: number }
    return toHex(await pbkdf2InThread(passphrase, salt, c, kdfparams.dklen, 'sha256'))
  }
  const { n: N, r, p } = kdfparams as { n: number; r: number; p: number }
  const options = { N, r, p, maxmem: MAX_SCRYPT_BYTES }
  return toHex(await scryptInThread(passphrase, salt, kdfparams.dklen, options))
}

function parse(text: string): KeystoreFile | undefined {
  try {
    return keystoreSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Returns the key; undefined when the passphrase is wrong, or the file is damaged. */
async function decrypt(keystore: KeystoreFile, passphrase: string): Promise<Hex | undefined> {
  try {
    const key = await derive(keystore.crypto, passphrase)
    return Keystore.decrypt(keystore as unknown as Keystore.Keystore, key)
  } catch {
    return undefined
  }
}
