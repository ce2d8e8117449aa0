import { isAboveUnsigned, type Micros, type OneWayWish, type Plan, RECENT_MS } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import { constantRead, type Read, read } from '../../db/read.ts'
import type { Consent, ConsentsService, MemberWallet } from './leaving.consents.service.ts'
import * as repository from './leaving.repository.ts'

/** The facts that a move that cannot be taken back at the same worth is judged by. */
export interface OneWayMove {
  readonly wish: OneWayWish
  /** The worth of what is given, in USDT micro-units; null without a price. */
  readonly worthMicros: Micros | null
  /** The result of `unsignedRead`, read under the member's ledger head. */
  readonly unsignedMicros: Micros
  readonly plan: Plan
  readonly consent: Consent | undefined
  /** The result of `consents.usedRead`, so that nothing is written for a used nonce. */
  readonly isUsed?: boolean | undefined
}

/** A move, as it is counted when it was not signed. */
export interface CountedMove {
  readonly way: repository.OneWayName
  readonly id: bigint
  readonly at: Date
}

export type OneWayService = ReturnType<typeof createOneWayService>

/**
 * Creates the policy for moves that stay with the member but cannot be taken back at the same worth:
 * conversions, fund purchases, and savings above a limit. Without it a stolen session could destroy what it
 * cannot take. Rules, section 10.
 */
export function createOneWayService({
  consents,
  membersSign,
}: {
  readonly consents: ConsentsService
  readonly membersSign: boolean
}) {
  /**
   * Returns the read of the worth that left the member or was converted without a signature within the 24
   * hours before a time.
   */
  function unsignedRead(at: Date): Read<Micros> {
    if (!membersSign) return constantRead(0n)
    const after = new Date(at.getTime() - RECENT_MS)
    return read<string, Micros>(repository.unsignedOf(after), (worth) => BigInt(worth ?? 0))
  }

  return {
    unsignedRead,

    /**
     * Allows a move under the member's ledger head: uses its consent, or finds that it needs none and counts
     * it as unsigned. Throws SIGNATURE_REQUIRED with the statement to sign, and NONCE_INVALID.
     */
    async allow(
      dbTx: Db,
      signer: MemberWallet,
      { wish, worthMicros, unsignedMicros, plan, consent, isUsed }: OneWayMove,
      counted: CountedMove,
    ): Promise<void> {
      const needed = isAboveUnsigned(unsignedMicros, worthMicros, plan)
      const nonce = await consents.use(dbTx, signer, { wish, needed, consent, isUsed })
      if (nonce !== null || !membersSign || worthMicros === null || worthMicros === 0n) return
      await repository.insertUnsignedMove(dbTx, { ...counted, memberId: signer.memberId, worthMicros })
    },

    /** Uses the consent of a move that always needs one. Returns its nonce; null where members do not sign. */
    allowSigned: (
      dbTx: Db,
      signer: MemberWallet,
      wish: OneWayWish,
      consent: Consent | undefined,
    ): Promise<string | null> => consents.use(dbTx, signer, { wish, needed: true, consent }),
  }
}
