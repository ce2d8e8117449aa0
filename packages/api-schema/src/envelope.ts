import { z } from 'zod'
import { ERROR_CODES } from './errors.ts'

/** The form of every successful response; `code` equals the HTTP status. Specification, section 7. */
export const envelopeOf = <T extends z.ZodType>(data: T) =>
  z.object({ code: z.literal(200), msg: z.string(), data })

export const failure = z.object({
  code: z.number().int(),
  msg: z.string().meta({ description: 'In the language of Accept-Language' }),
  data: z.object({ error: z.enum(ERROR_CODES), details: z.record(z.string(), z.unknown()) }),
})

export type Failure = z.infer<typeof failure>
