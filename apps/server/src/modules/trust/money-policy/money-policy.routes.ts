import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { MoneyPolicyService } from './money-policy.service.ts'

/** `money/policy`: public. */
export function moneyPolicyRoutes(
  app: FastifyInstance,
  { db, moneyPolicy }: { db: Db; moneyPolicy: MoneyPolicyService },
): void {
  register(app, 'moneyPolicy', () => moneyPolicy.policy(db))
}
