import {
  APPENDED,
  BOOKS,
  CHANGED,
  ERASED,
  EVIDENCE,
  FOR_REVIEW,
  OWN,
  REPLACED,
  type Tables,
  TEMPORARY,
} from '../../db/tables.ts'

export const LEAVING_TABLES = {
  address_book: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  member_consents: {
    place: 'distributed',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: { erase: 'consent_texts' } },
  },
  // No erasure is executed while the member is flagged, so that it cannot be used to escape a check.
  risk_flags: {
    place: 'distributed',
    rights: REPLACED,
    personal: { leftOut: FOR_REVIEW, erasure: EVIDENCE },
  },
  saved_only_switches: {
    place: 'distributed',
    rights: TEMPORARY,
    personal: { export: OWN, erasure: ERASED },
  },
  transfers: {
    place: 'distributed',
    rights: CHANGED,
    personal: { export: { by: 'member_id', without: ['reviewed_by'] }, erasure: BOOKS },
  },
  unmatched_claims: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: REPLACED,
    personal: { export: OWN, erasure: BOOKS },
  },
  unsigned_moves: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  // The operators' check of who paid whom reads it, and the chain shows the same publicly.
  wallet_sends: {
    place: 'distributed',
    rights: TEMPORARY,
    personal: { export: OWN, erasure: { keep: 'chain' } },
  },
  withdrawals: {
    place: 'distributed',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: { by: 'member_id', without: ['reviewed_by'] }, erasure: BOOKS },
  },
} as const satisfies Tables
