import { AppError } from '../../../lib/errors.ts'

/** The database's refusals by SQLSTATE. 22003: a number exceeds 64 bits. */
const REFUSALS = {
  RL001: 'INSUFFICIENT_BALANCE',
  RL002: 'IDEMPOTENCY_CONFLICT',
  '22003': 'INVALID_AMOUNT',
} as const

/** Awaits a call of a posting function. Throws its refusal as an AppError. */
export async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw ledgerRefusalOf(error)
  }
}

/** Returns a refusal of a posting function as an AppError, and any other error unchanged. */
export function ledgerRefusalOf(error: unknown): unknown {
  const refusal = REFUSALS[(error as { code?: string }).code as keyof typeof REFUSALS]
  return refusal ? new AppError(refusal) : error
}
