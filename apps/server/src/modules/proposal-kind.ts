import type { Difference, Effect, Headline, ProposalKind, ProposalPayload } from '@rif/api-schema'
import type { AdminRole, Asset, Micros } from '@rif/rules'
import type { Db } from '../db/database.ts'

/** An amount in micro-units of an asset. */
export interface Amount {
  readonly asset: Asset
  readonly micros: Micros
}

/** The current effect of a proposal. */
export interface Preview {
  /** The subject. Two proposals of a kind about one subject are never open at once. */
  readonly subject: string
  /** One English line, part of the signed statement. */
  readonly summary: string
  /** The same as a translatable sentence for the screens. */
  readonly headline: Headline
  /** The changes, which must be the same at the decision. */
  readonly difference: readonly Difference[]
  /** The consequences, as far as known. */
  readonly effects?: readonly Effect[]
  /** The members that it pays or concerns: none of them may decide on it. */
  readonly memberIds?: readonly bigint[]
  /** Other wallets that it pays or concerns, in lower case: none of their persons may decide on it. */
  readonly payees?: readonly string[]
  /** The wallets that must not be known to belong to the person who prepares it. */
  readonly notOfPreparer?: readonly string[]
  /** The money that it moves; above an amount of the plan several persons must approve. */
  readonly amounts?: readonly Amount[]
  /** The minimum number of persons who must approve; one by default. */
  readonly approvers?: number
  /** A USDT worth that counts if it exceeds that of the amounts. */
  readonly worthMicros?: Micros
}

/** The two admins of a proposal, as wallets in lower case, and the reason. */
export interface Actors {
  /** Null in a trial application. */
  readonly proposalId: bigint | null
  readonly preparedBy: string
  readonly decidedBy: string
  readonly reason: string
}

/** One kind of proposal. */
export interface Kind<Payload> {
  /** The roles that may prepare and decide. */
  readonly prepare: AdminRole
  readonly decide: AdminRole
  /** 1: the preparer may also decide. For immediate safety measures. */
  readonly people: 1 | 2
  /** True if members request the payments: they do not count for the admin who prepares it. */
  readonly askedByMembers?: boolean
  /**
   * Reads the chain data for the preview and stores it, before a proposal is prepared. Not inside a
   * transaction.
   */
  gather?(db: Db, payload: Payload): Promise<void>
  /** Computes the effect; reads only. Throws the reason why the proposal is impossible. */
  preview(db: Db, payload: Payload): Promise<Preview>
  /** Applies the proposal, in the transaction that marks it as applied. Returns the result as plain JSON. */
  apply(dbTx: Db, payload: Payload, actors: Actors): Promise<unknown>
  /** The time limit for the decision; by default that of all proposals. */
  readonly validityMs?: number
  /** Applies the effects of the preparation alone, in the transaction that stores it. */
  prepared?(dbTx: Db, payload: Payload, actors: Pick<Actors, 'preparedBy'>): Promise<void>
  /**
   * Ends the effects of `prepared` when the proposal is refused, withdrawn or expired; a null admin stands
   * for the worker and the preparer.
   */
  ended?(
    dbTx: Db,
    payload: Payload,
    actors: { readonly preparedBy: string; readonly decidedBy: string | null },
  ): Promise<void>
}

/** All kinds. */
export type Kinds = { readonly [K in ProposalKind]: Kind<ProposalPayload<K>> }

/** One changed value. */
export const change = (
  field: string,
  before: string | null,
  after: string | null,
  item: string | null = null,
): Difference => ({ item, field, before, after })

/** The sentence of a proposal, with its amounts and names. */
export const says = (name: Headline['name'], values: Headline['values']): Headline => ({ name, values })
