import type { ProposalKind, ProposalPayload } from '@rif/api-schema'
import { getAddress, type Hex } from 'viem'
import { inTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { DemoChain } from './demo-chain.ts'
import { demoAdmins } from './demo-wallets.ts'

/** A proposal and the admins of the demonstration who prepare and approve it: the operator and the approver by default. */
interface Decision<Kind extends ProposalKind> {
  readonly kind: Kind
  readonly payload: ProposalPayload<Kind>
  readonly subject: string
  readonly reason: string
  readonly by?: readonly [preparer: string, approver: string]
}

/**
 * Lets one admin propose a change and another one sign its approval. A run that was killed leaves at most the
 * open proposal.
 */
export async function decideTogether<Kind extends ProposalKind>(
  { db, admins, proposals }: Services,
  chain: Pick<DemoChain, 'accounts' | 'signTyped'>,
  { kind, payload, subject, reason, by = ['Paul', 'Vera'] }: Decision<Kind>,
): Promise<void> {
  const adminOf = (name: string) =>
    admins.find(db, demoAdmins(chain.accounts).find(({ person }) => person === name)!.address)
  const [preparer, approver] = await Promise.all(by.map(adminOf))
  // With owners in the settings, the demonstration has no admins of its own and waits for theirs.
  if (preparer === undefined || approver === undefined) return
  const draft = { kind, payload, reason, delayMs: 0 } as Parameters<typeof proposals.prepare>[2]
  const open = (await proposals.openBySubject(db, kind, [subject])).get(subject)
  const prepared =
    open ?? BigInt((await inTx(db, (dbTx) => proposals.prepare(dbTx, preparer, draft))).proposal_id)
  await proposals.decideWith(approver, prepared, { approve: true, reason }, (typedData) =>
    chain.signTyped(getAddress(approver.address as Hex), typedData),
  )
}
