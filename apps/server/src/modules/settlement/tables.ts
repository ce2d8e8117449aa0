import { APPENDED, BOOKS, CHANGED, DERIVED, STAGED, type Tables, TECHNICAL } from '../../db/tables.ts'

export const SETTLEMENT_TABLES = {
  settlement_days: { place: 'coordinator', rights: CHANGED },
  settlement_dividends: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: STAGED,
    personal: { leftOut: DERIVED, erasure: BOOKS },
  },
  settlement_interest: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: STAGED,
    personal: { leftOut: DERIVED, erasure: BOOKS },
  },
  settlement_members: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: STAGED,
    personal: { leftOut: DERIVED, erasure: BOOKS },
  },
  settlement_ranges: {
    place: 'coordinator',
    rights: CHANGED,
    personal: { leftOut: TECHNICAL, erasure: BOOKS },
  },
  settlement_rewards: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: STAGED,
    personal: { leftOut: DERIVED, erasure: BOOKS },
  },
  settlement_start: { place: 'coordinator', rights: APPENDED },
} as const satisfies Tables
