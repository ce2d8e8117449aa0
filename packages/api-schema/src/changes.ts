import { z } from 'zod'

/**
 * What a stream of changes may name: that something of this kind is to be read again, never what it now says. `refresh`: anything may
 * have changed, because the stream is new or notifications were lost. `final`: L1 has finalised more blocks.
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

/** One event of the stream. `queue` and `job` reach operators only. */
export const changesData = z.object({ kinds: z.array(z.enum(CHANGE_KINDS)).min(1) })
