import { MAX_MICROS } from '@rif/rules'
import type { Address } from 'viem'
import { unpackOnChainId } from '../chain/onchain-id.ts'
import type { SignedEntry } from './decision-log.ts'

/** A signed voucher that counts towards its member's sums, from the signer's own log. */
export interface Voucher {
  readonly atMs: number
  readonly memberId: bigint
  readonly withdrawalId: bigint
  /** USDT micro-units, the fee included. */
  readonly worthMicros: bigint
  /** True if the member signed the withdrawal. */
  readonly isConsented: boolean
  readonly bank: Address
  readonly untilMs: number
  readonly token: Address
  readonly to: Address
  /** Base units of the token. */
  readonly amount: bigint
}

/** The USDT worth, in micro-units, of a member's vouchers of the last 24 hours. */
export interface VoucherSums {
  readonly allMicros: bigint
  /** Of those without the member's signature. */
  readonly unsignedMicros: bigint
}

type Which = Pick<Voucher, 'memberId' | 'withdrawalId'>

export const VOUCHER_COUNTS_MS = 86_400_000
/** So many vouchers are offered to be looked up at once, so that one claim costs few calls of the nodes. */
const LOOKED_UP_AT_ONCE = 10

/**
 * Creates the list of the vouchers signed within the last 24 hours. Each withdrawal counts once, with its highest worth,
 * whatever the database says later. Times must not go back.
 */
export function createVouchers() {
  const byMember = new Map<bigint, Voucher[]>()
  /** All of them, oldest first. */
  let all: Voucher[] = []
  /** Those that the bank has paid: they count to the end, whoever asks. */
  const paid = new Set<Voucher>()

  function drop(voucher: Voucher): void {
    const left = (byMember.get(voucher.memberId) ?? []).filter((item) => item !== voucher)
    if (left.length > 0) byMember.set(voucher.memberId, left)
    else byMember.delete(voucher.memberId)
    paid.delete(voucher)
  }

  function forgetUntil(atMs: number): void {
    const isOver = (voucher: Voucher) => voucher.atMs <= atMs - VOUCHER_COUNTS_MS
    if (all[0] === undefined || !isOver(all[0])) return
    for (const voucher of all) if (isOver(voucher)) drop(voucher)
    all = all.filter((voucher) => !isOver(voucher))
  }

  return {
    add(voucher: Voucher): void {
      forgetUntil(voucher.atMs)
      all.push(voucher)
      byMember.set(voucher.memberId, [...(byMember.get(voucher.memberId) ?? []), voucher])
    },

    /** Returns the sums of a member, without one withdrawal. */
    sumsWithout({ memberId, withdrawalId }: Which, atMs: number): VoucherSums {
      forgetUntil(atMs)
      const highest = new Map<bigint, Voucher>()
      for (const voucher of byMember.get(memberId) ?? []) {
        if (voucher.withdrawalId === withdrawalId) continue
        const before = highest.get(voucher.withdrawalId)
        if (before === undefined || before.worthMicros < voucher.worthMicros)
          highest.set(voucher.withdrawalId, voucher)
      }
      const sum = (vouchers: readonly Voucher[]) =>
        vouchers.reduce((total, voucher) => total + voucher.worthMicros, 0n)
      const counted = [...highest.values()]
      return {
        allMicros: sum(counted),
        unsignedMicros: sum(counted.filter(({ isConsented }) => !isConsented)),
      }
    },

    /**
     * Returns some vouchers of a member whose deadline has passed and that are not known to be paid, oldest first, without
     * those of one withdrawal.
     */
    expired({ memberId, withdrawalId }: Which, atMs: number): Voucher[] {
      forgetUntil(atMs)
      return (byMember.get(memberId) ?? [])
        .filter((item) => item.withdrawalId !== withdrawalId && item.untilMs < atMs && !paid.has(item))
        .slice(0, LOOKED_UP_AT_ONCE)
    },

    /** Notes that the bank has paid a voucher in a final block. */
    notePaid(voucher: Voucher): void {
      paid.add(voucher)
    },

    /** Stops counting a voucher that can never be claimed any more. */
    release(voucher: Voucher): void {
      drop(voucher)
      all = all.filter((item) => item !== voucher)
    },

    /** Reports whether a voucher of a withdrawal was signed within the last 24 hours. */
    has({ memberId, withdrawalId }: Which): boolean {
      return (byMember.get(memberId) ?? []).some((voucher) => voucher.withdrawalId === withdrawalId)
    },
  }
}

const SUBJECT = /^withdrawal\/(\d+)$/
const TERMS = /^(\d+) of (0x[0-9a-fA-F]{40}) to (0x[0-9a-fA-F]{40}) by /

/**
 * Returns the voucher of an entry of the log; undefined for a quote. An entry of an earlier version, without a worth,
 * counts with the highest one.
 */
export function voucherOf(entry: SignedEntry): Voucher | undefined {
  const withdrawalId = SUBJECT.exec(entry.subject)?.[1]
  const terms = TERMS.exec(entry.terms)
  if (withdrawalId === undefined || terms === null) return undefined
  return {
    atMs: Date.parse(entry.at),
    memberId: BigInt(entry.member),
    withdrawalId: BigInt(withdrawalId),
    worthMicros: entry.worth === undefined ? MAX_MICROS : BigInt(entry.worth),
    isConsented: entry.consented ?? false,
    bank: entry.bank as Address,
    untilMs: Date.parse(entry.until),
    amount: BigInt(terms[1]!),
    token: terms[2] as Address,
    to: terms[3] as Address,
  }
}

/** Returns the withdrawal of an id on chain; undefined for an id that the product never made. */
export function withdrawalOf(onchainId: bigint): Which | undefined {
  try {
    const { memberId, id } = unpackOnChainId(onchainId)
    return { memberId, withdrawalId: id }
  } catch {
    return undefined
  }
}
