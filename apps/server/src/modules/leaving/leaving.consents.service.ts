import { randomBytes } from 'node:crypto'
import type { Signed } from '@rif/api-schema'
import {
  type MemberNonce,
  type MemberWish,
  memberStatement,
  type TypedStatement,
  WISH_VALIDITY_MS,
} from '@rif/rules'
import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem'
import { type Signatures, typedDataJson } from '../../chain/signature.ts'
import type { Db } from '../../db/database.ts'
import { constantRead, type Read, read } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import * as repository from './leaving.repository.ts'

interface Deps {
  readonly now: Now
  readonly signatures: Pick<Signatures, 'isStatementSigned'>
  /** The chain and the bank contract for which signed statements are valid. */
  readonly domain: { readonly chainId: number; readonly bank: string }
  /** False only in a simulation, whose members have no wallets. */
  readonly membersSign: boolean
}

/** A statement whose signature was checked and which was not used yet. Only `check` creates one. */
export interface Consent {
  readonly once: MemberNonce
  readonly digest: Hex
  readonly statement: string
  readonly signature: string
}

/** A member with the wallet that signs, in lower case. */
export interface MemberWallet {
  readonly memberId: bigint
  readonly address: string
}

export type ConsentsService = ReturnType<typeof createConsentsService>

/**
 * Creates the service of members' own signatures, without which a stolen session cannot move money. Rules,
 * section 10.
 */
export function createConsentsService({ now, signatures, domain, membersSign }: Deps) {
  const statementOf = (wish: MemberWish, once: MemberNonce) => memberStatement(wish, once, domain)

  /** Returns the statement that a wallet must sign for a request, with a new nonce. */
  function offer(wish: MemberWish, wallet: string) {
    const nonce = `0x${randomBytes(32).toString('hex')}`
    const deadline = Math.floor((now().getTime() + WISH_VALIDITY_MS) / 1000)
    return { nonce, deadline, typed_data: typedDataJson(statementOf(wish, { wallet, nonce, deadline })) }
  }

  const required = (wish: MemberWish, wallet: string): AppError =>
    new AppError('SIGNATURE_REQUIRED', {
      ...offer(wish, wallet),
      ...(wish.kind === 'withdrawal' && { fee: wish.fee }),
      ...(wish.kind === 'fund_purchase' && { total: wish.total, fee: wish.fee }),
    })

  return {
    /**
     * Has a wallet sign a request and checks the signature. `sign` receives the typed data in the form of
     * `eth_signTypedData_v4`.
     */
    async signWith(
      signer: MemberWallet,
      wish: MemberWish,
      sign: (typedData: string) => Promise<Hex>,
    ): Promise<Consent> {
      const { typed_data: typedData, ...once } = offer(wish, signer.address)
      return this.check(signer, wish, { ...once, signature: await sign(typedData) })
    },

    /**
     * Checks the signature of a member's wallet over a request (EIP-712; also EIP-1271 and EIP-6492 wallets).
     * Call it outside transactions: it may call the chain. Throws SIGNATURE_INVALID and CHAIN_UNAVAILABLE.
     */
    async check(signer: MemberWallet, wish: MemberWish, signed: Signed): Promise<Consent> {
      const { deadline, signature } = signed
      const once = { wallet: signer.address, nonce: signed.nonce.toLowerCase(), deadline }
      const typedData = statementOf(wish, once)
      const address = signer.address as Hex
      if (!(await signatures.isStatementSigned({ address, typedData, signature: signature as Hex }))) {
        throw new AppError('SIGNATURE_INVALID')
      }
      return { once, digest: digestOf(typedData), statement: typedDataJson(typedData), signature }
    },

    /** Returns the read of whether the nonce of a consent was used before. */
    usedRead: (memberId: bigint, consent: Consent | undefined): Read<boolean | undefined> =>
      consent === undefined
        ? constantRead(undefined)
        : read<boolean, boolean | undefined>(
            repository.usedNonce(memberId, consent.once.nonce),
            (used) => used,
          ),

    /**
     * Uses a consent for a request, once, under the member's ledger head, and returns its nonce; null without
     * a consent. Throws SIGNATURE_REQUIRED, with the statement to sign, if a required consent is missing or
     * is for another request, and NONCE_INVALID if it was used before or has expired.
     */
    async use(
      dbTx: Db,
      signer: MemberWallet,
      use: {
        readonly wish: MemberWish
        readonly needed: boolean
        readonly consent: Consent | undefined
        /** The result of `usedRead`, so that nothing is written for a used nonce. */
        readonly isUsed?: boolean | undefined
      },
    ): Promise<string | null> {
      const { wish, needed, consent, isUsed } = use
      if (!membersSign) return null
      if (consent === undefined) {
        if (needed) throw required(wish, signer.address)
        return null
      }
      if (consent.digest !== digestOf(statementOf(wish, { ...consent.once, wallet: signer.address }))) {
        throw required(wish, signer.address)
      }
      const at = now()
      const leftMs = consent.once.deadline * 1000 - at.getTime()
      if (leftMs <= 0 || leftMs > WISH_VALIDITY_MS) throw new AppError('NONCE_INVALID')
      const { statement, signature, once } = consent
      const stored = { memberId: signer.memberId, nonce: once.nonce, statement, signature, at }
      if (isUsed || !(await repository.insertConsent(dbTx, stored))) throw new AppError('NONCE_INVALID')
      return once.nonce
    },
  }
}

const digestOf = (statement: TypedStatement): Hex => hashTypedData(statement as TypedDataDefinition)
