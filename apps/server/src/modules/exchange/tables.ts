import { APPENDED, BOOKS, CHANGED, OWN, type Tables, TEMPORARY } from '../../db/tables.ts'

export const EXCHANGE_TABLES = {
  conversions: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: BOOKS } },
  dividend_days: { place: 'coordinator', rights: APPENDED },
  dividends: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  exchange_terms: { place: 'reference', rights: CHANGED },
  hash_power_grants: {
    place: 'coordinator',
    rights: APPENDED,
    personal: { export: { by: 'member_id', without: ['prepared_by', 'reviewed_by'] }, erasure: BOOKS },
  },
  vc_launches: { place: 'reference', rights: CHANGED },
  vc_subscriptions: { place: 'distributed', rights: CHANGED, personal: { export: OWN, erasure: BOOKS } },
} as const satisfies Tables
