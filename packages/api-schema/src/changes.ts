import { z } from 'zod'

/**
 * The kinds of changes that a stream reports. An event names only the kind of data to read again, not the new
 * state. `refresh`: anything may have changed, because the stream is new or notifications were lost. `final`:
 * L1 has finalised more blocks.
 */
export const CHANGE_KINDS = [
  'refresh',
  'order',
  'withdrawal',
  'transfer',
  'balance',
  'send',
  'statement',
  'notice',
  'settlement',
  'final',
  'pauses',
  'queue',
  'job',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/**
 * An event of the stream. `queue` and `job` reach operators only. The first one names what has changed since the page was opened, of
 * which the header `X-Page-Age` gives the milliseconds, and may be empty; it is `refresh` without that header or after a gap.
 */
export const changesData = z.object({ kinds: z.array(z.enum(CHANGE_KINDS)) })

/** The header of a request for the stream with the age of the page, in milliseconds. */
export const PAGE_AGE_HEADER = 'x-page-age'
