import { type ErrorCode, isAdminRole } from '@rif/api-schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { inDbTx } from '../db/database.ts'
import { forAll } from '../db/lanes.ts'
import type { AdminLogService } from '../modules/admin-log/admin-log.service.ts'
import { refusalOf } from './errors.ts'

/** The refusals that tell of somebody who tried what is not theirs. */
const TOLD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['UNAUTHORIZED', 'FORBIDDEN', 'OWN_PROPOSAL', 'NONCE_INVALID', 'SIGNATURE_INVALID'] as const),
])
/** Strangers may fill the log with so many entries a minute, and no more; the rest is only counted by the metrics. */
const STRANGERS_A_MINUTE = 60
const MINUTE_MS = 60_000

/** Logs every refused attempt on the operator's side: who, what and why. An admin's own are all written. */
export function useAttempts(
  app: FastifyInstance,
  { db, adminLog }: { db: Db; adminLog: AdminLogService },
): void {
  let windowFrom = 0
  let strangers = 0
  const isWithinBudget = () => {
    const at = Date.now()
    if (at - windowFrom > MINUTE_MS) {
      windowFrom = at
      strangers = 0
    }
    strangers++
    return strangers <= STRANGERS_A_MINUTE
  }
  app.addHook('onError', async (request, _reply, error) => {
    const { access, routeName } = request.routeOptions.config
    if (!isAdminRole(access)) return
    const { code } = refusalOf(error)
    if (!TOLD.has(code) || (request.admin === null && !isWithinBudget())) return
    const attempt = {
      ...{ actor: actorOf(request), action: 'attempt.refused', subject: `call/${routeName}` },
      after: { error: code, params: request.params, ip: request.ip },
    }
    await forAll('writes', () => inDbTx(db, (dbTx) => adminLog.record(dbTx, attempt))).catch(
      (failure: unknown) =>
        request.log.error({ err: failure, ...attempt }, 'a refused attempt could not be logged'),
    )
  })
}

/** Returns the signed-in wallet, or the one that the caller claims. */
function actorOf({ caller, headers }: FastifyRequest): string {
  if (caller !== null) return caller.address
  const claimed = headers['x-wallet-address']
  const isWallet = typeof claimed === 'string' && /^0x[0-9a-fA-F]{40}$/.test(claimed)
  return isWallet ? `claimed:${claimed.toLowerCase()}` : 'unknown'
}
