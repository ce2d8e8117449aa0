import { z } from 'zod'
import { day, hash, id, time } from './primitives.ts'

const count = z.number().int().min(0)

export const statementFormat = z.enum(['csv', 'pdf'])
/** Statements of the own account, and the tax file of one calendar year. */
export const memberStatementKind = z.enum(['account', 'tax'])
export const adminStatementKind = z.enum(['trial_balance', 'journal', 'customer'])
export const statementKind = z.enum([...memberStatementKind.options, ...adminStatementKind.options])

/** A file that was requested. It is downloaded at the path of its route followed by `/file`. */
export const statement = z.object({
  statement_id: id,
  kind: statementKind,
  format: statementFormat,
  /** UTC days, both included. */
  from: day,
  to: day,
  step: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  requested_at: time,
  /** The entries written so far, and all of them; null until they are counted. */
  entries_done: count,
  entries: count.nullable(),
  /** The error code, or INTERNAL. */
  failure: z.string().nullable(),
  finished_at: time.nullable(),
  expires_at: time.nullable(),
  /** Null until the file is complete. The hash is the SHA-256 of its content. */
  file: z.object({ filename: z.string(), size: count, hash }).nullable(),
})

/** The newest first. */
export const statementsData = z.object({
  items: z.array(statement),
  /** The files that one may wait for at a time. */
  open_limit: count,
  /** The most entries of a PDF. */
  pdf_limit: count,
})

const range = { format: statementFormat, from: day, to: day }
export const requestStatementBody = z.object({ kind: memberStatementKind, ...range })
/** `journal` is made as CSV only. `member_id` is required for `customer`; of `trial_balance` only `to` counts. */
export const requestAdminStatementBody = z.object({
  kind: adminStatementKind,
  ...range,
  member_id: id.optional(),
})
export const statementParams = z.object({ statement_id: id })
export const removeStatementData = z.object({})

export type Statement = z.infer<typeof statement>
export type Statements = z.infer<typeof statementsData>
export type StatementFormat = z.infer<typeof statementFormat>
export type StatementKind = z.infer<typeof statementKind>
