import {
  APPENDED,
  BOOKS,
  CHANGED,
  DERIVED,
  NONE,
  OWN,
  REPLACED,
  type Tables,
  TEMPORARY,
} from '../../db/tables.ts'

export const REWARDS_TABLES = {
  attestations: { place: 'coordinator', rights: CHANGED },
  deposit_uses: { place: 'coordinator', rights: NONE },
  management_switches: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  member_day_caps: {
    place: 'distributed',
    rights: APPENDED,
    personal: { export: { by: 'member_id', without: ['set_by'] }, erasure: BOOKS },
  },
  member_standings: { place: 'distributed', rights: CHANGED, personal: { leftOut: DERIVED, erasure: BOOKS } },
  revenue_deposits: { place: 'coordinator', rights: APPENDED },
  reward_batches: { place: 'coordinator', rights: APPENDED, clusterRights: REPLACED },
  reward_coverage: { place: 'coordinator', rights: TEMPORARY },
  reward_days: { place: 'distributed', rights: TEMPORARY, personal: { leftOut: DERIVED, erasure: BOOKS } },
  reward_totals: { place: 'distributed', rights: TEMPORARY, personal: { leftOut: DERIVED, erasure: BOOKS } },
  reward_undone: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  rewards: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: REPLACED,
    personal: { export: OWN, erasure: BOOKS },
  },
} as const satisfies Tables
