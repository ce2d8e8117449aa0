import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { LocalWalletService } from './local-wallet.service.ts'

/** `local-wallet/...`. */
export function localWalletRoutes(
  app: FastifyInstance,
  { db, localWallet }: { readonly db: Db; readonly localWallet: LocalWalletService },
): void {
  register(app, 'walletHistory', ({ session, query }) => localWallet.history(db, session.memberId, query))
  register(app, 'tellSend', ({ session, body }) => localWallet.report(db, session.memberId, body))
  register(app, 'walletSend', ({ session, params }) =>
    localWallet.send(db, session.memberId, params.first_hash),
  )
}
