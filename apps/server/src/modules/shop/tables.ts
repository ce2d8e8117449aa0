import { APPENDED, BOOKS, CHANGED, OWN, REPLACED, type Tables, TEMPORARY, UPDATED } from '../../db/tables.ts'

export const SHOP_TABLES = {
  order_days: { place: 'coordinator', rights: CHANGED },
  orders: {
    place: 'distributed',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: BOOKS },
  },
  package_copies: { place: 'coordinator', rights: UPDATED },
  packages: { place: 'coordinator', rights: UPDATED, isReadBySigner: true },
  refund_allowances: {
    place: 'distributed',
    rights: CHANGED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: BOOKS },
  },
  refund_uses: {
    place: 'distributed',
    rights: REPLACED,
    isReadBySigner: true,
    personal: { export: OWN, erasure: BOOKS },
  },
  sales_days: { place: 'coordinator', rights: TEMPORARY },
  suspense_releases: {
    place: 'distributed',
    rights: APPENDED,
    personal: { export: { by: 'member_id', without: ['released_by'] }, erasure: BOOKS },
  },
  unmatched_payments: {
    place: 'distributed',
    rights: APPENDED,
    clusterRights: REPLACED,
    personal: { export: OWN, erasure: BOOKS },
  },
} as const satisfies Tables
