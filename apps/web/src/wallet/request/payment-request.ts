import type { AppConfig, MoneyAsset, WalletAsset } from '@rif/api-schema'
import { formatMicros, fromChainUnits } from '@rif/rules'
import { type RequestSearch, readRequestSearch } from './request-search.ts'

/** The page that a request opens. It fills the form there and sends nothing. */
export const REQUEST_PATH = '/pages/transfer/index'

/** A payment requested by a link or a QR code. Every value is untrusted, and none is a name. */
export interface PaymentRequest extends Omit<RequestSearch, 'asset'> {
  asset?: WalletAsset
}

const DAY_MS = 86_400_000

/** Reports whether the day of a request has passed, or does not exist. */
export const isExpired = ({ until }: PaymentRequest, nowMs: number): boolean =>
  until !== undefined && !(Date.parse(until) + DAY_MS > nowMs)

/** Reports whether a request contains more than an address. */
export const isRequest = ({ asset, amount, note, until }: PaymentRequest): boolean =>
  [asset, amount, note, until].some((value) => value !== undefined)

/**
 * Returns a note as one line of text, without invisible characters and characters that change the text
 * direction.
 */
export const plainNote = (note: string): string => note.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** Returns the link of a request for a transfer. */
export function requestLink(
  origin: string,
  request: PaymentRequest & { to: string; asset: MoneyAsset },
): string {
  const { to, asset, amount, note, until } = request
  const values = { to, asset, amount, note: note === '' ? undefined : note, until }
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${origin}${REQUEST_PATH}?${new URLSearchParams(entries)}`
}

type ChainFacts = Pick<AppConfig, 'contracts' | 'decimals'> & {
  readonly chain: Pick<AppConfig['chain'], 'id' | 'native'>
}

/**
 * Decodes a scanned or pasted text as a request; `network` when it is for another chain, null when it is not
 * a request.
 */
export function readRequest(
  text: string,
  origin: string,
  config: ChainFacts | undefined,
): PaymentRequest | 'network' | null {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH) return null
  if (/^ethereum:/i.test(trimmed)) return config === undefined ? null : readEip681(trimmed, config)
  const url = URL.parse(trimmed)
  if (url === null || url.origin !== origin || url.pathname !== REQUEST_PATH) return null
  const request = readRequestSearch(Object.fromEntries(url.searchParams))
  return request.to === undefined ? null : request
}

const MAX_LENGTH = 1_000
const EIP681 = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@(\d{1,10}))?(?:\/(\w{1,20}))?(?:\?(.*))?$/i
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** A number of EIP-681 in base units: "1000000" or "1.5e18". */
const UNITS = /^(\d{1,78})(?:\.(\d{1,18}))?(?:e(\d{1,2}))?$/i

/** Decodes a payment of ether, or a transfer of one of the product's tokens. */
function readEip681(text: string, config: ChainFacts): PaymentRequest | 'network' | null {
  const [, target = '', chain, call, query = ''] = EIP681.exec(text) ?? []
  if (target === '') return null
  if (chain !== undefined && Number(chain) !== config.chain.id) return 'network'
  const params = new URLSearchParams(query)
  if (call === undefined) {
    const value = params.get('value')
    const amount = value === null ? null : wireAmount(value, config.chain.native.decimals)
    return amount === null ? { to: target } : { to: target, asset: 'ETH', amount }
  }
  const asset = (['USDT', 'AMC'] as const).find(
    (item) => config.contracts[item === 'USDT' ? 'usdt' : 'amc'].toLowerCase() === target.toLowerCase(),
  )
  const to = params.get('address') ?? ''
  if (call !== 'transfer' || asset === undefined || !ADDRESS.test(to)) return null
  const units = params.get('uint256')
  const amount = units === null ? null : wireAmount(units, config.decimals[asset])
  return amount === null ? { to, asset } : { to, asset, amount }
}

/** Returns base units as a plain decimal; null for zero, and for more than six decimals. */
function wireAmount(text: string, decimals: number): string | null {
  const [, whole = '', fraction = '', exponent = '0'] = UNITS.exec(text) ?? []
  const zeros = Number(exponent) - fraction.length
  if (whole === '' || zeros < 0) return null
  const { micros, dust } = fromChainUnits(BigInt(whole + fraction) * 10n ** BigInt(zeros), decimals)
  if (micros <= 0n || dust > 0n || micros >= 10n ** 19n) return null
  return formatMicros(micros).replace(/\.?0+$/, '')
}
