import {
  APPENDED,
  CHANGED,
  ERASED,
  EVIDENCE,
  OF_OPERATORS,
  REPLACED,
  type Tables,
  TECHNICAL,
  TEMPORARY,
} from '../db/tables.ts'

export const CHAIN_TABLES = {
  banks: {
    place: 'coordinator',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  chain_blocks: { place: 'coordinator', rights: REPLACED },
  chain_cursors: { place: 'coordinator', rights: CHANGED, isReadBySigner: true },
  chain_events: { place: 'coordinator', rights: CHANGED },
  chain_member_reads: {
    place: 'distributed',
    rights: TEMPORARY,
    personal: { leftOut: TECHNICAL, erasure: ERASED },
  },
  chain_missed: { place: 'coordinator', rights: APPENDED },
  chain_nodes: { place: 'coordinator', rights: TEMPORARY },
  chain_recoveries: { place: 'coordinator', rights: CHANGED },
  chain_recovery_events: { place: 'coordinator', rights: APPENDED },
  chain_set_aside: { place: 'coordinator', rights: APPENDED },
  chain_undone: { place: 'coordinator', rights: APPENDED },
} as const satisfies Tables
