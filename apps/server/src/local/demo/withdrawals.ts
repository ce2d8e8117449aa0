import type { ProposalPayload, Withdrawal } from '@rif/api-schema'
import { type AdminRole, dayOf, MICRO, parseMicros, withdrawalFee, withdrawalWish } from '@rif/rules'
import { type Address, getAddress, type Hex } from 'viem'
import { inDbTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { withdrawalSubject } from '../../modules/proposals/proposals.service.ts'
import type { Services } from '../../services.ts'
import { type DemoWithdrawal, WITHDRAWALS } from './cast.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import { demoAdmins } from './demo-wallets.ts'
import type { DemoMember, Team } from './team.ts'

/**
 * Has the withdrawals requested and brought to where they are to be; claims go to the chain together, and to finality.
 * Completed steps are skipped: call it when the modules have processed all events of the chain.
 */
export async function makeWithdrawals(
  services: Services,
  chain: DemoChain,
  team: Team,
  stranger: Address,
): Promise<void> {
  const { db, claims } = services
  const claimTxs: DemoTx[] = []
  for (const [index, planned] of WITHDRAWALS.entries()) {
    const member = team.get(planned.member)!
    const withdrawal = await request(services, chain, member, { index, planned, stranger })
    await decide(services, chain, member, { planned, withdrawal })
    if (planned.outcome === 'claim' && withdrawal.status === 'Withdrawable') {
      const { tx } = await claims.voucher(db, member.memberId, BigInt(withdrawal.withdraw_id))
      claimTxs.push({ from: member.wallet, tx })
    }
  }
  await chain.mineTogether(claimTxs)
  await chain.finalise()
}

/** Requests a withdrawal once, as a client does with its Idempotency-Key; the withdrawal as it is now. */
async function request(
  { db, now, plans, withdrawals, consents }: Services,
  chain: DemoChain,
  { memberId, address: own, wallet }: DemoMember,
  { index, planned, stranger }: { index: number; planned: DemoWithdrawal; stranger: Address },
): Promise<Withdrawal> {
  const { amount, foreign } = planned
  const input = { asset: 'USDT', amount, address: foreign ? stranger : undefined } as const
  const key = `demonstration/withdrawal/${index}`
  const { asset, address } = input
  const order = { asset, amountMicros: parseMicros(amount), address }
  const to = (address ?? own).toLowerCase()
  const plan = await plans.planAt(db, dayOf(now().getTime()))
  const feeMicros = withdrawalFee(order.amountMicros, MICRO, plan)
  const signer = { memberId, address: own }
  const consent = await consents.signWith(signer, withdrawalWish(order, { feeMicros, to }), (typedData) =>
    chain.signTyped(wallet, typedData),
  )
  const made = await inDbTx(db, (dbTx) =>
    idempotent(dbTx, { memberId, key, operation: 'withdraw', input }, now(), () =>
      withdrawals.request(dbTx, memberId, order, consent),
    ),
  )
  return withdrawals.get(db, memberId, BigInt(made.withdraw_id))
}

/** Applies the member's or the admins' decision to a withdrawal that is still pending. */
async function decide(
  services: Services,
  chain: DemoChain,
  { memberId }: DemoMember,
  { planned, withdrawal }: { planned: DemoWithdrawal; withdrawal: Withdrawal },
): Promise<void> {
  const { db, withdrawals } = services
  const { outcome, reason } = planned
  const { withdraw_id, status } = withdrawal
  if (outcome === 'cancel' && status === 'Withdrawable') {
    const unclaimed = await withdrawals.requireUnclaimed(db, memberId, BigInt(withdraw_id))
    await inDbTx(db, (dbTx) => withdrawals.cancel(dbTx, memberId, unclaimed))
  }
  if ((outcome === 'approve' || outcome === 'reject') && status === 'Auditing') {
    const payload = {
      approve: outcome === 'approve',
      withdrawals: [{ member_id: `${memberId}`, withdraw_id }],
    }
    await review(services, chain, {
      payload,
      subject: withdrawalSubject(memberId, withdraw_id),
      reason: reason!,
    })
  }
}

/** Has the operator propose a review and the approver sign it. A killed run leaves at most the open proposal. */
async function review(
  { db, admins, proposals }: Services,
  chain: DemoChain,
  review: { payload: ProposalPayload<'withdrawals'>; subject: string; reason: string },
): Promise<void> {
  const { payload, subject, reason } = review
  const adminAs = (role: AdminRole) => {
    const { address } = demoAdmins(chain.accounts).find((admin) => admin.role === role)!
    return admins.find(db, address)
  }
  const [operator, approver] = await Promise.all([adminAs('operator'), adminAs('approver')])
  // With owners from the settings there are no admins of the demonstration: it waits for theirs.
  if (operator === undefined || approver === undefined) return
  const draft = { kind: 'withdrawals', payload, reason, delayMs: 0 } as const
  const open = (await proposals.openBySubject(db, 'withdrawals', [subject])).get(subject)
  const prepared =
    open ?? BigInt((await inDbTx(db, (dbTx) => proposals.prepare(dbTx, operator, draft))).proposal_id)
  const decision = { approve: true, reason }
  await proposals.decideWith(approver, prepared, decision, (typedData) =>
    chain.signTyped(getAddress(approver.address as Hex), typedData),
  )
}
