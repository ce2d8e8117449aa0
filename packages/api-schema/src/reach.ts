import { z } from 'zod'
import { time } from './primitives.ts'

/** `may_leave`: members can withdraw their money and do nothing else; `no_service`: no service at all. */
export const refusalLevel = z.enum(['may_leave', 'no_service'])
export type RefusalLevel = z.infer<typeof refusalLevel>

/** Why a visitor is not served: because of the country of the request, or of the wallet. */
export const refusal = z.object({
  by: z.enum(['country', 'address']),
  level: refusalLevel,
  /** The country (ISO 3166-1 alpha-2) or the wallet. */
  value: z.string(),
  reason: z.string(),
})
export type Refusal = z.infer<typeof refusal>

/** A country or wallet that the operator may not serve, as two persons approved it. */
const refused = z.object({
  value: z.string(),
  level: refusalLevel,
  reason: z.string(),
  approved_by: z.string(),
  changed_at: time,
})
export type Refused = z.infer<typeof refused>

export const reachData = z.object({
  /** True if the settings name the header in which the proxy states the country of a request. */
  knows_country: z.boolean(),
  countries: z.array(refused),
  addresses: z.array(refused),
})
