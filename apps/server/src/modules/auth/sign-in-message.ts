import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { AppError } from '../../lib/errors.ts'

/** The sentence that the wallet shows to the member (EIP-4361 `statement`). */
export const STATEMENT = 'Sign in to RIFund Portfolio. This request costs nothing and moves no money.'

/** How far the browser's clock may be ahead of the server's. */
const CLOCK_SKEW_MS = 60_000

/** What a sign-in message must say. `uri` is the product's own address, without a path. */
export interface SignInTerms {
  readonly domain: string
  readonly uri: string
  readonly chainId: number
  /** How long a message may be used after it was issued. */
  readonly validityMs: number
}

export interface SignInClaim {
  readonly address: `0x${string}`
  readonly nonce: string
}

/**
 * Reads an EIP-4361 message and checks everything in it but nonce and signature. Throws MESSAGE_INVALID; `reason` names
 * the field. What is not written exactly as the standard's grammar writes it is refused too ('format'), so that a
 * wallet and this server can never read one text in two ways.
 */
export function parseSignInMessage(text: string, terms: SignInTerms, at: Date): SignInClaim {
  const message = parseSiweMessage(text)
  requireThat(isComplete(message) && isCanonical(message, text), 'format')
  requireThat(message.domain === terms.domain, 'domain')
  requireThat(originOf(message.uri) === terms.uri, 'uri')
  requireThat(message.chainId === terms.chainId, 'chain_id')
  requireThat(message.statement === STATEMENT, 'statement')
  requireThat(message.issuedAt !== undefined, 'issued_at')
  const age = at.getTime() - message.issuedAt.getTime()
  requireThat(age >= -CLOCK_SKEW_MS && age <= terms.validityMs, 'issued_at')
  requireThat(message.expirationTime === undefined || message.expirationTime > at, 'expiration_time')
  requireThat(message.notBefore === undefined || message.notBefore <= at, 'not_before')
  return { address: message.address, nonce: message.nonce }
}

function isComplete(message: Partial<SiweMessage>): message is SiweMessage {
  const { address, chainId, domain, nonce, uri, version } = message
  return [address, chainId, domain, nonce, uri, version].every((field) => field !== undefined)
}

function isCanonical(message: SiweMessage, text: string): boolean {
  try {
    return createSiweMessage(message) === text
  } catch {
    return false
  }
}

function originOf(uri: string): string | undefined {
  return URL.canParse(uri) ? new URL(uri).origin : undefined
}

function requireThat(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new AppError('MESSAGE_INVALID', { reason })
}
