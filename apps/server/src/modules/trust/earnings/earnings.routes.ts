import type { FastifyInstance } from 'fastify'
import { register } from '../../../plugins/route.ts'
import type { EarningsService } from './earnings.service.ts'

/** `earnings`: public. */
export function earningsRoutes(app: FastifyInstance, { earnings }: { earnings: EarningsService }): void {
  register(app, 'earnings', () => earnings.latest())
}
