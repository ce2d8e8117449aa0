import {
  APPENDED,
  CHANGED,
  ERASED,
  EVIDENCE,
  FOR_REVIEW,
  OF_OPERATORS,
  REPLACED,
  type Tables,
  TEMPORARY,
} from '../../db/tables.ts'

export const DESK_TABLES = {
  decision_statements: {
    place: 'coordinator',
    rights: TEMPORARY,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  proposal_approvals: {
    place: 'coordinator',
    rights: APPENDED,
    isReadBySigner: true,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  proposals: {
    place: 'coordinator',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  member_notes: {
    place: 'coordinator',
    rights: REPLACED,
    personal: { leftOut: FOR_REVIEW, erasure: ERASED },
  },
} as const satisfies Tables
