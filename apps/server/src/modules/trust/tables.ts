import { APPENDED, BOOKS, CHANGED, DERIVED, NONE, REPLACED, type Tables, TEMPORARY } from '../../db/tables.ts'

export const TRUST_TABLES = {
  bank_alarms: { place: 'coordinator', rights: TEMPORARY },
  bank_caps: { place: 'coordinator', rights: CHANGED },
  bank_changes: { place: 'coordinator', rights: APPENDED },
  earnings_days: { place: 'coordinator', rights: APPENDED },
  earnings_windows: {
    place: 'distributed',
    rights: REPLACED,
    personal: { leftOut: DERIVED, erasure: BOOKS },
  },
  guard_audits: { place: 'coordinator', rights: CHANGED },
  guard_differences: { place: 'coordinator', rights: CHANGED },
  guard_start: { place: 'coordinator', rights: NONE },
  solvency_days: { place: 'coordinator', rights: APPENDED, isReadBySigner: true },
  solvency_groups: { place: 'coordinator', rights: REPLACED },
  solvency_members: { place: 'coordinator', rights: REPLACED },
  solvency_publications: { place: 'coordinator', rights: TEMPORARY },
  solvency_sends: { place: 'coordinator', rights: APPENDED },
  solvency_tops: { place: 'coordinator', rights: REPLACED },
} as const satisfies Tables
