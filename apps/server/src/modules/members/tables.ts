import {
  APPENDED,
  CHANGED,
  ERASED,
  EVIDENCE,
  OWN,
  type Tables,
  TEAM,
  TEMPORARY,
  UPDATED,
} from '../../db/tables.ts'

export const MEMBERS_TABLES = {
  address_notes: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  leg_sums: { place: 'coordinator', rights: CHANGED },
  member_days: { place: 'coordinator', rights: CHANGED },
  // Names that others gave this member stay with them, like a contact in a telephone.
  member_labels: { place: 'distributed', rights: TEMPORARY, personal: { export: OWN, erasure: ERASED } },
  member_levels: { place: 'coordinator', rights: UPDATED },
  members: {
    place: 'coordinator',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: TEAM },
  },
  placements: { place: 'coordinator', rights: APPENDED, personal: { export: OWN, erasure: TEAM } },
  refused_addresses: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { export: { by: 'address', without: ['approved_by'] }, erasure: EVIDENCE },
  },
  refused_countries: { place: 'coordinator', rights: TEMPORARY },
} as const satisfies Tables
