import type { ProposalContent } from '@rif/api-schema'
import { decisionStatement } from '@rif/rules'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Db, inTx } from '../../../../db/database.ts'
import type { Admin } from '../../../../lib/caller.ts'
import { createLogger } from '../../../../lib/logger.ts'
import { createServices } from '../../../../services.ts'
import { NO_SIGNER } from '../../../../signer/protocol.ts'
import { simulatedChain } from '../../../../simulate/simulated-chain.ts'

const SETTINGS = {
  version: 'test',
  publicUrl: 'http://localhost',
  browserRpcUrl: 'http://localhost',
  explorerUrl: null,
  confirmations: 1,
  demoWallets: null,
  signer: NO_SIGNER,
}
export const operator = privateKeyToAccount(`0x${'21'.repeat(32)}`)
export const approver = privateKeyToAccount(`0x${'22'.repeat(32)}`)

/** Creates the product's services without a chain, with the clock ahead by this time. */
export function servicesOf(db: Db, aheadMs = 0) {
  const now = () => new Date(Date.now() + aheadMs)
  const log = createLogger({ level: 'silent' })
  return createServices({ db, now, log, chain: simulatedChain(), settings: SETTINGS })
}

/**
 * Approves every open proposal with a signature and applies the due ones, like the approver's calls and the
 * worker.
 */
export async function decideAll(db: Db, aheadMs: number): Promise<void> {
  const { proposals, admins, chain } = servicesOf(db, aheadMs)
  const admin = (await admins.find(db, approver.address)) as Admin
  const { rows } = await sql<{ id: bigint }>`
    select proposal_id as id from proposals where state = 'Open' order by proposal_id`.execute(db)
  for (const { id } of rows) {
    const proposal = await proposals.get(admin, id)
    const { nonce, deadline } = await proposals.statement(admin, id, { approve: true, reason: '' })
    const { summary } = JSON.parse(proposal.content) as ProposalContent
    const { kind, subject, digest } = proposal
    const statement = decisionStatement(
      { proposalId: `${id}`, kind, subject, digest, summary, approve: true, reason: '', nonce, deadline },
      { chainId: chain.chainId, bank: chain.contracts.bank },
    )
    const signature: Hex = await approver.signTypedData(statement)
    await proposals.checkSignature(admin, id, { nonce, signature })
    await inTx(db, (dbTx) => proposals.decide(dbTx, admin, id, { nonce, signature }))
  }
  await proposals.runDue()
}
