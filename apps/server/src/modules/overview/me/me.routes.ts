import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { MeService } from './me.service.ts'

/** `me`. */
export function meRoutes(app: FastifyInstance, { me }: { me: MeService }): void {
  register(app, 'me', ({ session }) => me.me(session.memberId))
}
