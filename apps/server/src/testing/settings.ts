import type { ContractAddresses } from '../chain/banks.ts'
import type { ContractsFile } from '../json-settings.ts'

/** Returns the setting CONTRACTS for the contracts of a test; without other parts USDT has 18 decimals, as AMC in its place. */
export function contractsSetting(
  { bank, transfer, usdt, amc }: ContractAddresses,
  parts: Partial<ContractsFile> = {},
): string {
  return JSON.stringify({ bank, transfer, usdt, usdt_decimals: 18, amc, start_block: 0, ...parts })
}

/** The setting OPERATOR of a test. */
export const OPERATOR = JSON.stringify({
  name: 'RIF Test Ltd',
  address: 'Street 1, City',
  law: 'Singapore',
  venue: 'Singapore',
})
