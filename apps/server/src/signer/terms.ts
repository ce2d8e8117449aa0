import { MICRO, parsePlan, termsOfLevel, toChainUnits, units, withdrawalFee } from '@rif/rules'
import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from 'viem'
import type { SignableClaim, SignableOrder } from '../chain/bank-messages.ts'
import { isFinalOnL1 } from '../chain/l1-finality.ts'
import { packFundOrderId, packOnChainId } from '../chain/onchain-id.ts'
import type { Limited } from './limits.ts'
import type { Reason, SignRequest } from './protocol.ts'
import type { StoredOrder, StoredWithdrawal } from './reading.ts'

/** The contracts that the signer signs for, from its own settings. */
export interface BankTerms {
  readonly chainId: number
  /** Every bank for which the signer may sign; a withdrawal or an order names its bank. */
  readonly banks: readonly Address[]
  readonly tokens: { readonly USDT: Address; readonly AMC: Address }
  readonly decimals: { readonly USDT: number; readonly AMC: number }
}

interface Counted {
  readonly bank: Address
  readonly what: Limited
  readonly amount: bigint
}

/** A message that may be signed, its bank, and the amounts that count towards the limits. */
export type SignerTerms =
  | (Counted & { readonly claim: SignableClaim })
  | (Counted & { readonly order: SignableOrder })

type Outcome = SignerTerms | Reason

/**
 * A voucher and a quote are valid for 30 minutes from a time by which the chain may be ahead. Longer ones do
 * not follow the rules.
 */
export const LONGEST_MS = 2 * 3_600_000

/**
 * Judges the row of a withdrawal: returns the terms of its voucher, or the reason for a refusal. Rules,
 * section 7.
 */
export function claimTerms(
  request: Extract<SignRequest, { kind: 'claim' }>,
  row: StoredWithdrawal | undefined,
  { bank, nowMs }: { bank: BankTerms; nowMs: number },
): Outcome {
  if (row === undefined || row.memberState === null) return 'unknown'
  if (row.memberState !== 'active') return 'member_frozen'
  if (row.status !== 'Withdrawable' || row.seenBlock !== null || row.isClosed) return 'not_withdrawable'
  if (!isFinalOnL1(row.bookedBlock, row.l1FinalNumber)) return 'not_final'
  const deadlineMs = row.claimExpiresAt?.getTime() ?? 0
  if (deadlineMs < nowMs) return 'no_voucher'
  const { asset, amountMicros, feeMicros } = row
  if (asset !== 'USDT' && asset !== 'AMC') return 'bad_terms'
  const isHeld = row.heldMicros === amountMicros && row.heldAsset === asset
  const isRequestTime = row.requestedAt?.getTime() === row.createdAt.getTime()
  if (!isRequestTime || !isHeld || !isFeeDue(row) || !isDeadline(deadlineMs, nowMs)) return 'bad_terms'
  const to = receiver(row.toAddress, bank)
  const own = bankOf(row.bank, bank)
  if (to === undefined || own === undefined) return 'bad_terms'
  if (row.isBankClosed) return 'bank_closed'
  const netMicros = amountMicros - feeMicros
  const claim = {
    withdrawalId: packOnChainId(request.member, request.withdrawal),
    token: bank.tokens[asset],
    to,
    amount: toChainUnits(netMicros, bank.decimals[asset]),
    deadline: BigInt(deadlineMs / 1_000),
  }
  return { claim, bank: own, what: asset, amount: netMicros }
}

/** Reports whether the fee follows the rules at the request: of what is no free refund to the member's own wallet. */
function isFeeDue(row: StoredWithdrawal): boolean {
  const { asset, amountMicros, feeMicros, refundMicros, toAddress, memberAddress } = row
  if (refundMicros > 0n && toAddress !== memberAddress) return false
  const parsed = parsePlan(row.plan)
  if (!parsed.ok || refundMicros > amountMicros) return false
  const prices = asset === 'USDT' ? [MICRO] : row.requestPricesMicros
  return prices.some(
    (price) => withdrawalFee({ amountMicros, refundMicros }, price, parsed.plan) === feeMicros,
  )
}

