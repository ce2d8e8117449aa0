import type { RouteData } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import { forAll, forRequest } from '../../../db/lanes.ts'
import type { Caller } from '../../../lib/caller.ts'
import { AppError } from '../../../lib/errors.ts'
import { TERMS_TEXT } from '../../../plugins/rate-limits.ts'
import { endOf } from '../../../plugins/request-end.ts'
import { register } from '../../../plugins/route.ts'
import type { AuthService } from './auth.service.ts'
import type { TermsTexts } from './auth.texts.service.ts'

/** A killed process loses the visits of so long. */
const TIDY_EVERY_MS = 5_000

interface Deps {
  readonly auth: AuthService
  readonly termsTexts: Pick<TermsTexts, 'textOf'>
}

/** `nonce`, `auth`, `auth/sign-out`, `auth/sessions`, `auth/terms`, and the texts that members signed. */
export function authRoutes(app: FastifyInstance, { auth, termsTexts }: Deps): void {
  const tidy = () => forAll('work', auth.tidy).catch(() => undefined)
  const tidying = setInterval(() => void tidy(), TIDY_EVERY_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(tidying)
    await tidy()
  })

  register(app, 'nonce', async ({ query }) => {
    const issued = await auth.issueNonce(query.address as Hex)
    return {
      nonce: issued.nonce,
      expires_at: issued.expiresAt.toISOString(),
      domain: issued.domain,
      uri: issued.uri,
      chain_id: issued.chainId,
      statement: issued.statement,
      leave_statement: issued.leaveStatement,
      terms_uri: issued.termsUri,
      terms_accepted: issued.termsAccepted,
      registered: issued.registered,
    }
  })

  register(app, 'auth', async ({ body, userAgent, country }) => {
    const { token, expiresAt, address, member, newMember } = await auth.signIn({
      message: body.message,
      signature: body.signature as Hex,
      inviteCode: body.invite_code,
      side: body.side,
      deviceKey: body.device_key,
      userAgent,
      country,
    })
    return {
      token,
      expires_at: expiresAt.toISOString(),
      member_id: member === undefined ? null : `${member.memberId}`,
      address: getAddress(address as Hex),
      new_member: newMember,
    }
  })

  register(app, 'sessions', async ({ caller }) => {
    const sessions = await auth.sessions(caller)
    return {
      items: sessions.map((session) => ({
        session_id: `${session.sessionId}`,
        device: session.device,
        created_at: session.createdAt.toISOString(),
        last_used_at: session.lastUsedAt.toISOString(),
        expires_at: session.expiresAt.toISOString(),
        current: session.isCurrent,
      })),
    }
  })

  register(app, 'endSessions', async ({ caller, body }) => ({
    ended:
      'session_id' in body
        ? await auth.endSession(caller, BigInt(body.session_id))
        : await auth.endOtherSessions(caller),
  }))

  register(app, 'signOut', async ({ caller }) => {
    await auth.signOut(caller)
    return {}
  })

  register(app, 'terms', ({ caller }) => termsView(auth, caller))

  register(app, 'acceptTerms', async ({ caller, body }) => {
    await auth.acceptTerms(caller, { message: body.message, signature: body.signature as Hex })
    return termsView(auth, { ...caller, leavesOnly: false })
  })

  // The address is in every signed message, so it is no call of the API: its bytes are those that were signed, for ever.
  app.get<{ Params: { file: string } }>(TERMS_TEXT, { schema: { hide: true } }, async ({ params }, reply) => {
    const [, version] = /^([\d-]{10}(?:-[0-9a-f]{8})?)\.txt$/.exec(params.file) ?? []
    const read = (name: string) => forRequest('reads', endOf(reply), () => termsTexts.textOf(name))
    const text = version === undefined ? undefined : await read(version)
    if (text === undefined) throw new AppError('NOT_FOUND')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/plain; charset=utf-8')
      .send(text)
  })
}

async function termsView(auth: AuthService, caller: Caller): Promise<RouteData<'terms'>> {
  const { version, sha256, accepted } = await auth.terms(caller)
  return {
    version,
    sha256,
    leaves_only: caller.leavesOnly,
    items: accepted.map((item) => ({
      version: item.version,
      sha256: item.sha256.toString('hex'),
      accepted_at: item.acceptedAt.toISOString(),
      message: item.message,
      signature: `0x${item.signature.toString('hex')}`,
    })),
  }
}
