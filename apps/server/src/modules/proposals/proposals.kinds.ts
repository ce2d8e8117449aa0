import type { Difference, Effect, ProposalKind, ProposalPayload } from '@rif/api-schema'
import type { AdminRole } from '@rif/rules'
import type { Db } from '../../db/database.ts'

/** What a proposal would do, as it stands now. */
export interface Preview {
  /** What it is about; two of a kind about the same thing are never open at once. */
  readonly subject: string
  /** One English line, which goes into the statement that is signed. */
  readonly summary: string
  /** What changes. It must still be the same when it is decided on. */
  readonly difference: readonly Difference[]
  /** What follows, as far as it is known now. */
  readonly effects?: readonly Effect[]
  /** The members it is about: none of them decides on it. */
  readonly memberIds?: readonly bigint[]
}

/** Who carries a proposal out, as wallets in lower case, and why. */
export interface Actors {
  readonly preparedBy: string
  readonly decidedBy: string
  readonly reason: string
}

/** One kind of proposal. */
export interface Kind<Payload> {
  /** Who may prepare one, and who may decide on it. */
  readonly prepare: AdminRole
  readonly decide: AdminRole
  /** 1: whoever prepared it may decide too. For what makes things safer at once. */
  readonly people: 1 | 2
  /** Reads only. Throws what makes the proposal impossible. */
  preview(db: Db, payload: Payload): Promise<Preview>
  /** Carries it out, in the transaction that marks it as applied. Returns plain JSON of what came of it. */
  apply(dbTx: Db, payload: Payload, actors: Actors): Promise<unknown>
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
