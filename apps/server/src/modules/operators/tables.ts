import { APPENDED, CHANGED, EVIDENCE, NONE, OF_OPERATORS, type Tables, TEMPORARY } from '../../db/tables.ts'

export const OPERATORS_TABLES = {
  admin_actions: { place: 'coordinator', rights: APPENDED },
  admin_seals: { place: 'coordinator', rights: NONE },
  admins: { place: 'coordinator', rights: TEMPORARY, personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE } },
  person_wallets: {
    place: 'coordinator',
    rights: APPENDED,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  persons: { place: 'coordinator', rights: CHANGED, personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE } },
} as const satisfies Tables