/**
 * Judges a stored order: returns the terms of its quote, or the reason for a refusal. Rules, sections 4 and
 * 8.
 */
export function orderTerms(
  request: Extract<SignRequest, { kind: 'quote' }>,
  row: StoredOrder | undefined,
  { bank, nowMs }: { bank: BankTerms; nowMs: number },
): Outcome {
  if (row === undefined || row.memberState === null || row.memberAddress === null) return 'unknown'
  if (row.memberState !== 'active') return 'member_frozen'
  if (row.isPaused) return 'paused'
  if (row.status !== 'UnPaid' || row.expiresAt === null || !row.isNoted) return 'not_payable'
  const deadlineMs = row.expiresAt.getTime()
  if (deadlineMs < nowMs) return 'expired'
  const payer = row.payer === row.memberAddress ? receiver(row.payer, bank) : undefined
  const own = bankOf(row.bank, bank)
  if (payer === undefined || own === undefined) return 'bad_terms'
  if (row.isBankClosed) return 'bank_closed'
  const copies = copiesOf(request, row)
  if (copies === undefined || !isDeadline(deadlineMs, nowMs) || !isPriced(row)) return 'bad_terms'
  const pack = request.of === 'shop' ? packOnChainId : packFundOrderId
  const order = {
    orderId: pack(request.member, request.order),
    payer,
    package: BigInt(copies.package),
    limit: BigInt(copies.limit),
    usdtAmount: toChainUnits(row.usdtMicros, bank.decimals.USDT),
    amcAmount: toChainUnits(row.amcMicros, bank.decimals.AMC),
    deadline: BigInt(deadlineMs / 1_000),
  }
  return { order, bank: own, what: 'quotes', amount: 1n }
}

/**
 * Returns the package that the bank counts and the most copies that may be paid, by the plan in force; a fund purchase is not
 * counted. Undefined for a package that the plan does not have, or a row that names two.
 */
function copiesOf(
  { of }: Extract<SignRequest, { kind: 'quote' }>,
  { packageId, level, plan }: StoredOrder,
): { package: number; limit: number } | undefined {
  if (of === 'fund') return { package: 0, limit: 0 }
  const parsed = parsePlan(plan)
  const terms = parsed.ok && packageId === level ? termsOfLevel(parsed.plan, level) : null
  return terms === null ? undefined : { package: level, limit: terms.copies }
}

/** Reports whether USDT and AMC together equal the cost of the order, at the order's own price. */
function isPriced({ usdtMicros, amcMicros, dueMicros, amcPriceMicros }: StoredOrder): boolean {
  if (dueMicros <= 0n || usdtMicros < 0n || usdtMicros > dueMicros || amcPriceMicros <= 0n) return false
  return amcMicros === units(dueMicros - usdtMicros, amcPriceMicros)
}

/** Deadlines are whole seconds, and not far ahead. */
function isDeadline(deadlineMs: number, nowMs: number): boolean {
  return deadlineMs % 1_000 === 0 && deadlineMs <= nowMs + LONGEST_MS
}

/**
 * Returns a wallet with its checksum; undefined for an invalid address, the zero address, or one of the
 * contracts.
 */
function receiver(text: string, { banks, tokens }: BankTerms): Address | undefined {
  if (!isAddress(text, { strict: false })) return undefined
  const address = getAddress(text)
  const refused = [zeroAddress, ...banks, tokens.USDT, tokens.AMC]
  return refused.some((other) => isAddressEqual(address, other)) ? undefined : address
}

/** Returns the bank of a withdrawal or an order; undefined for a bank that is not among the signer's own. */
function bankOf(stored: string | null, { banks }: BankTerms): Address | undefined {
  return banks.find((bank) => bank.toLowerCase() === stored)
}
