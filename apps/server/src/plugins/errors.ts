import type { ErrorCode } from '@rif/api-schema'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { AppError } from '../lib/errors.ts'
import { localeOf } from '../lib/locale.ts'
import type { ErrorMessage } from '../lib/messages.ts'
import { ENDED } from './request-end.ts'

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_HANDLER_TIMEOUT: 'TIMEOUT',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
}

/** Errors of bodies that no schema checks, described in the same terms as the schemas' problems. */
const UNREADABLE: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'Invalid input: the body is not JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'Invalid input: the body is empty',
}

/** The pause that a client should make after a 503. The failed part usually works again by then. */
const RETRY_AFTER_SECONDS = 2
/** The pause after which the earlier calls of a caller are usually answered. */
const OWN_CALLS_SECONDS = 1

declare module 'fastify' {
  interface FastifyInstance {
    /** Status and texts of every error code. */
    readonly errorMessages: Readonly<Record<ErrorCode, ErrorMessage>>
  }
}

/** Converts any thrown value into the envelope with a stable code and a text in the caller's language. */
export function useErrors(app: FastifyInstance, messages: FastifyInstance['errorMessages']): void {
  app.decorate('errorMessages', messages)
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    // Its client has gone or was answered TIMEOUT: that is no fault, and nobody reads this answer.
    if ((error as unknown) === ENDED) return reply.code(503).send()
    const refusal = refusalOf(error)
    if (messages[refusal.code].status >= 500)
      request.log.error({ id: request.id, code: refusal.code, err: error }, 'request failed')
    return sendRefusal(request, reply, refusal)
  })
}

/** Sends a refusal in the envelope. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, { code, details }: AppError) {
  const message = request.server.errorMessages[code]
  const locale = localeOf(request.headers['accept-language'])
  return reply
    .code(message.status)
    .headers({ 'content-language': locale, vary: 'Accept-Language', 'cache-control': 'no-store' })
    .headers(message.status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {})
    .headers(code === 'TOO_MANY_CALLS' ? { 'retry-after': OWN_CALLS_SECONDS } : {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ code: message.status, msg: message[locale], data: { error: code, details } })
}

/** Returns the error for the caller, without details of a defect. */
export function refusalOf(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const field = first?.instancePath.split('/').filter(Boolean).join('.') ?? ''
    const code = isAddressField(field) ? 'INVALID_ADDRESS' : 'VALIDATION_FAILED'
    return new AppError(code, { field, problem: first?.message ?? '' })
  }
  if (isDatabaseUnavailable(error)) return new AppError('UNAVAILABLE')
  const code = FASTIFY_CODES[error.code]
  if (code !== undefined) return new AppError(code)
  const problem = UNREADABLE[error.code]
  if (problem !== undefined) return new AppError('VALIDATION_FAILED', { field: '', problem })
  // All other refusals of the framework are errors of the client.
  const { statusCode = 500 } = error
  return new AppError(statusCode >= 400 && statusCode < 500 ? 'VALIDATION_FAILED' : 'INTERNAL')
}

function isAddressField(field: string): boolean {
  return field === 'address' || field.endsWith('.address')
}
