import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import { register } from '../../plugins/route.ts'
import type { AuthService } from './auth.service.ts'

/** `nonce`, `auth`, `auth/sign-out` and `auth/sessions`. */
export function authRoutes(app: FastifyInstance, { auth }: { auth: AuthService }): void {
  register(app, 'nonce', async ({ query }) => {
    const issued = await auth.issueNonce(query.address as Hex)
    return {
      nonce: issued.nonce,
      expires_at: issued.expiresAt.toISOString(),
      domain: issued.domain,
      uri: issued.uri,
      chain_id: issued.chainId,
      statement: issued.statement,
      registered: issued.registered,
    }
  })

  register(app, 'auth', async ({ body, userAgent }) => {
    const { token, expiresAt, address, member, newMember } = await auth.signIn({
      message: body.message,
      signature: body.signature as Hex,
      inviteCode: body.invite_code,
      side: body.side,
      deviceKey: body.device_key,
      userAgent,
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
      items: sessions.map((one) => ({
        session_id: `${one.sessionId}`,
        device: one.device,
        created_at: one.createdAt.toISOString(),
        last_used_at: one.lastUsedAt.toISOString(),
        expires_at: one.expiresAt.toISOString(),
        current: one.isCurrent,
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
}
