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

/** An event of the stream. `queue` and `job` reach operators only. */
export const changesData = z.object({ kinds: z.array(z.enum(CHANGE_KINDS)).min(1) })
