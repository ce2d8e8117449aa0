import type { ErrorCode } from '@rif/api-schema'
import { type PaymentAsset, parseMicros, toChainUnits } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Services } from '../../../services.ts'
import type { DemoChain } from '../demo-chain.ts'
import type { DemoAccounts } from '../demo-wallets.ts'
import type { DemoMember } from '../team.ts'

/** The demonstration at a moment of its history. */
export interface World {
  /** The services, on the clock of the history. */
  readonly services: Services
  /** The same, on which the team's wallets do not sign. */
  readonly unsigned: Services
  /** The chain, whose blocks have the times of the clock. */
  readonly chain: DemoChain
  readonly accounts: DemoAccounts
  /** The members so far, by name. */
  readonly team: Map<string, DemoMember>
  /** Returns the next of the numbers that distinguish repeated requests. */
  nextNumber(): number
}

/** The amounts that members keep for the last day, in whole USDT. */
const RESERVES: Readonly<Record<string, string>> = {
  Ruth: '1600',
  Ben: '260',
  Ann: '150',
  Finn: '420',
  Nils: '60',
  Dan: '40',
}
/** Refusals that a member may receive. Then nothing happens. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['PAUSED', 'DAILY_LIMIT', 'INSUFFICIENT_BALANCE', 'BELOW_MINIMUM', 'AMOUNT_NOT_ABOVE_FEE'] as const),
  ...(['UNITS_NOT_REDEEMABLE', 'NAV_STALE', 'NOTHING_INVESTED', 'PRODUCT_CLOSED', 'SOLD_OUT'] as const),
])
const WHOLE = parseMicros('1')
const PPM = 1_000_000n

/** Performs an action of a member in a transaction. Does nothing if the product refuses it. */
export async function tryOut<T>({ services }: World, work: (dbTx: Db) => Promise<T>): Promise<T | undefined> {
  return orRefused(() => inTx(services.db, work))
}

/** Returns the result of `work`; undefined if the product refuses it. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) return undefined
    throw error
  }
}

/** Returns a share of the balance that a member does not keep, in whole units. */
export async function shareOf(
  { services: { db, ledger }, team }: World,
  member: string,
  {
    asset,
    sharePpm,
    account = 'available',
  }: { asset: PaymentAsset; sharePpm: bigint; account?: 'available' | 'savings' },
): Promise<bigint> {
  const balances = await ledger.balances(db, team.get(member)!.memberId)
  const kept = asset === 'USDT' && account === 'available' ? parseMicros(RESERVES[member] ?? '0') : 0n
  const free = balances[asset][account] - kept
  return free <= 0n ? 0n : ((free * sharePpm) / PPM / WHOLE) * WHOLE
}

/** Returns an amount in the units of its token. */
export const unitsOf = ({ services: { chain } }: World, asset: PaymentAsset, micros: bigint) =>
  toChainUnits(micros, chain.decimals[asset])

/** Returns the contract of a token. */
export const tokenOf = ({ services: { chain } }: World, asset: PaymentAsset) =>
  asset === 'USDT' ? chain.contracts.usdt : chain.contracts.amc
