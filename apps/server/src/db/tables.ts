import type { KeptBecause } from '@rif/api-schema'

/** A table or view of the schema, as its capability declares it in its `tables.ts`. */
export interface Table {
  /**
   * The location of the rows once the database is distributed over several machines (architecture, "Ledger and data at three sizes"):
   * `distributed` by member_id; `reference`, a copy on every machine; `coordinator`, on the coordinator only. `catalog-check.ts` checks
   * the schema against it on plain PostgreSQL. A view has no rows of its own; a `member view` shows rows of distributed tables, with
   * the member of each.
   */
  readonly place: TableClass | 'view' | 'member view'
  /** The rights of the application's login, besides reading. */
  readonly rights: readonly Right[]
  /**
   * Its additional rights on a distributed database. There the functions of the ledger run with the rights of their caller
   * (decision 49). The triggers of every shard still refuse changes of posted rows.
   */
  readonly clusterRights?: readonly Right[]
  /** True for what the signing process needs to check withdrawals and orders, signatures included. */
  readonly isReadBySigner?: true
  /** Every table that names members or addresses says what a member receives of it, and what an erasure does. */
  readonly personal?: PersonalData
}

export type Tables = Readonly<Record<string, Table>>
export type TableClass = 'distributed' | 'reference' | 'coordinator'

/**
 * A right that no statement of the server needs is not granted. A lock of rows (`for update`, `for share`) needs `update`. The tables of
 * the ledger are written only by its functions.
 */
export type Right = 'insert' | 'update' | 'delete' | 'truncate'

export const NONE: readonly Right[] = []
export const APPENDED: readonly Right[] = ['insert']
export const UPDATED: readonly Right[] = ['update']
export const CHANGED: readonly Right[] = ['insert', 'update']
export const REPLACED: readonly Right[] = ['insert', 'delete']
export const TEMPORARY: readonly Right[] = ['insert', 'update', 'delete']
/** The rights on results of the open day, which are emptied when it is settled. */
export const STAGED: readonly Right[] = ['insert', 'update', 'delete', 'truncate']

export interface PersonalData {
  /** The rows that the member receives, or the reason why none. */
  readonly export?: ExportedTable
  readonly leftOut?: string
  readonly erasure: Treatment
}

/** The rows about a member: the condition that finds them, and the columns left out. */
export interface ExportedTable {
  readonly by: 'member_id' | 'address'
  /** Columns that are secrets of the product, notes of operators or their wallets. */
  readonly without?: readonly string[]
  /** The columns that identify a view's rows of a member, because a view has no primary key. */
  readonly key?: readonly string[]
}

/**
 * The treatment of a table by an erasure: delete the member's rows, empty the texts that the books do not
 * need, or keep the rows for a reason that is shown to the member.
 */
export type Treatment =
  | { readonly erase: 'member_id' | 'address' }
  /** Rows of another table that belongs to the member. */
  | { readonly erase: 'of_statements' }
  | { readonly erase: 'consent_texts' }
  | { readonly keep: KeptBecause }

export const OWN: ExportedTable = { by: 'member_id' }

export const DERIVED = 'computed from rows that are exported'
export const TECHNICAL = 'technical state without anything about the person'
export const OF_OPERATORS = 'wallets of operators or contracts, not of members'
export const FOR_REVIEW = 'written by operators for their review; handed out by them after they looked at it'

export const ERASED: Treatment = { erase: 'member_id' }
export const BOOKS: Treatment = { keep: 'books' }
export const EVIDENCE: Treatment = { keep: 'evidence' }
export const TEAM: Treatment = { keep: 'team' }
