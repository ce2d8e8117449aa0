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

/**
 * An address that can be a person's wallet: not zero and no precompile of the chain (below 0x10000). `isWalletAddress` of the rules is
 * the same rule; the server also refuses the contracts of the product. Rules, section 12.
 */
export const walletAddress = z.string().regex(/^0x(?!0{36})[0-9a-fA-F]{40}$/)

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

/**
 * A text that can be seen: one visible character at least, and no control characters, overrides of the
 * direction, halves of surrogate pairs, Hangul fillers, or more than ten combining marks in a row. The joiner
 * U+200D is part of emoji; a Braille blank is no visible character.
 */
const LINE =
  /^(?:(?=.*[^\p{C}\p{Z}\p{M}\u2800])(?!.*\p{M}{11})(?:[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u200d)+)?$/u
/** The same with line breaks and tabs. */
const LINES =
  /^(?:(?=[\s\S]*[^\p{C}\p{Z}\p{M}\u2800])(?![\s\S]*\p{M}{11})(?:[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u200d|\t|\r?\n)+)?$/u

/**
 * A text that is stored, shown or searched, without white space at its ends, of `min` to `max` characters. Line
 * breaks only where a text has paragraphs: elsewhere they could imitate further lines of a signed statement.
 */
export const shownText = (max: number, { min = 1, lines = false }: { min?: number; lines?: boolean } = {}) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .regex(lines ? LINES : LINE)

/** A search text; an empty one searches nothing. */
export const searched = (max: number) => shownText(max, { min: 0 })

/** A message that is signed exactly as it is sent, so that nothing is cut off. */
export const signedMessage = (max: number) => z.string().max(max).regex(LINES)

/**
 * A typed or pasted code or address, which is read and compared but neither stored nor shown. Invisible
 * characters that were copied with it do no harm.
 */
export const typedText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)

/** The opaque place in a list that the previous page returned. */
export const cursor = (max = 200) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]*$/)

/** A flag in a query string: `true`, `1` or no value (`?useHashRate`) for yes. */
export const flag = z
  .enum(['', '1', 'true', '0', 'false'])
  .transform((value) => value === '' || value === '1' || value === 'true')

export const page = z.object({
  cursor: cursor().optional(),
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
