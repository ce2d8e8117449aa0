import type { AppConfig, RouteData } from '@rif/api-schema'
import { getAddress, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { call, type InviteNode, kept, saveToken } from '../lib/index.ts'
import { activeProvider } from './connection.ts'

/** The server expects the message for another site than the one the browser shows: nothing is signed. */
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

/** Asks the server for a nonce, which also tells whether this wallet is a member already. */
export const requestNonce = (address: string) => call('nonce', { query: { address: getAddress(address) } })

/**
 * The sign-in message (EIP-4361), built from where the browser really is. Throws `SiteMismatch` when the server would
 * expect another domain, address or chain: then this page is not the server's own.
 */
export function signInMessage(
  address: string,
  nonce: Nonce,
  chainId: number,
  site: Pick<Location, 'host' | 'origin'>,
): string {
  const isOurs =
    nonce.domain === site.host && new URL(nonce.uri).origin === site.origin && nonce.chain_id === chainId
  if (!isOurs) throw new SiteMismatch(nonce.uri)
  return createSiweMessage({
    address: getAddress(address),
    chainId,
    domain: site.host,
    uri: nonce.uri,
    version: '1',
    statement: nonce.statement,
    nonce: nonce.nonce,
    issuedAt: new Date(),
    expirationTime: new Date(nonce.expires_at),
  })
}

/** Returns the random number by which the server recognises this browser; its members get no notice of a new device. */
function deviceKey(): string {
  const known = kept.get(DEVICE_KEY)
  if (known !== null && /^[0-9a-f]{32}$/.test(known)) return known
  const key = crypto.randomUUID().replaceAll('-', '')
  kept.set(DEVICE_KEY, key)
  return key
}

/**
 * Signs the message in the wallet and hands it to the server; stores the token. A first sign-in needs an invitation.
 * Throws what the wallet throws, `SiteMismatch`, or `ApiError`.
 */
export async function signIn(config: AppConfig, address: string, nonce: Nonce, invite: InviteNode | null) {
  const message = signInMessage(address, nonce, config.chain.id, window.location)
  const provider = await activeProvider(config)
  const signature = (await provider.request({
    method: 'personal_sign',
    params: [stringToHex(message), address],
  })) as string
  const invitation = invite === null ? {} : { invite_code: invite.code, side: invite.side }
  const answer = await call('auth', { body: { message, signature, device_key: deviceKey(), ...invitation } })
  saveToken(answer.token, answer.address, answer.member_id !== null)
  return answer
}
