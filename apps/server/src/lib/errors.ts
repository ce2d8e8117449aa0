import type { ErrorCode } from '@rif/api-schema'

/**
 * A refusal with a stable code: thrown by services, and mapped at the edge to a status and a localised text.
 * `details` is shown to the client, so it may contain only data that the member may see.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number | boolean | null>>

  constructor(code: ErrorCode, details: Readonly<Record<string, string | number | boolean | null>> = {}) {
    super(code)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}
