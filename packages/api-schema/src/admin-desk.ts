import { z } from 'zod'
import { bankAlarmKind } from './admin-operations.ts'
import { total } from './analytics.ts'
import { time } from './primitives.ts'
import { guardCause } from './proposal-payloads.ts'

const count = z.number().int()
const queue = { count, oldest_at: time.nullable() }

export const OPENING_STEPS = [
  'plan',
  'prices',
  'operator',
  'approvers',
  'destination',
  'publisher',
  'publication',
  'alarm',
] as const
export type OpeningStepName = (typeof OPENING_STEPS)[number]
/** The first steps of a product that is not open yet, and the version of the terms in force. */
export const opening = z.object({
  steps: z.array(z.object({ name: z.enum(OPENING_STEPS), done: z.boolean() })),
  terms: z.string(),
})
export type Opening = z.infer<typeof opening>

/** The tasks that wait for an admin, by queue. Worth is in USDT. */
export const deskToday = z.object({
  /** Null for a product that is open. */
  opening: opening.nullable(),
  /** True on a real chain without a receiver of alarms. */
  lacks_receiver: z.boolean(),
  /** The last audit of the books that ended; null before the first. */
  audit: z.object({ ended_at: time, differences: count }).nullable(),
  /** The causes for which the guard blocks money; empty while it does not. */
  gate: z.array(guardCause),
  /** The proposals that the caller can decide on now. */
  approvals: z.object({ ...queue, more: z.boolean(), oldest_by: z.string().nullable() }),
  /** Withdrawals and transfers under audit. */
  withdrawals: z.object({ ...queue, worth_usdt: total }),
  /** Withdrawals that the signer refuses, and the alarms of the signer. */
  refused: z.object({ ...queue, worth_usdt: total }),
  signer: z.array(z.object({ kind: bankAlarmKind, detail: z.string(), since: time })),
  /** Redemptions to be decided on, estimated at the present net values. */
  redemptions: z.object({ ...queue, units: z.string(), worth_usdt: total }),
  /** Payments that fit no order; `proposed` of them have an open proposal. */
  payments: z.object({ ...queue, usdt: total, amc: total, proposed: count }),
})
export type DeskToday = z.infer<typeof deskToday>
