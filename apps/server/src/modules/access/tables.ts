import { APPENDED, CHANGED, EVIDENCE, NONE, REPLACED, type Tables, TEMPORARY } from '../../db/tables.ts'

export const ACCESS_TABLES = {
  guard_causes: { place: 'coordinator', rights: TEMPORARY, isReadBySigner: true },
  opening: { place: 'coordinator', rights: CHANGED },
  pauses: { place: 'coordinator', rights: REPLACED, isReadBySigner: true },
  // The hash of a token could be compared with a stolen one.
  sessions: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { export: { by: 'address', without: ['token_hash'] }, erasure: { erase: 'address' } },
  },
  sign_in_days: { place: 'coordinator', rights: CHANGED },
  sign_in_key: { place: 'coordinator', rights: NONE },
  sign_in_nonces: { place: 'coordinator', rights: TEMPORARY },
  sign_in_visits: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { export: { by: 'address' }, erasure: { erase: 'address' } },
  },
  terms_acceptances: {
    place: 'coordinator',
    rights: APPENDED,
    personal: { export: { by: 'address' }, erasure: EVIDENCE },
  },
  terms_texts: { place: 'coordinator', rights: APPENDED },
} as const satisfies Tables
