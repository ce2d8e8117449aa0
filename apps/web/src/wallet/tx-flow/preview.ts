import type { AppConfig } from '@rif/api-schema'
import { formatMicros, fromChainUnits } from '@rif/rules'

type Contract = keyof AppConfig['contracts']

/** An amount on the wire and its asset. */
export interface Sum {
  amount: string
  unit: 'USDT' | 'AMC'
}

/** What one signature will do, from the calldata that was checked: shown while the wallet asks, to be compared with it. */
export interface Preview {
  /** What leaves the wallet with it. */
  leaves: readonly Sum[]
  /** What `to` may take from the wallet afterwards, in place of whatever it was allowed before. */
  allows: readonly Sum[]
  /** What the wallet at `to` receives; a package is named where it is bought. */
  arrives: readonly Sum[]
  buys: string | null
  /** Who receives it, or may take it. */
  to: string
  /** The contract that is called; its address is the config's. */
  contract: { name: Contract; address: string }
  /** A signature alone costs nothing; a transaction costs the network's fee. */
  isTransaction: boolean
}

const NOTHING = { leaves: [], allows: [], arrives: [], buys: null, isTransaction: true } as const

/** A token's amount in the contract's units as it is shown. */
export function sumOf(value: bigint, unit: 'USDT' | 'AMC', config: AppConfig): Sum {
  return { amount: formatMicros(fromChainUnits(value, config.decimals[unit]).micros), unit }
}

/** An approval: `spender` may take exactly `value` of the token, by a transaction or, for AMC, by a signature. */
export function approvalPreview(
  config: AppConfig,
  token: 'usdt' | 'amc',
  spender: string,
  value: bigint,
  isTransaction = true,
): Preview {
  const unit = token === 'usdt' ? 'USDT' : 'AMC'
  const contract = { name: token, address: config.contracts[token] }
  return { ...NOTHING, allows: [sumOf(value, unit, config)], to: spender, contract, isTransaction }
}

/** A payment to the bank. */
export function paymentPreview(
  config: AppConfig,
  { usdt, amc, buys }: { usdt: bigint; amc: bigint; buys: string },
): Preview {
  const leaves = [sumOf(usdt, 'USDT', config), ...(amc > 0n ? [sumOf(amc, 'AMC', config)] : [])]
  const { bank } = config.contracts
  return { ...NOTHING, leaves, buys, to: bank, contract: { name: 'bank', address: bank } }
}

/** A claim: the bank pays out to `to`. */
export function claimPreview(config: AppConfig, to: string, sum: Sum): Preview {
  return { ...NOTHING, arrives: [sum], to, contract: { name: 'bank', address: config.contracts.bank } }
}
