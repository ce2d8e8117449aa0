import type { Address } from 'viem'
import type { ContractAddresses } from '../chain/client.ts'
import { StartError } from '../lib/start-error.ts'
import { writeFileAtomically } from './atomic-file.ts'
import type { LocalChain } from './chain.ts'
import { demoAdmins } from './demo/demo-wallets.ts'
import { deployContracts, generateOperatorKeys } from './deploy.ts'
import {
  contractsPath,
  type OperatorKeys,
  operatorKeysPath,
  readContracts,
  readOperatorKeys,
  type StoredContracts,
} from './operator-files.ts'

/**
 * Returns the contracts of the local chain: deployed on a new chain with generated keys of the operator, or
 * found again on an old one. Throws StartError if the folder's parts do not belong together.
 */
export async function ensureContracts(chain: LocalChain, dir: string): Promise<ContractAddresses> {
  const { hash: genesis } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false])
  const keys = await ensureKeys(dir)
  const path = contractsPath(dir)
  const stored = await readContracts(dir)
  if (stored?.genesis === genesis) return stored.contracts
  if (stored) {
    throw new StartError(
      `${path} belongs to another chain than the state beside it: restore both, or remove DATA_DIR`,
    )
  }
  // The demonstration's owners serve as the on-call person and the multi-signature, its approver as the guardian, and its
  // operator as the treasurer (docs/operations/keys.md).
  const admins = demoAdmins(chain.demoAccounts)
  const [onCall, multiSignature] = admins.filter(({ role }) => role === 'owner')
  const guardian = admins.find(({ role }) => role === 'approver')
  const treasurer = admins.find(({ role }) => role === 'operator')
  const contracts = await deployContracts(chain, keys, {
    admin: multiSignature!.address as Address,
    pauser: onCall!.address as Address,
    guardian: guardian!.address as Address,
    treasurer: treasurer!.address as Address,
  })
  await writeFileAtomically(path, JSON.stringify({ genesis, contracts } satisfies StoredContracts, null, 2))
  return contracts
}

async function ensureKeys(dir: string): Promise<OperatorKeys> {
  const stored = await readOperatorKeys(dir)
  if (stored) return stored
  const keys = generateOperatorKeys()
  await writeFileAtomically(operatorKeysPath(dir), JSON.stringify(keys, null, 2))
  return keys
}
