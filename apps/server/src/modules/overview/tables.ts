import { ERASED, OWN, type Tables, TEMPORARY } from '../../db/tables.ts'

export const OVERVIEW_TABLES = {
  member_visits: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  sent_transactions: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
} as const satisfies Tables
