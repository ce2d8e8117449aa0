import { AppError } from '../../lib/errors.ts'

/** The database's refusals by SQLSTATE. 22003: a number exceeds 64 bits. */
const REFUSALS = {
  RL001: 'INSUFFICIENT_BALANCE',
  RL002: 'IDEMPOTENCY_CONFLICT',
  '22003': 'INVALID_AMOUNT',
} as const

/** Returns the refusal that an error of the database stands for; any other error as it is. */
export function refusalOf(error: Error): Error {
  const refusal = REFUSALS[(error as { code?: string }).code as keyof typeof REFUSALS]
  return refusal ? new AppError(refusal) : error
}

/** Waits for a call of a posting function. Throws its refusal as an AppError. */
export const refusing = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: Error) => Promise.reject(refusalOf(error)))
