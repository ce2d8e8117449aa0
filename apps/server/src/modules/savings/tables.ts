import { APPENDED, BOOKS, CHANGED, ERASED, OWN, type Tables, TEMPORARY } from '../../db/tables.ts'

export const SAVINGS_TABLES = {
  savings_batches: { place: 'coordinator', rights: APPENDED },
  savings_interest: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  savings_transfers: { place: 'distributed', rights: CHANGED, personal: { export: OWN, erasure: BOOKS } },
  standing_savings: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
} as const satisfies Tables
