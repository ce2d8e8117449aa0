import type { FastifyInstance } from 'fastify'
import type { Hex } from 'viem'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { idempotent } from '../../../lib/idempotency.ts'
import { register } from '../../../plugins/route.ts'
import type { ProposalDraft, ProposalsService } from './proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly proposals: ProposalsService
}

/** `admin/proposals`. */
export function proposalRoutes(app: FastifyInstance, { db, now, proposals }: Deps): void {
  register(app, 'proposals', ({ admin, query }) => proposals.list(admin, query))

  register(app, 'proposal', ({ admin, params }) => proposals.get(admin, BigInt(params.proposal_id)))

  register(app, 'previewProposal', async ({ admin, body }) => {
    await proposals.gather(admin, draftOf(body))
    return { content: await proposals.preview(admin, draftOf(body)) }
  })

  register(app, 'prepareProposal', async ({ admin, body, idempotency }) => {
    await proposals.gather(admin, draftOf(body))
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => proposals.prepare(dbTx, admin, draftOf(body))),
    )
  })

  register(app, 'withdrawProposal', ({ admin, params, idempotency }) =>
    inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => proposals.withdraw(dbTx, admin, BigInt(params.proposal_id))),
    ),
  )

  register(app, 'decisionStatement', ({ admin, params, body }) =>
    proposals.statement(admin, BigInt(params.proposal_id), body),
  )

  register(app, 'decideProposal', async ({ admin, params, body }) => {
    const proposalId = BigInt(params.proposal_id)
    const signed = { nonce: body.nonce, signature: body.signature as Hex }
    await proposals.checkSignature(admin, proposalId, signed)
    return inTx(db, (dbTx) => proposals.decide(dbTx, admin, proposalId, signed))
  })
}

function draftOf({
  delay_minutes,
  ...draft
}: Omit<ProposalDraft, 'delayMs'> & { delay_minutes: number }): ProposalDraft {
  return { ...draft, delayMs: delay_minutes * 60_000 }
}
