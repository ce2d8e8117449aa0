import { generateKeyPairSync } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, recoverAddress, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestToken, type TestToken } from '../../testing/test-token.ts'
import { openKey } from './key-source.ts'
import { writeKeystore } from './keystore.ts'
import { openSecrets } from './secrets.ts'

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const PIN = '493817'
const PASSPHRASE = 'correct horse battery staple'
const CHEAP = { scryptN: 4_096 }

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rif-keys-'))
})
afterAll(() => rm(dir, { recursive: true }))

const secretOf = (secret: string) => ({ next: async () => secret })
const digestOf = (number: number) => keccak256(toHex(number))

describe('a key in a PKCS#11 token', () => {
  let token: TestToken
  let account: ReturnType<typeof privateKeyToAccount>
  beforeAll(async () => {
    const key = generatePrivateKey()
    account = privateKeyToAccount(key)
    token = await createTestToken(dir, { label: 'rif', pin: PIN })
    process.env.SOFTHSM2_CONF = token.settings
    await token.importKey('claim key', key)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    await token.importPem('other curve', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  })
  const open = (source: string, pin = PIN, pkcs11Module: string | undefined = token.module) =>
    openKey('CLAIM_KEY_SOURCE', source, { secrets: secretOf(pin), pkcs11Module })

  test('signs like the same key in memory: lower s, and a recovery id that gives its address', async () => {
    const key = await open('pkcs11:token=rif;object=claim%20key')
    expect(key.address).toBe(account.address)
    for (let number = 0; number < 32; number++) {
      const hash = digestOf(number)
      const signature = await key.sign(hash)
      expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
      expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(HALF_ORDER)
      expect(await recoverAddress({ hash, signature })).toBe(account.address)
    }
    await key.close()
  })

  test.each([
    ['a wrong PIN', 'pkcs11:token=rif;object=claim key', '000000', 'the token "rif" refuses the PIN'],
    ['an unknown token', 'pkcs11:token=rof;object=claim key', PIN, 'there is no token "rof" (PKCS11_MODULE)'],
    ['an unknown key', 'pkcs11:token=rif;object=quote', PIN, 'the token "rif" has no private key "quote"'],
    [
      'another curve',
      'pkcs11:token=rif;object=other curve',
      PIN,
      'the key "other curve" is not of the curve secp256k1',
    ],
    [
      'half a name',
      'pkcs11:token=rif',
      PIN,
      'CLAIM_KEY_SOURCE must name a token and an object: pkcs11:token=LABEL;object=LABEL',
    ],
  ])('%s is refused with one line', async (_what, source, pin, line) => {
    await expect(open(source, pin)).rejects.toThrow(new Error(line))
  })

  test('signs again when a token that was away is back, without a new start of the process', async () => {
    const first = await open('pkcs11:token=rif;object=claim key')
    const second = await open('pkcs11:token=rif;object=claim key')
    const signs = async (key: typeof first) => {
      const hash = digestOf(7)
      expect(await recoverAddress({ hash, signature: await key.sign(hash) })).toBe(account.address)
    }
    await signs(first)
    const away = join(dir, 'away')
    await rename(join(dir, 'tokens'), away)
    await expect(first.sign(digestOf(7))).rejects.toThrow()
    await rename(away, join(dir, 'tokens'))
    await signs(first)
    await signs(second)
    await Promise.all([first.close(), second.close()])
  })

  test('an invalid and a missing PKCS#11 library are refused with one line', async () => {
    const source = 'pkcs11:token=rif;object=claim key'
    await expect(open(source, PIN, '/dev/null')).rejects.toThrow(
      new Error('/dev/null cannot be loaded as a PKCS#11 library (PKCS11_MODULE)'),
    )
    const none = { secrets: secretOf(PIN), pkcs11Module: undefined }
    await expect(openKey('CLAIM_KEY_SOURCE', source, none)).rejects.toThrow(/needs PKCS11_MODULE/)
  })
})

describe('a key in a keystore file', () => {
  const open = (path: string, passphrase = PASSPHRASE) =>
    openKey('CLAIM_KEY_SOURCE', `keystore:${path}`, {
      secrets: secretOf(passphrase),
      pkcs11Module: undefined,
    })

  test('is encrypted, readable by this user only, and signs', async () => {
    const path = join(dir, 'made.json')
    const address = await writeKeystore(path, PASSPHRASE, CHEAP)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { version, crypto } = JSON.parse(await readFile(path, 'utf8'))
    expect([version, crypto.kdf, crypto.cipher]).toEqual([3, 'scrypt', 'aes-128-ctr'])
    const key = await open(path)
    expect(key.address).toBe(address)
    const hash = digestOf(1)
    expect(await recoverAddress({ hash, signature: await key.sign(hash) })).toBe(address)
    await expect(writeKeystore(path, PASSPHRASE, CHEAP)).rejects.toThrow(`${path} exists already`)
  })

  test('created by another program can be opened', async () => {
    const path = join(dir, 'foreign.json')
    await writeFile(path, JSON.stringify(SPECIFIED))
    expect((await open(path, 'testpassword')).address).toBe('0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b')
  })

  test('a wrong passphrase, a damaged file and a missing file are refused with one line', async () => {
    const path = join(dir, 'refused.json')
    await writeKeystore(path, PASSPHRASE, CHEAP)
    const wrong = new Error(`the passphrase does not open the keystore ${path}`)
    await expect(open(path, 'another passphrase')).rejects.toThrow(wrong)
    const stored = JSON.parse(await readFile(path, 'utf8'))
    const digit = stored.crypto.ciphertext[0] === '0' ? '1' : '0'
    stored.crypto.ciphertext = `${digit}${stored.crypto.ciphertext.slice(1)}`
    await writeFile(path, JSON.stringify(stored))
    await expect(open(path)).rejects.toThrow(wrong)
    await writeFile(path, '{"version":3}')
    await expect(open(path)).rejects.toThrow(
      `${path} is no keystore file (JSON, version 3) that holds one key`,
    )
    await expect(open(join(dir, 'none'))).rejects.toThrow(/cannot be read: ENOENT/)
  })
})

describe('secrets', () => {
  test('are read from a file descriptor, also on a restart; one line serves both keys', async () => {
    const path = join(dir, 'secrets')
    await writeFile(path, 'of the claim key\nof the quote key\n')
    const fd = openSync(path, 'r')
    for (let start = 0; start < 2; start++) {
      const secrets = openSecrets(fd)
      expect([await secrets.next('a'), await secrets.next('b')]).toEqual([
        'of the claim key',
        'of the quote key',
      ])
      await expect(secrets.next('a third')).rejects.toThrow(/has no line for a third/)
    }
    closeSync(fd)
    await writeFile(path, 'of both')
    const secrets = openSecrets(openSync(path, 'r'))
    expect([await secrets.next('a'), await secrets.next('b')]).toEqual(['of both', 'of both'])
  })

  test('are refused from a descriptor that is not open', () => {
    expect(() => openSecrets(250)).toThrow('the file descriptor 250 (KEY_SECRETS_FD) cannot be read')
  })
})

// The example in the specification of the format.
const SPECIFIED = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
