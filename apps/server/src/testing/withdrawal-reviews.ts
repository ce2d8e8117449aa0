import type { Proposal } from '@rif/api-schema'
import type { AdminRole } from '@rif/rules'
import { inTx } from '../db/database.ts'
import type { Admin } from '../lib/caller.ts'
import type { Services } from '../services.ts'
import { giveRole } from './roles.ts'
import { TEST_APPROVERS } from './test-signer.ts'

/** A withdrawal under audit. */
export interface Audited {
  readonly memberId: bigint
  readonly withdrawId: string
}

type TestApprover = (typeof TEST_APPROVERS)[number]

const OPERATOR = `0x${'0e'.repeat(20)}`

/** Appoints the operator and the approvers of tests, unless they are. */
async function appointed(services: Services, address: string, as: { role: AdminRole; person: string }) {
  const { db, admins } = services
  const admin = await admins.find(db, address)
  if (admin !== undefined) return admin
  await giveRole(services, { ...as, address })
  return (await admins.find(db, address)) as Admin
}

/** Appoints all approvers whom the signer of tests trusts. */
export async function appointTestApprovers(services: Services): Promise<void> {
  for (const { account, person } of TEST_APPROVERS)
    await appointed(services, account.address, { role: 'approver', person })
}

/** Prepares the review of withdrawals, as an operator who is none of the approvers. */
export async function proposeReview(
  services: Services,
  audited: readonly Audited[],
  approve = true,
): Promise<Proposal> {
  const operator = await appointed(services, OPERATOR, { role: 'operator', person: 'test operator' })
  const withdrawals = audited.map(({ memberId, withdrawId }) => ({
    member_id: `${memberId}`,
    withdraw_id: withdrawId,
  }))
  const draft = {
    kind: 'withdrawals',
    payload: { approve, withdrawals },
    reason: 'as tested',
    delayMs: 0,
  } as const
  return inTx(services.db, (dbTx) => services.proposals.prepare(dbTx, operator, draft))
}

/** Signs the approval of a proposal with the wallet of an approver whom the signer trusts. */
export async function approveAs(
  services: Services,
  { account, person }: TestApprover,
  { proposal_id }: Pick<Proposal, 'proposal_id'>,
  reason = '',
): Promise<Proposal> {
  const approver = await appointed(services, account.address, { role: 'approver', person })
  return services.proposals.decideWith(
    approver,
    BigInt(proposal_id),
    { approve: true, reason },
    (typedData) => account.signTypedData(JSON.parse(typedData)),
  )
}

/** Decides on withdrawals by as many signed approvals as the review needs. */
export async function reviewWithdrawals(
  services: Services,
  audited: readonly Audited[],
  { approve = true, reason = '' } = {},
): Promise<void> {
  const proposal = await proposeReview(services, audited, approve)
  for (const approver of TEST_APPROVERS.slice(0, proposal.approvals_needed))
    await approveAs(services, approver, proposal, reason)
}
