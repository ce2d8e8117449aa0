import { formatMicros, type Micros } from './money.ts'
import type { StandingPeriod } from './savings.ts'

/**
 * The statement that a member's wallet signs: the departing amount and its recipient, what is given and got, a
 * change of the saved addresses, or an erasure. Amounts are decimal texts.
 */
export type MemberWish =
  | {
      readonly kind: 'withdrawal'
      readonly asset: string
      readonly amount: string
      readonly fee: string
      readonly arrives: string
      readonly to: string
    }
  | { readonly kind: 'transfer'; readonly asset: string; readonly amount: string; readonly to: string }
  | OneWayWish
  | { readonly kind: 'save_address'; readonly address: string; readonly label: string }
  | { readonly kind: 'remove_address'; readonly address: string }
  | { readonly kind: 'saved_only'; readonly on: boolean }
  | { readonly kind: 'erase_data' }

/** A move that cannot be taken back at the same worth: what is given, and what is got. */
export type OneWayWish =
  | {
      readonly kind: 'conversion'
      readonly pays: string
      readonly from: string
      readonly receives: string
      readonly to: string
    }
  | {
      readonly kind: 'fund_purchase'
      readonly productId: string
      readonly product: string
      readonly units: string
      /** In USDT, with the fee. */
      readonly total: string
      readonly fee: string
    }
  | { readonly kind: 'savings_in'; readonly asset: string; readonly amount: string }
  | {
      readonly kind: 'standing_savings'
      readonly asset: string
      readonly amount: string
      readonly every: StandingPeriod
      readonly onDay: number
    }
  | {
      readonly kind: 'vc_subscription'
      readonly launchId: string
      readonly launch: string
      readonly amount: string
    }

/** Returns the statement of a withdrawal; `to` is in lower case. */
export function withdrawalWish(
  { asset, amountMicros }: { readonly asset: string; readonly amountMicros: Micros },
  { feeMicros, to }: { readonly feeMicros: Micros; readonly to: string },
): MemberWish {
  const [amount, fee, arrives] = [amountMicros, feeMicros, amountMicros - feeMicros].map(formatMicros)
  return { kind: 'withdrawal', asset, amount: amount!, fee: fee!, arrives: arrives!, to }
}

/** A statement for `eth_signTypedData_v4`. */
export interface TypedStatement {
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: `0x${string}`
  }
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string | bigint>>
}

/** The time within which a signed statement must be used. */
export const WISH_VALIDITY_MS = 10 * 60_000

/**
 * The part of a statement that limits it to one use, by one wallet, until a time in seconds since the epoch.
 */
export interface MemberNonce {
  readonly wallet: string
  /** 0x and 64 hexadecimal digits. */
  readonly nonce: string
  readonly deadline: number
}

const ONCE = [
  { name: 'wallet', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'deadline', type: 'uint256' },
] as const
const text = (name: string) => ({ name, type: 'string' })
const address = (name: string) => ({ name, type: 'address' })

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Returns the days of a standing transfer; `onDay` counts from 1. */
function rhythmOf({ every, onDay }: { readonly every: StandingPeriod; readonly onDay: number }): string {
  if (every === 'day') return 'every day'
  return every === 'week' ? `every ${WEEKDAYS[onDay - 1]}` : `every month on day ${onDay}`
}

/** The sentence, the name of the type, and the fields of each wish. */
function partsOf(wish: MemberWish): [sentence: string, type: string, fields: Record<string, string>] {
  switch (wish.kind) {
    case 'withdrawal': {
      const { asset, to } = wish
      const [amount, fee, arrives] = [wish.amount, wish.fee, wish.arrives].map((sum) => `${sum} ${asset}`)
      const sentence = `I withdraw ${amount} to ${to}; ${arrives} arrive after the fee`
      return [sentence, 'Withdrawal', { amount: amount!, fee: fee!, arrives: arrives!, to }]
    }
    case 'transfer': {
      const amount = `${wish.amount} ${wish.asset}`
      return [`I send ${amount} to the member ${wish.to}`, 'Transfer', { amount, fee: 'none', to: wish.to }]
    }
    case 'save_address': {
      const { address: saved, label } = wish
      return [`I save the address ${saved} as "${label}"`, 'SaveAddress', { address: saved, label }]
    }
    case 'remove_address':
      return [`I remove the saved address ${wish.address}`, 'RemoveAddress', { address: wish.address }]
    case 'saved_only': {
      const setting = wish.on ? 'on' : 'off'
      return [`I switch "saved addresses only" ${setting}`, 'SavedAddressesOnly', { setting }]
    }
    case 'conversion': {
      const [gives, gets] = [`${wish.pays} ${wish.from}`, `${wish.receives} ${wish.to}`]
      return [`I exchange ${gives} for ${gets}; this is final`, 'Exchange', { gives, gets }]
    }
    case 'fund_purchase': {
      const gives = `${wish.total} USDT`
      const fee = `${wish.fee} USDT`
      const gets = `${wish.units} units of the fund product ${wish.productId} "${wish.product}"`
      return [`I buy ${gets} for ${gives}, of which ${fee} are the fee`, 'FundPurchase', { gives, fee, gets }]
    }
    case 'savings_in': {
      const gives = `${wish.amount} ${wish.asset}`
      const gets = `${gives} in savings`
      return [`I move ${gives} from my balance into savings`, 'SavingsTransfer', { gives, gets }]
    }
    case 'standing_savings': {
      const gives = `${wish.amount} ${wish.asset} ${rhythmOf(wish)}`
      const gets = 'the same amount in savings'
      const sentence = `I move ${gives} from my balance into savings, until I end it`
      return [sentence, 'StandingTransfer', { gives, gets }]
    }
    case 'vc_subscription': {
      const gives = `${wish.amount} VC`
      const gets = `units of the launch ${wish.launchId} "${wish.launch}", and the VC that it does not use`
      return [
        `I put ${gives} into the launch ${wish.launchId} "${wish.launch}"`,
        'LaunchSubscription',
        { gives, gets },
      ]
    }
    case 'erase_data':
      return ['I request the erasure of my personal data', 'EraseData', { keeps: 'what the books need' }]
  }
}

/**
 * Returns the EIP-712 statement that a member signs, readable in the wallet. The browser builds it from the screen, the server
 * from the request, and the signature is valid only if both are equal. Addresses are in lower case. Rules, section 10.
 */
export function memberStatement(
  wish: MemberWish,
  { wallet, nonce, deadline }: MemberNonce,
  domain: { readonly chainId: number; readonly bank: string },
): TypedStatement {
  const [statement, primaryType, fields] = partsOf(wish)
  const isAddress = (name: string) => name === 'to' || name === 'address'
  const named = Object.keys(fields).map((name) => (isAddress(name) ? address(name) : text(name)))
  return {
    domain: {
      name: 'RIFund Portfolio',
      version: '1',
      chainId: domain.chainId,
      verifyingContract: domain.bank as `0x${string}`,
    },
    types: { [primaryType]: [text('statement'), ...named, ...ONCE] },
    primaryType,
    message: { statement, ...fields, wallet, nonce, deadline: BigInt(deadline) },
  }
}
