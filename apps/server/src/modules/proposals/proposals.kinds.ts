import type { Difference, Effect, Headline, ProposalKind, ProposalPayload } from '@rif/api-schema'
import type { AdminRole, Asset, Micros } from '@rif/rules'
import type { Db } from '../../db/database.ts'

/** An amount in micro-units of an asset. */
export interface Amount {
  readonly asset: Asset
  readonly micros: Micros
}

/** The current effect of a proposal. */
export interface Preview {
  /** The subject; two proposals of a kind about one subject are never open at once. */
  readonly subject: string
  /** One English line, which goes into the statement that is signed. */
  readonly summary: string
  /** The same as a sentence of the screens. */
  readonly headline: Headline
  /** The changes, which must be unchanged at the decision. */
  readonly difference: readonly Difference[]
  /** The consequences, as far as known now. */
  readonly effects?: readonly Effect[]
  /** The members whom it pays or is about: none of them decides on it. */
  readonly memberIds?: readonly bigint[]
  /** Other wallets that it pays or is about, in lower case: none of their persons decides on it. */
  readonly payees?: readonly string[]
  /** The money that it moves; above an amount of the plan several persons must approve. */
  readonly amounts?: readonly Amount[]
  /** The fewest persons who must approve; one by default. */
  readonly approvers?: number
  /** A USDT worth that counts when it is more than that of the amounts. */
  readonly worthMicros?: Micros
}

/** The two admins of a proposal, as wallets in lower case, and the reason. */
export interface Actors {
  /** Null while an application is tried out. */
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
  /** 1: whoever prepared it may decide too. For what makes things safer at once. */
  readonly people: 1 | 2
  /** True when members ask for what it pays: it does not count for the admin who prepares it. */
  readonly askedByMembers?: boolean
  /** Asks the chain for what the preview shows, and stores it, before a proposal is prepared. Not inside a transaction. */
  gather?(db: Db, payload: Payload): Promise<void>
  /** Reads only. Throws what makes the proposal impossible. */
  preview(db: Db, payload: Payload): Promise<Preview>
  /** Carries it out, in the transaction that marks it as applied. Returns plain JSON of what came of it. */
  apply(dbTx: Db, payload: Payload, actors: Actors): Promise<unknown>
  /** The time within which it must be decided; by default that of all proposals. */
  readonly validityMs?: number
  /** Applies the effects of the preparation alone, in the transaction that stores it. */
  prepared?(dbTx: Db, payload: Payload, actors: Pick<Actors, 'preparedBy'>): Promise<void>
  /** Ends what `prepared` caused, when it is refused, withdrawn or expired; a null admin for the worker and the preparer. */
  ended?(
    dbTx: Db,
    payload: Payload,
    actors: { readonly preparedBy: string; readonly decidedBy: string | null },
  ): Promise<void>
}

/** Every kind there is. */
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
