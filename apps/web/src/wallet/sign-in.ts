import type { AppConfig, RouteData } from '@rif/api-schema'
import { readTermsUri, type TermsVersion } from '@rif/rules'
import { getAddress, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { call, type InviteNode, kept, randomHex, saveToken } from '../lib/index.ts'
import { activeProvider } from './connection.ts'
import { keepAccepted } from './terms/accepted.ts'
import { OldTerms, readTerms } from './terms/terms-text.ts'

/**
 * Thrown when the server expects the message for another site than the one in the browser; nothing is signed.
 */
export class SiteMismatch extends Error {
  readonly expected: string

  constructor(expected: string) {
    super(`sign-in is for ${expected}`)
    this.name = 'SiteMismatch'
    this.expected = expected
  }
}

const DEVICE_KEY = 'device_key'

type Nonce = RouteData<'nonce'>

/** Requests a nonce from the server, which also reports whether this wallet is a member already. */
export const requestNonce = (address: string) => call('nonce', { query: { address: getAddress(address) } })

/** Returns the text of terms and risks that a nonce is about. Throws `OldTerms` for what is no text of this site. */
export function signInTermsOf(
  nonce: Pick<Nonce, 'terms_uri'>,
  { origin }: Pick<Location, 'origin'>,
): TermsVersion {
  const terms = readTermsUri(origin, nonce.terms_uri)
  if (terms === undefined) throw new OldTerms()
  return terms
}

/**
 * The sign-in message (EIP-4361), built from where the browser really is. It names the text of terms and risks; with `declines`,
 * its statement is that the member does not accept it and only takes out. Throws `SiteMismatch` when the server would expect
 * another domain, address or chain: then this page is not the server's own. Throws as `termsOf`.
 */
export function signInMessage(
  address: string,
  nonce: Nonce,
  chainId: number,
  site: Pick<Location, 'host' | 'origin'>,
  declines = false,
): string {
  const isOurs =
    nonce.domain === site.host && new URL(nonce.uri).origin === site.origin && nonce.chain_id === chainId
  if (!isOurs) throw new SiteMismatch(nonce.uri)
  signInTermsOf(nonce, site)
  return createSiweMessage({
    address: getAddress(address),
    chainId,
    domain: site.host,
    uri: nonce.uri,
    version: '1',
    statement: declines ? nonce.leave_statement : nonce.statement,
    nonce: nonce.nonce,
    issuedAt: new Date(),
    expirationTime: new Date(nonce.expires_at),
    ...(!declines && { resources: [nonce.terms_uri] }),
  })
}

/**
 * Returns the random value by which the server recognises this browser, whose members get no notice of a new
 * device.
 */
function deviceKey(): string {
  const storedKey = kept.get(DEVICE_KEY)
  if (storedKey !== null && /^[0-9a-f]{32}$/.test(storedKey)) return storedKey
  const key = randomHex(16)
  kept.set(DEVICE_KEY, key)
  return key
}

async function sign(config: AppConfig, address: string, nonce: Nonce, declines = false) {
  const message = signInMessage(address, nonce, config.chain.id, window.location, declines)
  // Nothing is signed unless the published text has the hash in the message, and the words of this app.
  await readTerms(signInTermsOf(nonce, window.location))
  const provider = await activeProvider(config)
  const signature = (await provider.request({
    method: 'personal_sign',
    params: [stringToHex(message), address],
  })) as string
  return { message, signature }
}

/**
 * Accepts the text of terms and risks that was shown, in the open session, with the sign-in message. Throws the
 * wallet's error, `SiteMismatch`, `OldTerms` (also when another text is in force by now), `WrongTerms` or `ApiError`.
 */
export async function acceptTerms(config: AppConfig, address: string, shown: TermsVersion) {
  const nonce = await requestNonce(address)
  if (signInTermsOf(nonce, window.location).sha256 !== shown.sha256) throw new OldTerms()
  const signed = await sign(config, address, nonce)
  const answer = await call('acceptTerms', { body: signed })
  keepAccepted(address, shown.version)
  return answer
}

/**
 * Signs the message with the wallet, sends it to the server, and stores the token. A first sign-in requires
 * an invitation. With `declines` the member does not accept the terms in force, and the session can only
 * withdraw money. Throws the wallet's error, `SiteMismatch`, `OldTerms`, `WrongTerms`, or `ApiError`.
 */
export async function signIn(
  config: AppConfig,
  address: string,
  nonce: Nonce,
  { invite, declines }: { invite: InviteNode | null; declines: boolean },
) {
  const signed = await sign(config, address, nonce, declines)
  const invitation = invite === null ? {} : { invite_code: invite.code, side: invite.side }
  const answer = await call('auth', { body: { ...signed, device_key: deviceKey(), ...invitation } })
  if (!declines) keepAccepted(answer.address, signInTermsOf(nonce, window.location).version)
  saveToken(answer.token, answer.address, answer.member_id !== null)
  return answer
}
