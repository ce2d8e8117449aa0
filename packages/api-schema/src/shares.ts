import { z } from 'zod'
import { day, id, time, typedText } from './primitives.ts'
import { solvencyProofData } from './solvency.ts'
import { statement } from './statements.ts'

export const shareKind = z.enum(['proof', 'statement'])

/** The days for which a link may be open. */
export const SHARE_DAYS = [1, 7, 30] as const

/**
 * A link with which anybody can read one document without a sign-in. Its token is returned only once, at
 * creation.
 */
export const share = z.object({
  share_id: id,
  kind: shareKind,
  /** The day of the proof; null for a statement. */
  day: day.nullable(),
  /** The statement; null for a proof, and when the file has been deleted. */
  statement: statement.nullable(),
  created_at: time,
  expires_at: time,
})

/** The open links, newest first. */
export const sharesData = z.object({
  items: z.array(share),
  /** The largest number of open links of a member. */
  limit: z.number().int().min(1),
})

/** A statement's link ends with its file at the latest. */
export const makeShareBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('proof'), day, days: z.literal(SHARE_DAYS) }),
  z.object({ kind: z.literal('statement'), statement_id: id, days: z.literal(SHARE_DAYS) }),
])
export const makeShareData = z.object({ share, token: z.string() })
export const revokeShareBody = z.object({ share_id: id })

/** The token stands in the body, because addresses are written to logs. */
export const sharedBody = z.object({ token: typedText(100) })

/** The data that a link shows. */
export const sharedData = z.object({
  expires_at: time,
  proof: solvencyProofData.nullable(),
  /** Its file is at the path of the route followed by `/file`. */
  statement: statement
    .pick({ kind: true, format: true, from: true, to: true, entries: true, finished_at: true, file: true })
    .nullable(),
})

export type Share = z.infer<typeof share>
export type Shares = z.infer<typeof sharesData>
export type ShareRequest = z.infer<typeof makeShareBody>
export type Shared = z.infer<typeof sharedData>
