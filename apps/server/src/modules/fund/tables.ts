import {
  APPENDED,
  BOOKS,
  CHANGED,
  EVIDENCE,
  OF_OPERATORS,
  OWN,
  type Tables,
  TECHNICAL,
} from '../../db/tables.ts'

export const FUND_TABLES = {
  deposit_looks: { place: 'coordinator', rights: APPENDED },
  exit_destinations: {
    place: 'coordinator',
    rights: APPENDED,
    personal: { leftOut: OF_OPERATORS, erasure: EVIDENCE },
  },
  exits: { place: 'coordinator', rights: CHANGED },
  fund_bill_runs: { place: 'coordinator', rights: CHANGED, personal: { leftOut: TECHNICAL, erasure: BOOKS } },
  fund_bills: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  fund_documents: { place: 'coordinator', rights: APPENDED },
  fund_income: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  fund_investments: { place: 'coordinator', rights: CHANGED },
  fund_navs: { place: 'coordinator', rights: APPENDED },
  fund_orders: {
    place: 'distributed',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: BOOKS },
  },
  fund_products: { place: 'coordinator', rights: CHANGED },
  fund_redemption_lots: { place: 'distributed', rights: APPENDED, personal: { export: OWN, erasure: BOOKS } },
  fund_redemptions: {
    place: 'distributed',
    rights: CHANGED,
    personal: { export: { by: 'member_id', without: ['reviewed_by', 'confirmed_by'] }, erasure: BOOKS },
  },
  fund_valuation_lines: { place: 'coordinator', rights: APPENDED },
  fund_valuations: { place: 'coordinator', rights: CHANGED },
  unapproved_exits: { place: 'coordinator', rights: CHANGED },
} as const satisfies Tables
