import { APPENDED, CHANGED, type Tables, UPDATED } from '../../db/tables.ts'

export const PRICES_TABLES = {
  display_rates: { place: 'coordinator', rights: APPENDED },
  plans: { place: 'reference', rights: APPENDED, clusterRights: UPDATED, isReadBySigner: true },
  price_sources: { place: 'coordinator', rights: CHANGED },
  prices: { place: 'coordinator', rights: APPENDED, isReadBySigner: true },
} as const satisfies Tables
