import { z } from 'zod'

/** An amount in the API: a decimal string with at most 6 decimals, never a JSON number. Rules, section 1. */
export const amount = z
  .string()
  .regex(/^-?[0-9]{1,13}(\.[0-9]{1,6})?$/)
  .meta({ description: 'Decimal string, at most 6 decimals', examples: ['70.000000'] })

/** A 64-bit id as a decimal string. */
export const id = z.string().regex(/^[1-9][0-9]{0,17}$/)

/** A wallet address: accepted in any case, returned in the checksummed form of EIP-55. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

export const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
export const hex = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
export const time = z.iso.datetime()
export const day = z.iso.date()
export const ppm = z.number().int().min(0)

export const asset = z.enum(['USDT', 'AMC', 'RIF', 'VC', 'DIV'])
export const moneyAsset = z.enum(['USDT', 'AMC'])
export const locale = z.enum(['en', 'zh-Hans', 'ja', 'ko'])
export const side = z.enum(['left', 'right'])
export const placementSide = z.enum(['left', 'right', 'auto'])

/** A typed search text. PostgreSQL texts cannot contain the character U+0000. */
export const searched = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\0'), 'has a character that cannot be searched')

/** A flag in a query string: `true`, `1` or no value (`?useHashRate`) for yes. */
export const flag = z
  .enum(['', '1', 'true', '0', 'false'])
  .transform((value) => value === '' || value === '1' || value === 'true')

export const page = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})

/** A page of a list: `next` is the cursor of the following page, null at the end. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: z.string().nullable() })

export type Asset = z.infer<typeof asset>
export type MoneyAsset = z.infer<typeof moneyAsset>
export type Locale = z.infer<typeof locale>
export type Side = z.infer<typeof side>
export type PlacementSide = z.infer<typeof placementSide>

export const LOCALES = locale.options
