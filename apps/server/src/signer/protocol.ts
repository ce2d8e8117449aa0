import type { Address, Hex } from 'viem'
import { z } from 'zod'

/** The messages between the API and the signing process. The API names a withdrawal or an order, and never its terms. */

/** The argument of `rif sign` for a clock that the parent process sets. */
export const SET_CLOCK = '--set-clock'

/** At most 18 digits, which the database's integers hold. */
const id = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .transform(BigInt)
const units = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text as Address)
const signature = z
  .string()
  .regex(/^0x[0-9a-f]{130}$/)
  .transform((text) => text as Hex)

/** The longest request in bytes: three short fields. */
export const MAX_REQUEST_BYTES = 512
export const MAX_ANSWER_BYTES = 32_768

const day = z.iso.date()

/** The paths of the signing process, with what each accepts. */
export const REQUESTS = {
  '/claim': z.strictObject({ member: id, withdrawal: id }),
  '/quote': z.strictObject({ member: id, order: id, of: z.enum(['shop', 'fund']) }),
  /** Publishes the report of a day with a transaction of this nonce, gas and fees, in wei. */
  '/publication': z.strictObject({ day, nonce: units, gas: units, maxFee: units, priorityFee: units }),
} as const

export type SignRequest =
  | ({ readonly kind: 'claim' } & z.output<(typeof REQUESTS)['/claim']>)
  | ({ readonly kind: 'quote' } & z.output<(typeof REQUESTS)['/quote']>)
  /** Concerns no member. */
  | ({ readonly kind: 'publication'; readonly member: 0n } & z.output<(typeof REQUESTS)['/publication']>)

/** The reasons why the signing process refuses to sign. */
export const REASONS = [
  'unknown',
  'not_withdrawable',
  'no_voucher',
  'not_payable',
  'expired',
  'member_frozen',
  'paused',
  'guard_closed',
  'not_reviewed',
  'not_signed',
  'not_final',
  'bad_terms',
  'bank_closed',
  'other_bank',
  'limit_hour',
  'limit_day',
  'limit_member',
] as const

export type Reason = (typeof REASONS)[number]

/** The reasons why the signing process cannot decide now. Each ends by itself or by an operator's action. */
export const TROUBLES = ['database', 'chain', 'clock', 'log', 'key', 'busy'] as const

export type Trouble = (typeof TROUBLES)[number]

/** The responses, by the kind of request. */
export const signedClaim = z.strictObject({
  claim: z.strictObject({ withdrawalId: units, token: address, to: address, amount: units, deadline: units }),
  signature,
})
export const signedOrder = z.strictObject({
  order: z.strictObject({
    orderId: units,
    payer: address,
    package: units,
    limit: units,
    usdtAmount: units,
    amcAmount: units,
    deadline: units,
  }),
  signature,
})
export const signedPublication = z.strictObject({ raw: z.string().regex(/^0x[0-9a-f]{1,3000}$/) })
export const signerStatus = z.strictObject({
  claimSigner: address,
  quoteSigner: address,
  /** The wallet that publishes solvency reports; absent without its key. */
  publisher: address.optional(),
  /** The trouble that prevents it from signing now. */
  trouble: z.enum(TROUBLES).nullable(),
  /**
   * Set while its log may lack vouchers, so that every member counts as at the bounds: until when; null until it could
   * compare its log with the bank.
   */
  strict: z.strictObject({ until: z.iso.datetime().nullable() }).nullable(),
  /** The wallets whose approvals count, with the person of each. */
  approvers: z.array(z.strictObject({ address, person: z.string() })),
  /** The number of its decisions since its start; a signature has no reason. */
  decisions: z.array(
    z.strictObject({
      decision: z.enum(['sign', 'publish', 'refuse']),
      reason: z.enum(REASONS).nullable(),
      count: z.number().int(),
    }),
  ),
})
export const refusedAnswer = z.strictObject({ refused: z.enum(REASONS) })

export type SignedClaim = z.output<typeof signedClaim>
export type SignedOrder = z.output<typeof signedOrder>
export type SignedPublication = z.output<typeof signedPublication>
export type SignerStatus = z.output<typeof signerStatus>

/** Returns the JSON of a response: integers are decimal strings. */
export function answerText(answer: object): string {
  return JSON.stringify(answer, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** The address of a signing process: a Unix socket, or a port of this machine, which needs a shared secret. */
export type SignerPlace =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number; readonly secret: string }

export interface SignerAccess {
  /** `unix:/path/of/the/socket`, or `http://host:port`. */
  readonly url: string
  readonly secret?: string | undefined
}

/** Reads the address of a signing process. Throws RangeError for one that is neither of the two forms. */
export function signerPlaceOf({ url, secret }: SignerAccess): SignerPlace {
  if (url.startsWith('unix:')) return { socketPath: url.slice('unix:'.length) }
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'http:' || port === '' || secret === undefined)
    throw new RangeError('not a signer address')
  return { host: hostname, port: Number(port), secret }
}

/** An address without a listener, for services that sign nothing. */
export const NO_SIGNER: SignerAccess = { url: 'unix:/dev/null/none' }
