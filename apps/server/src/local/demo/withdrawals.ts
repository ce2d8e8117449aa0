import type { Withdrawal } from '@rif/api-schema'
import { dayOf, MICRO, parseMicros, withdrawalFee, withdrawalWish } from '@rif/rules'
import type { Address } from 'viem'
import { inTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { withdrawalSubject } from '../../modules/desk/proposals/proposals.service.ts'
import type { Services } from '../../services.ts'
import { type DemoWithdrawal, WITHDRAWALS } from './cast.ts'
import { decideTogether } from './decisions.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import type { DemoMember, DemoTeam } from './team.ts'

/**
 * Requests the withdrawals and brings them into their final states. Claims go to the chain together, and are
 * finalised. Completed steps are skipped. Call it when the modules have processed all events of the chain.
 */
export async function makeWithdrawals(
  services: Services,
  chain: DemoChain,
  team: DemoTeam,
  stranger: Address,
): Promise<void> {
  const { db, claims } = services
  const claimTxs: DemoTx[] = []
  for (const [index, planned] of WITHDRAWALS.entries()) {
    const member = team.get(planned.member)!
    const key = `demonstration/withdrawal/${index}`
    const withdrawal = await requestOnce(services, chain, member, { key, planned, stranger })
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
export async function requestOnce(
  { db, now, plans, withdrawals, consents }: Services,
  chain: DemoChain,
  { memberId, address: own, wallet }: DemoMember,
  {
    key,
    planned,
    stranger,
  }: { key: string; planned: Pick<DemoWithdrawal, 'amount' | 'foreign'>; stranger: Address },
): Promise<Withdrawal> {
  const { amount, foreign } = planned
  const input = { asset: 'USDT', amount, address: foreign ? stranger : undefined } as const
  const { asset, address } = input
  const order = { asset, amountMicros: parseMicros(amount), address }
  const to = (address ?? own).toLowerCase()
  const plan = await plans.planAt(db, dayOf(now().getTime()))
  const feeMicros = withdrawalFee({ amountMicros: order.amountMicros, refundMicros: 0n }, MICRO, plan)!
  const signer = { memberId, address: own }
  const consent = await consents.signWith(signer, withdrawalWish(order, { feeMicros, to }), (typedData) =>
    chain.signTyped(wallet, typedData),
  )
  const made = await inTx(db, (dbTx) =>
    idempotent(dbTx, { memberId, key, operation: 'withdraw', input }, now(), () =>
      withdrawals.request(dbTx, memberId, order, consent),
    ),
  )
  return withdrawals.get(db, memberId, BigInt(made.withdraw_id))
}

/** Applies the member's or the admins' decision to a withdrawal that is still pending. */
export async function decide(
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
    await inTx(db, (dbTx) => withdrawals.cancel(dbTx, memberId, unclaimed))
  }
  if ((outcome === 'approve' || outcome === 'reject') && status === 'Auditing') {
    const payload = {
      approve: outcome === 'approve',
      withdrawals: [{ member_id: `${memberId}`, withdraw_id }],
    }
    const subject = withdrawalSubject(memberId, withdraw_id)
    await decideTogether(services, chain, { kind: 'withdrawals', payload, subject, reason: reason! })
  }
}
