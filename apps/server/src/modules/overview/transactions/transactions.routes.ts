import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../db/database.ts'
import { register } from '../../../plugins/route.ts'
import type { TransactionsService } from './transactions.service.ts'

interface Deps {
  readonly db: Db
  readonly transactions: TransactionsService
}

/** `me/transactions`. */
export function transactionRoutes(app: FastifyInstance, { db, transactions }: Deps): void {
  register(app, 'transactions', async ({ session }) => ({ items: await transactions.list(db, session) }))

  register(app, 'noteTransaction', async ({ session, body }) => {
    const { tx_hash, kind, subject_id, nonce } = body
    const subjectId = subject_id === undefined ? undefined : BigInt(subject_id)
    await transactions.note(db, session, { txHash: tx_hash, kind, subjectId, nonce })
    return { tx_hash }
  })
}
