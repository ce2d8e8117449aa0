import type { MoneyAsset } from '@rif/api-schema'

export const NOTE_MAX = 80

/** The query string of a request for a transfer. */
export interface RequestSearch {
  to?: string
  asset?: MoneyAsset
  /** A plain decimal above 0. */
  amount?: string
  note?: string
  /** The last day (UTC) on which the request fills a form. */
  until?: string
}

const ASSETS: readonly MoneyAsset[] = ['USDT', 'AMC']
const PATTERNS = {
  to: /^0x[0-9a-fA-F]{40}$/,
  amount: /^(?=.*[1-9])[0-9]{1,13}(\.[0-9]{1,6})?$/,
  until: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
} as const

/** Parses the query string; leaves out absent, malformed and unknown values. */
export function readRequestSearch(raw: Readonly<Record<string, string | undefined>>): RequestSearch {
  const asset = ASSETS.find((item) => item === raw.asset)
  const note = raw.note?.trim().slice(0, NOTE_MAX)
  const matched = (['to', 'amount', 'until'] as const).flatMap((name) => {
    const value = raw[name]
    return value !== undefined && PATTERNS[name].test(value) ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(matched), ...(asset && { asset }), ...(note && { note }) }
}
