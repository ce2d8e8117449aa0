// The settings that are an object in JSON (docs/operations/settings.md shows each): a schema checks the parsed value, and its messages
// describe the accepted values of a part.
import type { Hex } from 'viem'
import { z } from 'zod'
import { isWebhookSecret } from './lib/signed-webhook.ts'
import * as value from './setting-values.ts'

const MAX_BLOCK = 1e15 - 1
const MAX_CALLS = 1e6
const MAX_TOKENS = 1e12
const MAX_RECIPIENTS = 20
const MAX_PRICE_SOURCES = 9
/** A day, the longest heartbeat of common oracles, and an hour. */
const DEFAULT_ORACLE_AGE_S = 90_000

const integer = (min: number, max: number) => {
  const range = `a whole number from ${min} to ${max}`
  return z.number().int(range).min(min, range).max(max, range)
}
const areDifferent = (texts: readonly string[]) =>
  new Set(texts.map((text) => text.toLowerCase())).size === texts.length

export const contracts = z
  .strictObject({
    bank: value.address,
    former_banks: z
      .array(value.address)
      .min(1, 'a list of at least one address')
      .refine(areDifferent, 'different addresses')
      .optional(),
    transfer: value.address,
    usdt: value.address,
    usdt_decimals: z.union([z.literal(6), z.literal(18)], '6 or 18'),
    amc: value.address,
    start_block: integer(0, MAX_BLOCK),
    bank_start_block: integer(0, MAX_BLOCK).optional(),
  })
  .refine(
    ({ bank_start_block, former_banks }) => bank_start_block === undefined || former_banks !== undefined,
    {
      path: ['bank_start_block'],
      message: 'left out without former_banks',
    },
  )
  .refine(
    ({ bank_start_block, start_block }) => bank_start_block === undefined || bank_start_block >= start_block,
    {
      path: ['bank_start_block'],
      message: 'at least start_block, the block of the first contract',
    },
  )
  .transform(({ bank, former_banks, transfer, usdt, usdt_decimals, amc, start_block, bank_start_block }) => ({
    addresses: { bank, formerBanks: former_banks, transfer, usdt, amc },
    usdtDecimals: usdt_decimals,
    startBlock: BigInt(start_block),
    bankStartBlock: BigInt(bank_start_block ?? start_block),
  }))
/** The file of the setting CONTRACTS, as `rif deploy` writes it. */
export type ContractsFile = z.input<typeof contracts>

export const operator = z.strictObject({
  name: value.line,
  address: value.line,
  law: value.line,
  venue: value.line,
  contact: value.contact.optional(),
})

const tokenLimit = z
  .strictObject({
    hour: integer(0, MAX_TOKENS),
    day: integer(0, MAX_TOKENS),
    member: integer(0, MAX_TOKENS),
  })
  .optional()
export const signerLimits = z.strictObject({
  usdt: tokenLimit,
  amc: tokenLimit,
  quotes: integer(1, 1e6).optional(),
  consent_above: integer(0, MAX_TOKENS).optional(),
  review_above: integer(0, MAX_TOKENS).optional(),
  several_above: integer(0, MAX_TOKENS).optional(),
})

export const rateLimits = z.strictObject({
  address: integer(1, MAX_CALLS).optional(),
  member: integer(1, MAX_CALLS).optional(),
  sign_in: integer(1, MAX_CALLS).optional(),
})

export const walletConnect = z.strictObject({
  project_id: z.string().regex(/^[0-9a-zA-Z-]{8,64}$/, 'the id of a project: 8 to 64 letters and digits'),
  relay_url: value.url('wss:', 'ws:').optional(),
})

export const vapid = z.strictObject({
  private_key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, '43 characters of base64url: a P-256 key'),
  subject: value.pushSubject,
})

export const alarmWebhook = z.strictObject({
  url: value.url('http:', 'https:'),
  secret: z.string().min(32, 'at least 32 characters'),
})

const recipients = `a list of up to ${MAX_RECIPIENTS} e-mail addresses`
export const mail = z
  .strictObject({
    server: value.mailUrl,
    alarms: z
      .strictObject({
        from: value.email,
        to: z.array(value.email).min(1, recipients).max(MAX_RECIPIENTS, recipients),
      })
      .optional(),
    notices: z.strictObject({ from: value.email }).optional(),
  })
  .refine(
    ({ alarms, notices }) => alarms !== undefined || notices !== undefined,
    'given alarms, notices or both',
  )

const feed = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/, '1 to 40 of a-z, 0-9 and -'),
  secret: z.string().refine(isWebhookSecret, 'whsec_ and 24 to 64 bytes in base64'),
})
const oracle = z
  .strictObject({
    asset: z.enum(['AMC', 'RIF'], 'AMC or RIF'),
    address: value.address,
    max_age_seconds: integer(1, 9_999_999).default(DEFAULT_ORACLE_AGE_S),
  })
  .transform(({ asset, address, max_age_seconds }) => ({ asset, address, maxAgeMs: max_age_seconds * 1_000 }))
const sources = `a list of up to ${MAX_PRICE_SOURCES}`
export const priceSources = z.strictObject({
  feeds: z
    .array(feed)
    .max(MAX_PRICE_SOURCES, sources)
    .refine((list) => areDifferent(list.map(({ name }) => name)), 'feeds with different names')
    .optional(),
  oracles: z
    .array(oracle)
    .max(MAX_PRICE_SOURCES, sources)
    .refine(
      (list: readonly { asset: string; address: Hex }[]) =>
        areDifferent(list.map(({ asset, address }) => `${asset} ${address}`)),
      'different oracles',
    )
    .optional(),
  sequencer: value.address.optional(),
  jump_percent: integer(1, 50).optional(),
})

/** The words of messages for the types of JSON. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  object: 'an object in braces',
  array: 'a list in brackets',
}

/**
 * Parses the text of a setting in JSON. Returns its value, or a problem for each part that is wrong, which names the part, such as
 * `MAIL.alarms.to[1]`, and never repeats a value.
 */
export function parseJsonSetting(
  name: string,
  text: string,
  schema: z.ZodType,
): { value?: unknown; problems: readonly string[] } {
  const input = jsonOf(text)
  if (input === undefined)
    return { problems: [`${name} must be an object in JSON; ${name}_FILE takes the name of its file`] }
  const result = schema.safeParse(input)
  if (result.success) return { value: result.data, problems: [] }
  // Of several rules about a part the first one says most.
  const parts = result.error.issues.map(({ path }) => path.join('.'))
  const firsts = result.error.issues.filter((_, index) => parts.indexOf(parts[index]!) === index)
  return { problems: firsts.flatMap((issue) => problemsOf(name, input, issue)) }
}

/** Returns the problem of a part, or of each of its parts that do not exist. */
function problemsOf(name: string, input: unknown, issue: z.core.$ZodIssue): string[] {
  const part = issue.path.reduce<string>(
    (at, key) => (typeof key === 'number' ? `${at}[${key}]` : `${at}.${String(key)}`),
    name,
  )
  if (issue.code === 'unrecognized_keys')
    // What is no plain name may be a value in the wrong place.
    return issue.keys.map((key) =>
      /^[a-z_]{1,30}$/.test(key)
        ? `${part}.${key} is no part of this setting`
        : `${part} has an unknown part`,
    )
  const actual = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)?.[key], input)
  if (actual === undefined) return [`${part} is missing`]
  return [
    `${part} must be ${issue.code === 'invalid_type' ? (TYPES[issue.expected] ?? issue.message) : issue.message}`,
  ]
}

/** Returns the value of a text in JSON, and undefined for other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
