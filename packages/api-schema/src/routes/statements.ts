import { get, post, type Routes } from '../route.ts'
import * as statements from '../statements.ts'

const params = statements.statementParams

export const statementsRoutes = {
  statements: get('me/statements', 'member', 'Statements that the member requested', {
    data: statements.statementsData,
  }),
  statement: get('me/statements/:statement_id', 'member', 'A statement', {
    params,
    data: statements.statement,
  }),
  requestStatement: post('me/statements', 'member', 'Request a statement or a tax file', {
    body: statements.requestStatementBody,
    data: statements.statement,
  }),
  removeStatement: post('me/statements/remove', 'member', 'Cancel or delete a statement', {
    body: params,
    data: statements.removeStatementData,
  }),
} satisfies Routes

export const statementsAdminRoutes = {
  adminStatements: get('admin/statements', 'viewer', 'Exports that the admin requested', {
    data: statements.statementsData,
  }),
  adminStatement: get('admin/statements/:statement_id', 'viewer', 'An export', {
    params,
    data: statements.statement,
  }),
  requestAdminStatement: post('admin/statements', 'operator', 'Request an export of the books', {
    body: statements.requestAdminStatementBody,
    data: statements.statement,
  }),
  removeAdminStatement: post('admin/statements/remove', 'operator', 'Cancel or delete an export', {
    body: params,
    data: statements.removeStatementData,
  }),
} satisfies Routes
