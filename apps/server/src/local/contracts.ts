import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import type { ContractAddresses } from '../chain/client.ts'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from './atomic-file.ts'
import type { LocalChain } from './chain.ts'
import { demoAdmins } from './demo/demo-wallets.ts'
import { deployContracts, generateOperatorKeys, type OperatorKeys } from './deploy.ts'

export type LocalContracts = { contracts: ContractAddresses; keys: OperatorKeys }

type Stored = { genesis: string; contracts: ContractAddresses }

/**
 * The contracts of the local chain and the operator's keys for them: deployed on a new chain, and found again on an
 * old one. Throws StartError when the folder's parts do not belong together.
 */
export async function ensureContracts(chain: LocalChain, dir: string): Promise<LocalContracts> {
  const { hash: genesis } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false])
  const keys = await ensureKeys(join(dir, 'operator-keys.json'))
  const path = join(dir, 'contracts.json')
  const stored = await read<Stored>(path)
  if (stored?.genesis === genesis) return { contracts: stored.contracts, keys }
  if (stored) {
    throw new StartError(
      `${path} belongs to another chain than the state beside it: restore both, or remove DATA_DIR`,
    )
  }
  // The demonstration's owners stand for the on-call person and the multi-signature, its approver for the guardian
  // (docs/operations.md).
  const admins = demoAdmins(chain.demoAccounts)
  const [onCall, multiSignature] = admins.filter(({ role }) => role === 'owner')
  const guardian = admins.find(({ role }) => role === 'approver')
  const contracts = await deployContracts(chain, keys, {
    admin: multiSignature!.address as Address,
    pauser: onCall!.address as Address,
    guardian: guardian!.address as Address,
  })
  await writeFileAtomically(path, JSON.stringify({ genesis, contracts } satisfies Stored, null, 2))
  return { contracts, keys }
}

async function ensureKeys(path: string): Promise<OperatorKeys> {
  const stored = await read<OperatorKeys>(path)
  if (stored) return stored
  const keys = generateOperatorKeys()
  await writeFileAtomically(path, JSON.stringify(keys, null, 2))
  return keys
}

async function read<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
