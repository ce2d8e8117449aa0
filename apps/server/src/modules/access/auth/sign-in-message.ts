import { readTermsUri, type TermsVersion, termsUri } from '@rif/rules'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { AppError } from '../../../lib/errors.ts'

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
}

export interface SignInClaim {
  readonly address: `0x${string}`
  readonly nonce: string
  readonly statement: string | undefined
  readonly resources: readonly string[]
}

/**
 * Parses an EIP-4361 message and checks everything except nonce, signature and the terms. Throws MESSAGE_INVALID, whose `reason`
 * names the field. A text that differs from the standard's canonical form is refused ('format'), so that a wallet and the server
 * cannot interpret it differently.
 */
export function parseSignInMessage(text: string, terms: SignInTerms, at: Date): SignInClaim {
  const message = parseSiweMessage(text)
  requireThat(isComplete(message) && isCanonical(message, text), 'format')
  requireThat(message.domain === terms.domain, 'domain')
  requireThat(originOf(message.uri) === terms.uri, 'uri')
  requireThat(message.chainId === terms.chainId, 'chain_id')
  requireThat(message.issuedAt !== undefined, 'issued_at')
  const age = at.getTime() - message.issuedAt.getTime()
  requireThat(age >= -CLOCK_SKEW_MS && age <= terms.validityMs, 'issued_at')
  requireThat(message.expirationTime === undefined || message.expirationTime > at, 'expiration_time')
  requireThat(message.notBefore === undefined || message.notBefore <= at, 'not_before')
  const { address, nonce, statement, resources = [] } = message
  return { address, nonce, statement, resources }
}

/**
 * Reports whether a message accepts the text that its nonce was issued with; false if it declines it. `isOther` says whether a text
 * was in force at any time. Throws TERMS_OUTDATED for a message that names no text or such another one, and MESSAGE_INVALID.
 */
export async function acceptsTerms(
  { statement, resources }: Pick<SignInClaim, 'statement' | 'resources'>,
  { uri, ofNonce, isOther }: TermsOfNonce,
): Promise<boolean> {
  if (resources.length === 0 && statement === leaveStatementOf(ofNonce)) return false
  const [resource = ''] = resources
  const isNamed = resources.length === 1 && resource === termsUri(uri, ofNonce)
  const named = resources.length === 1 && !isNamed ? readTermsUri(uri, resource) : undefined
  if (resources.length === 0 || (named !== undefined && (await isOther(named))))
    throw new AppError('TERMS_OUTDATED', { ...ofNonce })
  requireThat(isNamed, 'resources')
  requireThat(statement === statementOf(ofNonce), 'statement')
  return true
}

interface TermsOfNonce {
  /** The origin of the product. */
  readonly uri: string
  readonly ofNonce: TermsVersion
  readonly isOther: (terms: TermsVersion) => Promise<boolean>
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
