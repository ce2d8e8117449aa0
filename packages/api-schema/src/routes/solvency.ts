import { get, post, type Routes } from '../route.ts'
import * as solvency from '../solvency.ts'

export const solvencyRoutes = {
  solvency: get('solvency', 'public', 'What is owed and held, and the reports; has an ETag', {
    data: solvency.solvencyData,
  }),
  solvencyProof: get('solvency/proof', 'member', 'The proof that the own amounts are in a report', {
    query: solvency.solvencyProofQuery,
    data: solvency.solvencyProofData,
  }),
  solvencyMine: get('solvency/mine', 'member', 'The own amounts by the books, at the end of a day and now', {
    query: solvency.solvencyDayParams,
    data: solvency.solvencyMineData,
  }),
} satisfies Routes

export const solvencyAdminRoutes = {
  solvencyBooks: get('admin/solvency', 'viewer', 'What is owed and held by account, to a difference of 0', {
    data: solvency.solvencyBooksData,
  }),
  auditRun: get('admin/solvency/audit', 'viewer', 'The last audit that an operator requested', {
    data: solvency.auditRunData,
  }),
  startAudit: post('admin/solvency/audit', 'operator', 'Audit what changed since the last audit', {
    data: solvency.auditRunData,
  }),
  solvencySends: get(
    'admin/solvency/sends',
    'viewer',
    'The transactions that publish reports, with their gas',
    {
      data: solvency.solvencySendsData,
    },
  ),
} satisfies Routes
