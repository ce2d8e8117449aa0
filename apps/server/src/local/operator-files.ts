import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { ContractAddresses } from '../chain/client.ts'
import { StartError } from '../lib/start-error.ts'
import { createFileAtomically } from './atomic-file.ts'

/** The operator's private keys, one for each role in the bank. */
export type OperatorKeys = {
  admin: Hex
  quoteSigner: Hex
  claimSigner: Hex
  publisher: Hex
  pauser: Hex
  guardian: Hex
  treasurer: Hex
}

/** The contracts of the local chain, with the hash of the chain's first block. */
export type StoredContracts = { genesis: string; contracts: ContractAddresses }

/** The paths of the two files in the folder of the local chain. */
export const operatorKeysPath = (dir: string) => join(dir, 'operator-keys.json')
export const contractsPath = (dir: string) => join(dir, 'contracts.json')

/** Returns the operator's keys of the local chain; undefined before its first start. */
export const readOperatorKeys = (dir: string) => read<OperatorKeys>(operatorKeysPath(dir))

/** Returns the contracts of the local chain; undefined before its first start. */
export const readContracts = (dir: string) => read<StoredContracts>(contractsPath(dir))

async function read<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Returns the key of the salts of solvency reports in a folder of local data; creates it once, for all processes. */
export const localSaltKey = (dataDir: string) => localKey(dataDir, 'solvency-salt.key')

/** As `localSaltKey`, for the addresses of notices. */
export const localNoticesKey = (dataDir: string) => localKey(dataDir, 'notices.key')

/** As `localSaltKey`, for the secrets of webhooks. */
export const localWebhookKey = (dataDir: string) => localKey(dataDir, 'webhook.key')

async function localKey(dataDir: string, name: string): Promise<Uint8Array> {
  const path = join(dataDir, name)
  await mkdir(dataDir, { recursive: true })
  await createFileAtomically(path, randomBytes(32).toString('hex'))
  return Buffer.from(await readFile(path, 'utf8'), 'hex')
}
