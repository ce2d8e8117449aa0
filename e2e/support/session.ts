import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

/** A place to sign up in: whose code, and on which side. */
export interface Invitation {
  code: string
  side: string
}

export interface Session {
  token: string
  address: Hex
  /** Null for an admin who is no member. */
  memberId: string | null
}

/** The device name that lists of sessions show for these sign-ins. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

interface Nonce {
  nonce: string
  domain: string
  uri: string
  chain_id: number
  statement: string
  terms_uri: string
  registered: boolean
}

/**
 * Signs a wallet in by the API, with the message that the login page signs too; one that is new signs up with the
 * invitation. A tenth of a second instead of some: the page is walked through where it is what a test is about.
 */
export async function openSession(baseURL: string, key: Hex, invitation?: Invitation): Promise<Session> {
  const account = privateKeyToAccount(key)
  const { address } = account
  const nonce = await callApi<Nonce>(baseURL, `nonce?address=${address}`)
  const message = createSiweMessage({
    address,
    domain: nonce.domain,
    uri: nonce.uri,
    chainId: nonce.chain_id,
    nonce: nonce.nonce,
    version: '1',
    statement: nonce.statement,
    resources: [nonce.terms_uri],
    issuedAt: new Date(),
  })
  const isNew = !nonce.registered && invitation !== undefined
  const answer = await callApi<{ token: string; member_id: string | null }>(baseURL, 'auth', {
    body: {
      message,
      signature: await account.signMessage({ message }),
      ...(isNew && { invite_code: invitation.code, side: invitation.side }),
    },
  })
  return { token: answer.token, address, memberId: answer.member_id }
}

/**
 * A place in the tree where nobody comes below the newcomer but those whom the newcomer invites. Whoever signs up takes the
 * last place down a side (rules, section 3), so two who are invited by one member stand one below the other, and what the
 * second one does counts in the first one's team. So each member of a test has a sponsor of its own, at the end of the
 * right side of the demonstration's tree, and stands on that sponsor's left, where no other invitation leads.
 *
 * Of the demonstration, this changes the teams and team investments of Ruth and of those down her right side (Ben,
 * Gwen ...), and nothing else: the rewards of all, and the whole team of Ann, stay as they are.
 */
export async function ownPlace(baseURL: string): Promise<Invitation> {
  const { demo_invite_code: code } = await callApi<{ demo_invite_code: string }>(baseURL, 'config')
  const sponsor = await openSession(baseURL, generatePrivateKey(), { code, side: 'right' })
  const { invite_code } = await callApi<{ invite_code: string }>(baseURL, 'me/invite', { session: sponsor })
  return { code: invite_code, side: 'left' }
}

interface CallOptions {
  session?: Pick<Session, 'token' | 'address'>
  /** With one the call is a POST. */
  body?: object
}

/** A call of the API; throws with its message when it is refused without data. */
export async function callApi<T>(
  baseURL: string,
  path: string,
  { session, body }: CallOptions = {},
): Promise<T> {
  const answer = await fetch(`${baseURL}/api/v1/${path}`, {
    headers: {
      'user-agent': USER_AGENT,
      ...(session && { authorization: `Bearer ${session.token}`, 'x-wallet-address': session.address }),
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  // A busy server refuses a read and names the time of the next attempt. The pages repeat it too.
  const after = answer.headers.get('retry-after')
  if (answer.status === 503 && body === undefined && after !== null) {
    await sleep(1_000 * Number(after))
    return callApi(baseURL, path, session && { session })
  }
  const { data, msg } = (await answer.json()) as { data: T | null; msg: string }
  if (data === null) throw new Error(`${path}: ${msg}`)
  return data
}
