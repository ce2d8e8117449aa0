import { type Tables, TECHNICAL, TEMPORARY } from '../db/tables.ts'

export const LIB_TABLES = {
  // Without it a repeated request would move money twice.
  idempotency_keys: {
    place: 'distributed',
    rights: TEMPORARY,
    personal: { leftOut: TECHNICAL, erasure: { keep: 'expires' } },
  },
  rate_limits: { place: 'coordinator', rights: TEMPORARY },
} as const satisfies Tables
