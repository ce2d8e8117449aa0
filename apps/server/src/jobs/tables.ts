import { CHANGED, type Tables } from '../db/tables.ts'

export const JOBS_TABLES = {
  jobs: { place: 'coordinator', rights: CHANGED },
} as const satisfies Tables
