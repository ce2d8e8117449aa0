import { currentTerms, type TermsVersion, termsUri } from '@rif/rules'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { AppError } from '../../lib/errors.ts'

/** Returns the sentence that the wallet shows to the member (EIP-4361 `statement`). */
export const statementOf = ({ version }: TermsVersion) =>
  `I accept the terms and risks of RIFund Portfolio, version ${version}, and sign in. This request costs nothing and moves no money.`

/**
 * Returns the sentence that a member signs who does not accept the version in force: the session can only take out what is
 * the member's own, so that new terms never keep money.
 */
export const leaveStatementOf = ({ version }: TermsVersion) =>
  `I do not accept the terms and risks of RIFund Portfolio, version ${version}. I sign in only to take out what is mine. This request costs nothing and moves no money.`

/** The maximum by which the browser's clock may be ahead of the server's. */
const CLOCK_SKEW_MS = 60_000

/** The required contents of a sign-in message. `uri` is the origin of the product. */
export interface SignInTerms {
  readonly domain: string
  readonly uri: string
  readonly chainId: number
  /** The validity of a message after its time of issue. */
  readonly validityMs: number
  /** The published versions of terms and risks, the last one in force. */
  readonly versions: readonly TermsVersion[]
}

export interface SignInClaim {
  readonly address: `0x${string}`
  readonly nonce: string
  /** False for a message that only asks to leave. */
  readonly acceptsTerms: boolean
}

/**
 * Parses an EIP-4361 message and checks everything except nonce and signature. Throws MESSAGE_INVALID, whose `reason` names
 * the field, and TERMS_OUTDATED for a message that names no version of the terms or an earlier one. A text that differs
 * from the standard's canonical form is refused ('format'), so that a wallet and the server cannot interpret it differently.
 */
export function parseSignInMessage(text: string, terms: SignInTerms, at: Date): SignInClaim {
  const message = parseSiweMessage(text)
  requireThat(isComplete(message) && isCanonical(message, text), 'format')
  requireThat(message.domain === terms.domain, 'domain')
  requireThat(originOf(message.uri) === terms.uri, 'uri')
  requireThat(message.chainId === terms.chainId, 'chain_id')
  const acceptsTerms = accepts(message, terms)
  requireThat(message.issuedAt !== undefined, 'issued_at')
  const age = at.getTime() - message.issuedAt.getTime()
  requireThat(age >= -CLOCK_SKEW_MS && age <= terms.validityMs, 'issued_at')
  requireThat(message.expirationTime === undefined || message.expirationTime > at, 'expiration_time')
  requireThat(message.notBefore === undefined || message.notBefore <= at, 'not_before')
  return { address: message.address, nonce: message.nonce, acceptsTerms }
}

/** Reports whether a message accepts the version in force; false if it declines it. Throws TERMS_OUTDATED, MESSAGE_INVALID. */
function accepts({ statement, resources = [] }: SiweMessage, { uri, versions }: SignInTerms): boolean {
  const current = currentTerms(versions)
  if (resources.length === 0 && statement === leaveStatementOf(current)) return false
  const isOf = (version: TermsVersion) => resources.length === 1 && resources[0] === termsUri(uri, version)
  if (resources.length === 0 || versions.some((version) => version !== current && isOf(version)))
    throw new AppError('TERMS_OUTDATED', { ...current })
  requireThat(isOf(current), 'resources')
  requireThat(statement === statementOf(current), 'statement')
  return true
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
