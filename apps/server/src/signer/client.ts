import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { ErrorCode } from '@rif/api-schema'
import type { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import {
  answerText,
  MAX_ANSWER_BYTES,
  type Reason,
  refusedAnswer,
  type SignedClaim,
  type SignedOrder,
  type SignedPublication,
  type SignerAccess,
  type SignerStatus,
  signedClaim,
  signedOrder,
  signedPublication,
  signerPlaceOf,
  signerStatus,
} from './protocol.ts'

/** The signing process as seen by the other processes: it signs what the database contains, or refuses. */
export interface Signer {
  /** Signs the voucher of a withdrawal. Throws SIGNER_UNAVAILABLE, and SignerRefusal. */
  claim(memberId: bigint, withdrawalId: bigint): Promise<SignedClaim>
  /**
   * Signs the quote of an order. Throws SIGNER_UNAVAILABLE, SIGNER_LIMIT, ORDER_FINAL, ORDER_EXPIRED, ORDER_BANK_CLOSED, PAUSED,
   * MEMBER_FROZEN, GUARD_CLOSED.
   */
  quote(of: 'shop' | 'fund', memberId: bigint, orderId: bigint): Promise<SignedOrder>
  /** Signs the transaction that publishes a solvency report. Throws SIGNER_UNAVAILABLE, SIGNER_LIMIT, NOTHING_TO_CLAIM, INTERNAL. */
  publication(request: PublicationTerms): Promise<SignedPublication>
  /**
   * Returns the addresses of the keys, and the troubles that prevent them from signing. Throws
   * SIGNER_UNAVAILABLE.
   */
  status(): Promise<SignerStatus>
}

/** A day, and the parts of its transaction that the caller chooses; fees in wei. */
export interface PublicationTerms {
  readonly day: string
  readonly nonce: bigint
  readonly gas: bigint
  readonly maxFee: bigint
  readonly priorityFee: bigint
}

/** A refusal of the signing process, as the member sees it, with its reason. */
export class SignerRefusal extends AppError {
  readonly reason: Reason

  constructor(code: ErrorCode, reason: Reason) {
    super(code, reason === 'paused' ? { area: 'orders' } : { reason })
    this.reason = reason
  }
}

const TIMEOUT_MS = 5_000
const STATUS_TIMEOUT_MS = 1_000
const MAX_SOCKETS = 8

/** The errors for a member, by the refusal of the signing process. */
const CLAIM_REFUSALS: Readonly<Record<Reason, ErrorCode>> = {
  unknown: 'NOTHING_TO_CLAIM',
  not_withdrawable: 'NOTHING_TO_CLAIM',
  no_voucher: 'NOTHING_TO_CLAIM',
  not_payable: 'ORDER_FINAL',
  expired: 'ORDER_EXPIRED',
  member_frozen: 'MEMBER_FROZEN',
  paused: 'PAUSED',
  guard_closed: 'GUARD_CLOSED',
  not_reviewed: 'CLAIM_NOT_APPROVED',
  not_signed: 'CLAIM_NOT_SIGNED',
  not_final: 'CLAIM_NOT_FINAL_YET',
  bad_terms: 'INTERNAL',
  bank_closed: 'CLAIM_STILL_VALID',
  other_bank: 'CLAIM_STILL_VALID',
  limit_hour: 'SIGNER_LIMIT',
  limit_day: 'SIGNER_LIMIT',
  limit_member: 'SIGNER_LIMIT',
}

const QUOTE_REFUSALS: typeof CLAIM_REFUSALS = {
  ...CLAIM_REFUSALS,
  bank_closed: 'ORDER_BANK_CLOSED',
  // The signer and the API have different settings.
  other_bank: 'SIGNER_UNAVAILABLE',
}

interface Request {
  readonly path: string
  readonly body?: object
  readonly timeoutMs: number
  readonly refusals?: typeof CLAIM_REFUSALS
}

/** Creates the client of a signing process. Connects at the first call and again after each failure. */
export function createSignerClient(access: SignerAccess): Signer {
  const place = signerPlaceOf(access)
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  const target = 'socketPath' in place ? place : { host: place.host, port: place.port }
  const headers = 'secret' in place ? { authorization: `Bearer ${place.secret}` } : {}

  function call<Schema extends z.ZodType>(
    schema: Schema,
    { path, body, timeoutMs, refusals = CLAIM_REFUSALS }: Request,
  ): Promise<z.output<Schema>> {
    const text = body === undefined ? '' : answerText(body)
    const signal = AbortSignal.timeout(timeoutMs)
    const options = {
      ...target,
      agent,
      signal,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    }
    return send(options, text).then(
      (answer) => read(schema, refusals, answer),
      (cause: unknown) => {
        throw unavailable(cause)
      },
    )
  }

  return {
    claim: (member, withdrawal) =>
      call(signedClaim, { path: '/claim', body: { member, withdrawal }, timeoutMs: TIMEOUT_MS }),
    quote: (of, member, order) =>
      call(signedOrder, {
        path: '/quote',
        body: { member, order, of },
        timeoutMs: TIMEOUT_MS,
        refusals: QUOTE_REFUSALS,
      }),
    publication: (terms) =>
      call(signedPublication, { path: '/publication', body: terms, timeoutMs: TIMEOUT_MS }),
    status: () => call(signerStatus, { path: '/status', timeoutMs: STATUS_TIMEOUT_MS }),
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * Sends a request, and repeats it on a new connection when a kept one has ended, because the same request
 * gives the same signature.
 */
function send(options: RequestOptions, text: string): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(options, (answer) => {
      textOf(answer).then((all) => resolve({ status: answer.statusCode ?? 0, text: all }), reject)
    })
    sent.once('error', (error) => {
      if (sent.reusedSocket && !options.signal?.aborted) resolve(send(options, text))
      else reject(error)
    })
    sent.end(text)
  })
}

/** The refusal for a response that is missing or does not match the request. */
export function unavailable(cause: unknown): AppError {
  return Object.assign(new AppError('SIGNER_UNAVAILABLE'), { cause })
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  refusals: typeof CLAIM_REFUSALS,
  { status, text }: Answer,
): z.output<Schema> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw unavailable(cause)
  }
  const refused = refusedAnswer.safeParse(parsed)
  if (status === 409 && refused.success) throw refusalOf(refusals, refused.data.refused)
  const answer = schema.safeParse(parsed)
  if (status !== 200 || !answer.success) throw unavailable(new Error(`the signer answered ${status}`))
  return answer.data
}

function refusalOf(refusals: typeof CLAIM_REFUSALS, reason: Reason): SignerRefusal {
  return new SignerRefusal(refusals[reason], reason)
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  answer.setEncoding('utf8')
  for await (const chunk of answer) {
    text += chunk
    if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer of the signer is too long')
  }
  return text
}
