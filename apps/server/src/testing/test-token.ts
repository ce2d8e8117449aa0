import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { findSoftHsm } from '../../../../scripts/lib/softhsm.mjs'

export interface TestToken {
  /** The path of the token's library. */
  readonly module: string
  /** The value of SOFTHSM2_CONF for a process that uses the token. */
  readonly settings: string
  /** Stores a private key, given as PEM. */
  importPem(label: string, pem: string): Promise<void>
  importKey(label: string, privateKey: Hex): Promise<void>
}

/** Creates a token of SoftHSM with a label and a PIN, in a folder. */
export async function createTestToken(
  dir: string,
  { label, pin }: { label: string; pin: string },
): Promise<TestToken> {
  const module = findSoftHsm()
  if (module === undefined) throw new Error('SoftHSM is not installed: npm test installs it')
  const tokens = join(dir, 'tokens')
  await mkdir(tokens)
  const settings = join(dir, 'softhsm2.conf')
  await writeFile(
    settings,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  const softHsm = (...args: string[]) =>
    execFileSync('softhsm2-util', args, { stdio: 'pipe', env: { ...process.env, SOFTHSM2_CONF: settings } })
  softHsm('--init-token', '--free', '--label', label, '--so-pin', '11112222', '--pin', pin)
  let imported = 0
  async function importPem(object: string, pem: string): Promise<void> {
    const path = join(dir, 'key.pem')
    await writeFile(path, pem, { mode: 0o600 })
    softHsm('--import', path, '--token', label, '--label', object, '--id', `0${++imported}`, '--pin', pin)
    await rm(path)
  }
  return { module, settings, importPem, importKey: (object, key) => importPem(object, pemOf(key)) }
}

/** Returns a private key in the form in which programs import it. */
function pemOf(privateKey: Hex): string {
  const { publicKey } = privateKeyToAccount(privateKey)
  const part = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  const [x, y] = [part(publicKey.slice(4, 68)), part(publicKey.slice(68))]
  const jwk = { kty: 'EC', crv: 'secp256k1', d: part(privateKey.slice(2)), x, y }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }) as string
}
