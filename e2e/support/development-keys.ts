import { type Hex, isAddressEqual } from 'viem'
import { DEV_ACCOUNT_COUNT } from '../../apps/server/src/local/anvil.ts'
import { developmentAccounts } from '../../apps/server/src/local/development-keys.ts'

let accounts: ReturnType<typeof developmentAccounts> | null = null

/** Returns the key of one of the local chain's accounts. A worker derives them once, as that takes a moment. */
export function developmentKey(address: Hex): Hex {
  accounts ??= developmentAccounts(DEV_ACCOUNT_COUNT)
  return accounts.find((account) => isAddressEqual(account.address, address))!.key
}
