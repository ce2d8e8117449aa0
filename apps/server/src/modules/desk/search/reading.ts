import type { SearchReading } from '@rif/api-schema'
import { unpackFundOrderId, unpackOnChainId } from '../../../chain/onchain-id.ts'

/** The interpretation of a search text, in look-up form. */
export type ReadSearch =
  | { readonly reading: 'address' | 'hash'; readonly text: string }
  | { readonly reading: 'address_start'; readonly head: string; readonly tail: string }
  | { readonly reading: 'code'; readonly code: string }
  | { readonly reading: 'number'; readonly number: bigint; readonly code: string | null }
  | { readonly reading: 'chain_id'; readonly memberId: bigint; readonly id: bigint; readonly isFund: boolean }
  | { readonly reading: 'nothing' }

const CODE = /^[2-9A-HJKMNP-TV-Z]{3,8}$/
/** The minimum length of a wallet's prefix; shorter ones match too many wallets. */
const SHORT_FORM_HEAD = '0x1234'.length
const MAX_NUMBER_DIGITS = 18

/**
 * Interprets the text of the search box: a transaction's hash, a wallet's address, its prefix or its short
 * form, a number (of a member, an order, a withdrawal), an order's on-chain id, or an invitation code or its
 * prefix.
 */
export function readSearch(typed: string): ReadSearch & { readonly reading: SearchReading } {
  const text = typed.trim().toLowerCase()
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return { reading: 'hash', text: `0x${text.slice(-64)}` }
  if (/^0x[0-9a-f]{40}$/.test(text)) return { reading: 'address', text }
  const [, head, tail = ''] = /^(0x[0-9a-f]*)(?:(?:…|\.{2,3})([0-9a-f]+))?$/.exec(text) ?? []
  if (head !== undefined && head.length >= SHORT_FORM_HEAD) return { reading: 'address_start', head, tail }
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^[0-9]+$/.test(text)) {
    const number = BigInt(text)
    if (text.length > MAX_NUMBER_DIGITS) return readChainId(number)
    return { reading: 'number', number, code: CODE.test(code) && code.length === 8 ? code : null }
  }
  return CODE.test(code) ? { reading: 'code', code } : { reading: 'nothing' }
}

function readChainId(number: bigint): ReadSearch {
  const fund = unpackFundOrderId(number)
  if (fund !== null) return { reading: 'chain_id', ...fund, isFund: true }
  try {
    return { reading: 'chain_id', ...unpackOnChainId(number), isFund: false }
  } catch {
    return { reading: 'nothing' }
  }
}
