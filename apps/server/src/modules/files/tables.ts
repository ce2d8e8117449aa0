import { CHANGED, ERASED, EVIDENCE, OWN, REPLACED, type Tables, TEMPORARY } from '../../db/tables.ts'

export const FILES_TABLES = {
  erasures: { place: 'coordinator', rights: CHANGED, personal: { export: OWN, erasure: EVIDENCE } },
  statement_chunks: {
    place: 'coordinator',
    rights: REPLACED,
    personal: { erasure: { erase: 'of_statements' } },
  },
  statement_files: {
    place: 'coordinator',
    rights: REPLACED,
    personal: { erasure: { erase: 'of_statements' } },
  },
  statements: { place: 'coordinator', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  shared_links: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { export: { by: 'member_id', without: ['token_hash'] }, erasure: ERASED },
  },
} as const satisfies Tables
