import { type Asset, type Day, MEMBER_ACCOUNTS, type Micros, worth } from '@rif/rules'
import type { StatementEntryRow } from './books.repository.ts'

/** The name of a change of a holding in a tax file. */
export type TaxType = 'reward' | 'acquired' | 'disposed' | 'moved_in' | 'moved_out'

/** The USDT worth of one whole unit on a day, and the source of that price. */
export interface DayPrice {
  readonly micros: Micros | null
  readonly source: string
}

/** The change of a member's holding of an asset by one transaction. */
export interface TaxEvent {
  readonly entry: StatementEntryRow
  readonly type: TaxType
  readonly asset: Asset
  /** Positive. */
  readonly quantity: Micros
  readonly price: DayPrice
  /** Null where nothing gives the value. */
  readonly value: Micros | null
}

const OWN: ReadonlySet<string> = new Set(MEMBER_ACCOUNTS)
const REWARDS: ReadonlySet<string> = new Set([
  'commission',
  'pairing',
  'management',
  'static',
  'savings_interest',
  'dividend',
  'fund_income',
  'grant',
])
/**
 * Movements to or from another wallet or another member, and advances: nothing is bought or sold for them.
 */
const MOVES: ReadonlySet<string> = new Set([
  'withdrawal_paid',
  'claim_set_aside',
  'transfer',
  'transfer_hold',
  'transfer_release',
  'suspense_release',
  'reversal_advance',
  'debt_repayment',
])

/**
 * Returns the changes of a member's holdings by a transaction, given by its lines. A movement between two own
 * accounts is not a change. If one asset is exchanged for another, both have the value of the given one: its
 * amount in USDT, or its worth at the day's price.
 */
export function taxEventsOf(
  lines: readonly StatementEntryRow[],
  priceOf: (asset: Asset, day: Day) => DayPrice,
): TaxEvent[] {
  const entry = lines[0]!
  const nets = netsOf(lines)
  const isExchange = nets.some(([, net]) => net > 0n) && nets.some(([, net]) => net < 0n)
  const valueGiven = isExchange ? givenFor(nets, (asset) => priceOf(asset, entry.day)) : undefined
  return nets.map(([asset, net]) => {
    const price = priceOf(asset, entry.day)
    const quantity = net < 0n ? -net : net
    const own = price.micros === null ? null : worth(quantity, price.micros)
    const type = typeOf(entry.kind, net > 0n)
    if (asset === 'USDT' || valueGiven === undefined)
      return { entry, type, asset, quantity, price, value: own }
    const value = shareOf(valueGiven, nets, asset)
    return { entry, type, asset, quantity, price: { micros: price.micros, source: 'exchange' }, value }
  })
}

function typeOf(kind: string, isIn: boolean): TaxType {
  if (kind.endsWith(':reversal') || MOVES.has(kind)) return isIn ? 'moved_in' : 'moved_out'
  if (REWARDS.has(kind) && isIn) return 'reward'
  return isIn ? 'acquired' : 'disposed'
}

type Net = readonly [asset: Asset, net: Micros]

function netsOf(lines: readonly StatementEntryRow[]): Net[] {
  const nets = new Map<Asset, Micros>()
  for (const { source, destination, asset, amount } of lines) {
    const delta = (OWN.has(destination) ? amount : 0n) - (OWN.has(source) ? amount : 0n)
    nets.set(asset, (nets.get(asset) ?? 0n) + delta)
  }
  return [...nets].filter(([, net]) => net !== 0n)
}

/**
 * Returns the value of the given side of an exchange: in USDT if either side is USDT, otherwise at the prices
 * of the day.
 */
function givenFor(nets: readonly Net[], priceOf: (asset: Asset) => DayPrice): Micros | null {
  const usdt = nets.find(([asset]) => asset === 'USDT')
  if (usdt !== undefined) return usdt[1] < 0n ? -usdt[1] : usdt[1]
  const worthOf = (isWanted: (net: Micros) => boolean) => {
    const sides = nets.filter(([, net]) => isWanted(net))
    const prices = sides.map(([asset]) => priceOf(asset).micros)
    if (prices.some((price) => price === null)) return null
    return sides.reduce((sum, [, net], index) => sum + worth(net < 0n ? -net : net, prices[index]!), 0n)
  }
  return worthOf((net) => net < 0n) ?? worthOf((net) => net > 0n)
}

/** Divides the value among the assets on the same side; the first gets the remainder. */
function shareOf(valueGiven: Micros | null, nets: readonly Net[], asset: Asset): Micros | null {
  if (valueGiven === null) return null
  const isIn = nets.find(([name]) => name === asset)![1] > 0n
  const side = nets.filter(([name, net]) => net > 0n === isIn && name !== 'USDT')
  const share = valueGiven / BigInt(side.length)
  return side[0]![0] === asset ? valueGiven - share * BigInt(side.length - 1) : share
}
